import { jest } from '@jest/globals';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// The tools have no types: what they take and give is in their comments.
const { runDocument } = await import(new URL('./run-document.mjs', import.meta.url).href);

/** Stands in for npm: prints a banner as the service does, and goes on until it is ended. */
const NPM = `#!/usr/bin/env bash
[[ $LAUREL_CONFIG == wrong.yaml ]] && { echo 'wrong.yaml:1:1 is wrong' >&2; exit 1; }
echo "$$" >"$PID_FILE"
printf 'ready at %s\\n  API key  lrl_abc123\\ncurl http://127.0.0.1:%s/\\n' "$LAUREL_CLOCK" "$LAUREL_PORT"
exec sleep 1000
`;

describe('a run of a document', () => {
  let folder: string;
  let cwd: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'run-document-'));
    cwd = join(folder, 'cwd');
    for (const name of ['cwd', 'bin']) mkdirSync(join(folder, name));
    writeFileSync(join(folder, 'bin', 'npm'), NPM);
    chmodSync(join(folder, 'bin', 'npm'), 0o755);
    jest.spyOn(console, 'log').mockImplementation(() => undefined);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });

  const run = (...lines: string[]) => {
    const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, PID_FILE: join(folder, 'pid') };
    const markdown = lines.join('\n').replaceAll("'''", '```');
    const files = mkdtempSync(join(folder, 'files-'));
    return runDocument(markdown, { cwd, folder: files, env, repository: '/the/repository' });
  };
  // Where nobody collects the dead they stay in the list.
  const LIVES = '[[ $(ps -o stat= -p "$(cat "$PID_FILE")") =~ ^[^Z] ]] && echo lives || echo gone';

  it('uses one terminal, so exports, folders and files persist', async () => {
    const done = await run(
      ...["'''sh", 'export WHO=ada', 'mkdir sub', 'cd sub', "'''", 'A file, `a.yaml`:', "'''yaml", 'x: 1', "'''"],
      ...["'''sh", 'echo "$WHO"', 'cat a.yaml ../sub/a.yaml', 'echo ADDRESS_OF_THIS_REPOSITORY', "'''"],
      ...["'''text", 'ada', 'x: 1', 'x: 1', 'ADDRESS_OF_THIS_REPOSITORY', "'''"],
    );
    expect(done).toEqual({ commands: 6, compared: 1, skipped: [], unused: [] });
  });

  it('fails when the output differs, with line and diff', async () => {
    const failing = run("'''sh", 'echo one', "'''", "'''text", 'two', "'''");
    await expect(failing).rejects.toThrow(/^line 2: .*line 5[^]*- two\n\+ one/);
  });

  it('fails when any command fails unexpectedly', async () => {
    await expect(run("'''sh", 'ls /none', 'true', "'''")).rejects.toThrow(/`ls \/none` ended with 2/);
    await expect(run('<!-- exits with 1 -->', "'''sh", 'true', "'''")).rejects.toThrow('ended with 0, expected 1');
    await run('<!-- exits with 1 -->', "'''sh", 'echo no >&2; false', "'''", "'''text", 'no', "'''");
  });

  it('starts the service on its own port with the clock of the document, and stops it', async () => {
    const banner = ['ready at 2026-11-21T09:30:00Z', '…', 'curl http://127.0.0.1:3000/'];
    await run(
      ...['<!-- clock: 2026-11-21T09:30:00Z -->', "'''sh", 'npm start', "'''", "'''text", ...banner, "'''"],
      ...["'''sh", 'echo http://127.0.0.1:3000 $LAUREL_PORT lrl_…', '[ "$LAUREL_PORT" != 3000 ]', LIVES, "'''"],
      ...["'''text", 'http://127.0.0.1:3000 … lrl_abc123', 'lives', "'''"],
      ...["'''sh", '# Ctrl-C in the first terminal', LIVES, "'''", "'''text", 'gone', "'''"],
      ...["'''sh", 'npm start', "'''"],
    );
    const done = await run("'''sh", LIVES, "'''", "'''text", 'gone', "'''");
    expect(done.compared).toBe(1);
  });

  it('shows what a service prints that does not start', async () => {
    const started = ["'''sh", 'export LAUREL_CONFIG=wrong.yaml', 'npm start', "'''"];
    await expect(run(...started)).rejects.toThrow('is wrong');
    await run('<!-- exits with 1 -->', ...started, "'''text", 'wrong.yaml:1:1 is wrong', "'''");
  });

  it('has at most one service at a time', async () => {
    await expect(run("'''sh", 'npm start', 'npm start', "'''")).rejects.toThrow('Ctrl-C');
  });

  it('replaces shown ids in later commands with the printed ones', async () => {
    const [shown, actual] = ['01a1fd77-ca34-75e3-86b3-b3e170a5cb98', '01b2fd77-ca34-75e3-86b3-b3e170a5cb98'];
    await run(
      ...["'''sh", `printf '{"id":"%s-%s"}' 01b2fd77 ${actual.slice(9)}`, "'''", "'''json", `{"id":"${shown}"}`, "'''"],
      ...["'''sh", `echo revoke ${shown} | tr -d -`, "'''", "'''text", `revoke ${actual.replaceAll('-', '')}`, "'''"],
    );
  });

  it('skips what is not to be run and reports it', async () => {
    const { skipped } = await run('<!-- not run: no docker here -->', "'''sh", 'docker run laurel', "'''");
    expect(skipped).toMatchObject([{ line: 3, reason: 'no docker here' }]);
  });
});
