import { execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument } from '@laurel/configuration';
import { startProcess, type StandaloneProcess } from './testing/standalone-process.ts';

const KEY = 'a key of 24 characters, or more';
/** Every start since release 0.2 leaves it in its data folder, which is moved nowhere from then on. */
const NOTE_OF_RELEASE_0_2 = 'data-folder';
const OWN = 'version: 1\nmetrics: [{ key: lessons, name: Lessons }, { key: orders, name: Orders }]\n';
const WITHOUT_LESSONS = 'version: 1\nmetrics: [{ key: orders, name: Orders }]\n';

/** An installation that release 0.1 left in `demo`, over several starts. */
describe('the data folder', () => {
  let folder: string;
  let data: string;
  let config: string;
  const processes: StandaloneProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-folder-'));
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
    [data, config] = [join(folder, 'data'), join(folder, 'laurel.yaml')];
  });
  afterAll(async () => {
    await stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  async function start(environment: Readonly<Record<string, string>> = {}): Promise<StandaloneProcess> {
    await stop();
    const started = await startProcess({ LAUREL_DATA_DIR: data, LAUREL_API_KEY: KEY, ...environment });
    processes.push(started);
    return started;
  }

  async function stop(): Promise<void> {
    for (const { process, ended } of processes.splice(0)) {
      process.kill('SIGTERM');
      await ended;
    }
  }

  async function ask(url: string, method: string, path: string, body?: unknown, headers = {}) {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { 'x-api-key': KEY, ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }

  const lesson = (url: string, key: string) =>
    ask(url, 'POST', '/api/metrics/lessons/event', { user: { id: 'ada' }, value: 1 }, { 'idempotency-key': key });

  it('takes over the database and the key in demo, and explains both ways to a first own file', async () => {
    const old = await start({ LAUREL_DATA_DIR: join(data, 'demo') });
    expect((await lesson(old.url, 'one')).body).toMatchObject({ total: 1 });
    const webhook = { url: 'https://platform.example/hook', types: ['user.corrected'] };
    expect((await ask(old.url, 'POST', '/admin/v1/webhooks', webhook)).status).toBe(201);
    await stop();
    await rm(join(data, 'demo', NOTE_OF_RELEASE_0_2));
    const secretsKey = await readFile(join(data, 'demo', 'secrets.key'), 'utf8');

    await writeFile(config, WITHOUT_LESSONS);
    const { url, banner } = await start({ LAUREL_CONFIG: config });
    expect(banner).toContain(`data     ${data}\n`);
    expect(await lesson(url, 'one')).toMatchObject({ status: 202, body: { total: 1, idempotentReplayed: true } });
    expect(await readFile(join(data, 'secrets.key'), 'utf8')).toBe(secretsKey);
    await expect(stat(join(data, 'demo'))).rejects.toMatchObject({ code: 'ENOENT' });

    const sentence =
      'the file of LAUREL_CONFIG was not published, because events are recorded with the demo: either publish it with ' +
      '`laurel config publish FILE --accept` (the users recorded so far stay), or start with a new LAUREL_DATA_DIR for a clean beginning';
    expect(banner).toContain(`\n  config   version 1, the demo; ${sentence}\n`);
    expect((await ask(url, 'GET', '/readyz')).body['configuration']).toBe(sentence);
  });

  it('stays the same when LAUREL_CONFIG is set after a publication in the console', async () => {
    const demo = await start();
    expect(demo.banner).toContain(`data     ${data}\n`);
    const document = { document: parseDocument(OWN, 'live').document };
    expect((await ask(demo.url, 'POST', '/admin/v1/configurations', document)).status).toBe(201);
    expect((await lesson(demo.url, 'two')).body).toMatchObject({ total: 2 });

    await writeFile(config, OWN);
    const { url, banner } = await start({ LAUREL_CONFIG: config });
    expect(banner).toContain(`data     ${data}\n  config   ${config}\n`);
    expect(await lesson(url, 'two')).toMatchObject({ status: 202, body: { total: 2, idempotentReplayed: true } });
    expect((await lesson(url, 'three')).body).toMatchObject({ total: 3 });
    expect((await ask(url, 'GET', '/admin/v1/status')).body).not.toHaveProperty('unusedDataFolder');
  });

  it('is used when demo holds a second database, and banner and status name the unused one', async () => {
    await stop();
    const demo = join(data, 'demo');
    await mkdir(demo);
    // With the owner of each file.
    execFileSync('cp', ['-a', join(data, 'postgres'), demo]);
    const { url, banner } = await start();
    expect(banner).toContain(`data     ${data}\n           ${demo} holds another database, not used\n`);
    expect((await ask(url, 'GET', '/admin/v1/status')).body).toMatchObject({ unusedDataFolder: demo });
    expect(await lesson(url, 'three')).toMatchObject({ status: 202, body: { total: 3 } });
  });

  it('refuses to start with another key than its webhooks need', async () => {
    await expect(start({ LAUREL_SECRETS_KEY: 'any secret of 24 characters' })).rejects.toThrow(
      `encrypted with the key in ${join(data, 'secrets.key')}, not with LAUREL_SECRETS_KEY: remove LAUREL_SECRETS_KEY`,
    );
  });
});
