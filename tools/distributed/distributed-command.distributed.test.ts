import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { freePort } = await import(new URL('../processes.mjs', import.meta.url).href);

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const KEY = 'a key of 24 characters, or more';

describe('the command that starts the distributed topology', () => {
  let folder: string;
  const started: ChildProcess[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'laurel-distributed-'));
    // As root, Postgres runs as another user, who must be able to pass through.
    chmodSync(folder, 0o755);
  });
  afterEach(async () => {
    for (const child of started.splice(0)) {
      if (child.exitCode !== null) continue;
      child.kill('SIGINT');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const run = (form: string, port: number) => {
    const child = spawn(process.execPath, ['tools/distributed.mjs', '--form', form, '--folder', folder], {
      cwd: ROOT,
      env: { ...process.env, LAUREL_PORT: String(port), LAUREL_API_KEY: KEY, LAUREL_PARTITIONS: '4' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    started.push(child);
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += String(text)));
    const ended = once(child, 'exit').then(([code]) => code as number);
    return { child, ended, printed: () => printed };
  };
  const start = async (form: string, port: number) => {
    const { child, ended, printed } = run(form, port);
    const hasEnded = ended.then(() => true);
    while (!printed().includes('Ctrl-C stops everything'))
      if (await Promise.race([hasEnded, new Promise<false>((next) => setTimeout(next, 100, false))]))
        throw new Error(printed());
    const stop = () => {
      child.kill('SIGINT');
      return ended;
    };
    return { printed: printed(), stop };
  };
  /** Always with the same key, so that only the first call records an event: 201, and 202 from then on. */
  const record = async (port: number, status = 201) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/metrics/lessons/event`, {
      method: 'POST',
      headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'idempotency-key': 'the only one' },
      body: JSON.stringify({ user: { id: 'ada' }, value: 1 }),
    });
    expect(answer.status).toBe(status);
    return (await answer.json()) as { eventId: string; total: number };
  };

  it('stops everything that it started, and a second start continues', async () => {
    const port: number = await freePort();
    const first = await start('six', port);
    expect(first.printed).toContain(`Laurel is ready at http://127.0.0.1:${port}`);
    expect(first.printed).toMatch(/console {2}http:\/\/localhost:\d+\/console#token=/);
    expect(first.printed).toContain('ingestion-gateway is ready');
    expect(first.printed).not.toContain('undefined');
    const { eventId, total } = await record(port);
    expect(total).toBe(1);

    const beside = run('six', await freePort());
    expect(await beside.ended).toBe(1);
    expect(beside.printed()).toContain(`${folder} is in use: stop its process first`);

    expect(await first.stop()).toBe(0);
    await expect(record(port)).rejects.toThrow('fetch failed');
    const second = await start('six', port);
    expect(await record(port, 202)).toMatchObject({ eventId, total: 1 });
    expect(await second.stop()).toBe(0);

    const other = run('fused', port);
    expect(await other.ended).toBe(1);
    expect(other.printed()).toContain('was started in the form six');
  });

  it('runs all areas in one process on request', async () => {
    const port: number = await freePort();
    const fused = await start('fused', port);
    expect(fused.printed).toContain('(4 of 4)');
    expect((await record(port)).total).toBe(1);
    expect(await fused.stop()).toBe(0);
  });
});
