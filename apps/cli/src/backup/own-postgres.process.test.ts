import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { startLaurel, startServiceProcess, type ServiceProcess } from '../testing/processes.ts';

const GUIDE = new URL('../../../../docs/guides/operate.md', import.meta.url);
const CONFIG = new URL('../../../../docker/laurel.yaml', import.meta.url);
const RESTORED = 'laurel_restored';
const KEY = 'a key of 24 characters, or more';

/** Client programs must match the server, and the embedded server has none. `tools/check-postgres.mjs` provides both. */
const server = process.env['LAUREL_TEST_DATABASE_URL'];
const withClientPrograms = server === undefined ? describe.skip : describe;

withClientPrograms("a Postgres of one's own", () => {
  let folder: string;
  let database: TestDatabase;
  const services: ServiceProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-own-postgres-'));
    database = await openTestDatabase([]);
    await dropRestored();
  });
  afterAll(async () => {
    for (const service of services) await service.stop();
    await dropRestored();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  const administrate = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const urlOf = (name: string) => Object.assign(new URL(server ?? ''), { pathname: name }).href;
  const dropRestored = () => administrate(`DROP DATABASE IF EXISTS ${RESTORED} WITH (FORCE)`);
  const start = async (url: string, dataDir: string): Promise<ServiceProcess> => {
    const service = await startServiceProcess({
      LAUREL_DATABASE_URL: url,
      LAUREL_DATA_DIR: join(folder, dataDir),
      LAUREL_API_KEY: KEY,
      LAUREL_CONFIG: fileURLToPath(CONFIG),
    });
    services.push(service);
    return service;
  };
  const laurel = async (service: ServiceProcess, ...words: string[]) => {
    const ended = await startLaurel([...words, '--url', service.url], { LAUREL_API_KEY: KEY }).ended;
    expect(ended).toMatchObject({ exitCode: 0 });
    return ended.stdout;
  };

  it('the commands of the guide back up an external database of a running service and restore its digest', async () => {
    const [originalUrl, restoredUrl] = [urlOf(database.connection.database), urlOf(RESTORED)];
    const original = await start(originalUrl, 'original');
    const before = await record(original, 'before');
    const digest = join(folder, 'digest.json');
    await writeFile(digest, await laurel(original, 'digest', '--json'));

    const lines = spawnSync('bash', ['--norc', '-ec', await linesOfGuide()], {
      cwd: folder,
      env: { PATH: process.env['PATH'], LAUREL_DATABASE_URL: originalUrl, RESTORED_DATABASE_URL: restoredUrl },
      encoding: 'utf8',
    });
    expect(lines).toMatchObject({ status: 0, stderr: '' });
    const after = await record(original, 'after');

    const restored = await start(restoredUrl, 'restored');
    await laurel(restored, 'digest', '--compare', digest);
    await laurel(restored, 'verify');
    expect(await record(restored, 'before')).toBe(before);
    expect(await record(restored, 'after')).not.toBe(after);
  });
});

/** The commands of the block in the guide that the document test does not run. */
async function linesOfGuide(): Promise<string> {
  const text = await readFile(GUIDE, 'utf8');
  const block = /own-postgres\.process\.test\.ts runs it -->\s+```sh\n(.*?)```/s.exec(text)?.[1];
  if (block === undefined) throw new Error('the guide has no lines for the backup of a Postgres');
  return block;
}

/** @returns the id of the event, the same whenever the key is sent again */
async function record({ url }: ServiceProcess, key: string): Promise<string> {
  const answer = await fetch(`${url}/api/metrics/lessons/event`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ user: { id: 'ada' }, value: 1 }),
  });
  const { eventId } = (await answer.json()) as { eventId: string };
  expect(eventId).toMatch(/^[\da-f-]{36}$/);
  return eventId;
}
