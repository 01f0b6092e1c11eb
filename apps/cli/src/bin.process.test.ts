import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

describe('a program started from a checkout', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'laurel-bin-')));
    for (const file of ['apps/cli/bin/laurel.mjs', 'tools/start.mjs', 'tools/read-dotenv.mjs'])
      cpSync(join(ROOT, file), join(folder, file));
    for (const step of ['installed', 'built']) write(`tools/ensure-${step}.mjs`, `console.log('${step}');`);
    const program =
      'console.log(process.argv.slice(2).join(), process.env.LAUREL_PORT, process.env.LAUREL_HOST, process.env.OTHER);';
    for (const app of ['cli', 'standalone']) write(`apps/${app}/dist/main.js`, `${program} process.exitCode = 1;`);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  const start = (program: string, words: readonly string[], cwd = folder) =>
    spawnSync(program, words, { encoding: 'utf8', cwd, env: { PATH: process.env['PATH'], LAUREL_HOST: 'set' } });
  /** As a shell does: the file itself, by its first line and its mode. */
  const laurel = (...words: string[]) => start(join(folder, 'apps/cli/bin/laurel.mjs'), words);

  it('installs and builds what is missing before it runs, and leaves the output of the command alone', () => {
    expect(laurel('status', '--json')).toMatchObject({
      status: 1,
      stdout: 'status,--json undefined set undefined\n',
      stderr: 'installed\nbuilt\n',
    });
  });

  it('does not run when installing or building fails', () => {
    write('tools/ensure-built.mjs', 'console.error("no compiler"); process.exitCode = 1;');
    expect(laurel('status')).toMatchObject({ status: 2, stdout: '', stderr: 'installed\nno compiler\n' });
  });

  it('reads unset LAUREL variables from .env and tells the service which file it read', () => {
    write('.env', '# mine\nLAUREL_PORT="4000"\nLAUREL_HOST=from-the-file\nOTHER=from-the-file\n');
    expect(laurel('status').stdout).toBe('status 4000 set undefined\n');
    const started = () => start(process.execPath, [join(folder, 'tools/start.mjs')]).stdout;
    expect(started()).toBe(`--settings=${join(folder, '.env')} 4000 set undefined\n`);
    write('.env', 'OTHER=from-the-file\n');
    expect(started()).toBe(' undefined set undefined\n');
  });

  it.each([
    ['PORT=40#00', 'has a # that is not quoted, and would be cut there'],
    ['PORT=#4000', 'has a # that is not quoted, and would be cut there'],
    ['PORT=40#0 # port', 'has a # that is not quoted, and would be cut there'],
    ['PORT="40"00', 'has text behind its closing quote, and would be cut there'],
    ["PORT='40'#00", 'has text behind its closing quote, and would be cut there'],
    ['PORT="4000', 'has no closing quote, and would be lost'],
  ])('refuses %s in .env instead of reading part of it', (line, why) => {
    write('.env', `LAUREL_OTHER="a\nb"\nexport LAUREL_${line}\nLAUREL_LAST=1\n`);
    const { status, stdout, stderr } = laurel('status');
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr.split('\n').slice(2)).toEqual([
      `${join(folder, '.env')}: the value of LAUREL_PORT ${why}. Put it in quotes, and a space before a comment`,
      '',
    ]);
  });

  it.each([
    ["PORT='40#0'", '40#0'],
    ['PORT="40 #0" # port', '40 #0'],
    ['PORT=4000 # port, not 40#00', '4000'],
    ['PORT=4000\r', '4000'],
    ["OTHER='\nLAUREL_PORT=5#\n'\nLAUREL_PORT=4000", '4000'],
    ['HOST=a#b\n#LAUREL_PORT=5#0\nLAUREL_PORT=4000', '4000'],
  ])('accepts %j from .env', (line, port) => {
    write('.env', `LAUREL_${line}\n`);
    expect(laurel('status').stdout).toBe(`status ${port} set undefined\n`);
  });

  it('is what npm start and npm run laurel start', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    expect(scripts).toMatchObject({
      start: expect.stringMatching(/ tools\/start\.mjs$/),
      laurel: expect.stringMatching(/ apps\/cli\/bin\/laurel\.mjs$/),
    });
  });
});
