import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '@laurel/embedded-postgres';
import { startPgBouncer, type PgBouncer } from '@laurel/testing/database';
import pg from 'pg';
import { startProcess, type StandaloneProcess } from './testing/standalone-process.ts';

const KEY = 'a key of 24 characters, or more';
const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }] }
`;

let server: EmbeddedPostgres;
let pooler: PgBouncer | null;
let folder: string;
const processes: StandaloneProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'laurel-pooled-'));
  // As root, the database runs as another user, who must be able to pass through.
  await chmod(folder, 0o755);
  await writeFile(join(folder, 'laurel.yaml'), CONFIGURATION);
  server = await startEmbeddedPostgres({ dataDir: join(folder, 'server') });
  pooler = null;
});
afterEach(async () => {
  for (const { process, ended } of processes.splice(0)) {
    process.kill('SIGTERM');
    await ended;
  }
  await pooler?.close();
  await server.stop();
  await rm(folder, { recursive: true });
});

const ask = async (text: string) => {
  const client = new pg.Client(server.connection);
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
};

const start = async (url: string, name = 'data'): Promise<StandaloneProcess> => {
  const environment = { LAUREL_DATA_DIR: join(folder, name), LAUREL_DATABASE_URL: url };
  const started = await startProcess({
    ...environment,
    LAUREL_API_KEY: KEY,
    LAUREL_CONFIG: join(folder, 'laurel.yaml'),
  });
  processes.push(started);
  return started;
};

const post = (url: string, user: number) =>
  fetch(`${url}/api/metrics/lessons/event`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' },
    body: JSON.stringify({ user: { id: `user-${user}`, tz: 'UTC' }, value: 1 }),
  });
const read = (url: string, user: number) =>
  fetch(`${url}/v1/users/user-${user}/streak`, { headers: { 'x-api-key': KEY } });

it('the service works through PgBouncer as shipped, whatever session settings the database has', async () => {
  const { database: name } = server.connection;
  for (const setting of ["DateStyle = 'SQL, DMY'", "search_path = 'nowhere'", 'default_transaction_read_only = on'])
    await ask(`alter database ${name} set ${setting}`);
  pooler = await startPgBouncer(server.connection);
  const service = await start(pooler.url);
  const statuses: number[] = [];
  const send = async (user: number) => {
    for (let round = 0; round < 25; round++)
      statuses.push((await post(service.url, user)).status, (await read(service.url, user)).status);
  };
  await Promise.all(Array.from({ length: 16 }, (_, user) => send(user)));
  expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
  expect(statuses).toHaveLength(800);
});

it('the service refuses a second process on a database until the first was killed', async () => {
  pooler = await startPgBouncer(server.connection);
  const first = await start(pooler.url);
  await expect(start(pooler.url, 'second')).rejects.toThrow('another Laurel process writes to this database');
  expect((await post(first.url, 1)).status).toBe(201);
  first.process.kill('SIGKILL');
  await first.ended;
  const next = await start(pooler.url);
  expect(await (await post(next.url, 1)).json()).toMatchObject({ total: 2 });
});

it.each(['transaction', 'statement'])('the service refuses %s pooling with one line', async (pool_mode) => {
  pooler = await startPgBouncer(server.connection, { pool_mode });
  const error: unknown = await start(pooler.url).catch((refused: unknown) => refused);
  const { connection } = pooler;
  expect((error as Error).message.trim()).toMatch(
    new RegExp(`^the connection pooler at 127.0.0.1:${connection.port}/\\w+ uses ${pool_mode} pooling, .*$`),
  );
  expect(await ask("select from pg_tables where schemaname = 'public'")).toEqual([]);
});
