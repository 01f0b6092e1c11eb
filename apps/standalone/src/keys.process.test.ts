import { once } from 'node:events';
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ApiKeyAnswer, NewApiKeyAnswer } from '@laurel/schemas';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@laurel/embedded-postgres';
import { hashApiKey, localSocketPath } from '@laurel/runtime';
import pg from 'pg';
import { startProcess, type StandaloneProcess } from './testing/standalone-process.ts';

const KEY = 'a key of 24 characters, or more';
const KEYS = '/admin/v1/keys';

describe('a standalone process', () => {
  let folder: string;
  const processes: StandaloneProcess[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-keys-'));
    // As root, the database runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
  });
  afterEach(async () => {
    for (const service of processes.splice(0)) await stop(service);
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  });

  const start = async (environment: Readonly<Record<string, string>> = {}): Promise<StandaloneProcess> => {
    const started = await startProcess({ LAUREL_DATA_DIR: join(folder, 'data'), ...environment });
    processes.push(started);
    return started;
  };

  it('serves its 0600 socket without a key, and refuses requests without a key over TCP', async () => {
    const service = await start({ LAUREL_API_KEY: KEY });
    const socketPath = join(folder, 'data', 'laurel.sock');
    expect(((await stat(socketPath)).mode & 0o777).toString(8)).toBe('600');
    expect(await askLocally(socketPath, 'GET', KEYS)).toEqual({ status: 200, json: [] });
    expect((await fetch(`${service.url}${KEYS}`)).status).toBe(401);
    await stop(service);
    await expect(stat(socketPath)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('opens its socket again after it was killed, however deep its folder is', async () => {
    const dataDir = join(folder, 'x'.repeat(100));
    const environment = { LAUREL_API_KEY: KEY, LAUREL_DATA_DIR: dataDir };
    const killed = await start(environment);
    const before = await localSocketPath(dataDir);
    killed.process.kill('SIGKILL');
    await killed.ended;
    await expect(askLocally(before, 'GET', KEYS)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await start(environment);
    const socketPath = await localSocketPath(dataDir);
    expect(socketPath).not.toBe(before);
    expect(await askLocally(socketPath, 'GET', KEYS)).toMatchObject({ status: 200 });
  });

  it('keeps its keys across restarts, and lets the socket create one after the last was revoked', async () => {
    const socketPath = join(folder, 'data', 'laurel.sock');
    const first = await start();
    const firstKey = /lrl_\w{36}/.exec(first.banner)?.[0] ?? '';
    const listed = async (service: StandaloneProcess, key: string) =>
      (await fetch(`${service.url}${KEYS}`, { headers: { 'x-api-key': key } })).status;
    expect(await listed(first, firstKey)).toBe(200);
    await stop(first);

    const second = await start();
    expect(second.banner).not.toContain('lrl_');
    expect(await listed(second, firstKey)).toBe(200);
    const [stored] = (await askLocally(socketPath, 'GET', KEYS)).json as ApiKeyAnswer[];
    expect(stored).toMatchObject({
      label: 'first key',
      scopes: ['ingest', 'read', 'support', 'admin', 'export'],
      revokedAt: null,
    });
    expect(await askLocally(socketPath, 'DELETE', `${KEYS}/${stored?.id}`)).toMatchObject({ status: 200 });
    expect(await listed(second, firstKey)).toBe(401);
    await stop(second);

    const third = await start({ LAUREL_API_KEY: firstKey });
    await says(third, /the key of LAUREL_API_KEY was revoked/g);
    expect(await listed(third, firstKey)).toBe(401);
    const made = await askLocally(socketPath, 'POST', KEYS, { label: 'next', scopes: ['admin'] });
    expect(made.status).toBe(201);
    expect(await listed(third, (made.json as NewApiKeyAnswer).key)).toBe(200);
  });

  it('writes no key into its log, at any level, nor into any of its files', async () => {
    const service = await start({ LAUREL_LOG_LEVEL: 'trace' });
    const firstKey = /lrl_\w{36}/.exec(service.banner)?.[0] ?? '';
    const answer = await fetch(`${service.url}${KEYS}`, {
      method: 'POST',
      headers: { 'x-api-key': firstKey, 'content-type': 'application/json' },
      body: JSON.stringify({ label: 'canary', scopes: ['read'], requestsPerMinute: 1 }),
    });
    const { key } = (await answer.json()) as NewApiKeyAnswer;
    const authorization = 'Bearer canary-in-authorization';
    for (const path of ['/v1/achievements', '/v1/achievements', '/v1/nothing', `/v1/users/${key}`, '/admin/v1/status'])
      await fetch(`${service.url}${path}?api_key=${key}`, { headers: { 'x-api-key': key, authorization } });
    await fetch(`${service.url}${KEYS}/${key}`, {
      method: 'DELETE',
      headers: { 'x-api-key': firstKey, authorization },
    });
    await says(service, /"msg":"request"/g, 7);
    await stop(service);

    const count = (secret: string) => service.printed().split(secret).length - 1;
    // The banner shows the first key twice, with a line to try it.
    expect([key, firstKey, 'canary-in-authorization'].map(count)).toEqual([0, 2, 0]);
    const found = (text: string) => filesWith(join(folder, 'data'), text);
    expect(await found(hashApiKey(key))).not.toEqual([]);
    for (const secret of [key, firstKey]) expect(await found(secret)).toEqual([]);
  });

  it('creates a data folder beside an external database, works without one and refuses one in use', async () => {
    const database = await startEmbeddedPostgres({ dataDir: join(folder, 'operator') });
    await onServer(database, 'create database another');
    const config = join(folder, 'laurel.yaml');
    await writeFile(config, 'version: 1\nmetrics: [{ key: orders, name: Orders }]\n');
    const ours = urlOf(database, database.connection.database);
    const own = { LAUREL_API_KEY: KEY, LAUREL_CONFIG: config, LAUREL_DATABASE_URL: ours };
    const service = await start(own);
    const dataDir = join(folder, 'data');
    expect(((await stat(dataDir)).mode & 0o777).toString(8)).toBe('700');
    expect(await readdir(dataDir)).toEqual(['laurel.database', 'laurel.sock']);

    const other = { ...own, LAUREL_DATABASE_URL: urlOf(database, 'another') };
    await expect(start(other)).rejects.toThrow(/^another Laurel serves from .*\/data; set LAUREL_DATA_DIR/m);
    expect(await askLocally(join(dataDir, 'laurel.sock'), 'GET', KEYS)).toMatchObject({ status: 200 });

    await writeFile(join(folder, 'file'), '');
    const without = await start({ ...other, LAUREL_DATA_DIR: join(folder, 'file', 'data') });
    await says(without, /no local socket/g);
    expect((await fetch(`${without.url}${KEYS}`, { headers: { 'x-api-key': KEY } })).status).toBe(200);

    for (const running of [service, without]) await stop(running);
    await database.stop();
  });
});

async function onServer({ connection }: EmbeddedPostgres, sql: string): Promise<void> {
  const client = new pg.Client({ ...connection });
  await client.connect();
  await client.query(sql);
  await client.end();
}

/** As an operator writes it. */
function urlOf({ connection: { user, password, host } }: EmbeddedPostgres, name: string): string {
  return `postgres://${user}:${encodeURIComponent(password)}@localhost/${name}?host=${encodeURIComponent(host)}`;
}

/** Waits until it has printed this so many times: the log and the banner go different ways. */
async function says({ printed, process }: StandaloneProcess, what: RegExp, times = 1): Promise<void> {
  while ((printed().match(what)?.length ?? 0) < times) await once(process.stdout!, 'data');
}

async function stop({ process, ended }: StandaloneProcess): Promise<void> {
  process.kill('SIGTERM');
  await ended;
}

async function askLocally(socketPath: string, method: string, path: string, body?: object) {
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  const request = httpRequest({ socketPath, method, path, headers, agent: false });
  request.end(body && JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const text = (await response.toArray()).join('');
  return { status: response.statusCode, json: JSON.parse(text) as unknown };
}

/** The files below a folder in which a text stands. */
async function filesWith(path: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const content = await readFile(join(entry.parentPath, entry.name));
    if (content.includes(text)) found.push(entry.name);
  }
  return found;
}
