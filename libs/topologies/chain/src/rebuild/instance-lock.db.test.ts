import { StartError } from '@laurel/database';
import { type ProcessFrame, StepsDifferError } from '@laurel/processes';
import { systemClock } from '@laurel/testing/clock';
import { openDatabaseProxy, openTestDatabase, type DatabaseProxy, type TestDatabase } from '@laurel/testing/database';
import { until } from '@laurel/testing/outgoing';
import { aloneLock, instanceLock } from './instance-lock.ts';

const STEP = { name: 'points-service', services: [{ name: 'points-service' }] };
const WITHIN_MS = 30_000;
const RUNS = 'an instance of points-service runs';

let database: TestDatabase;
let proxy: DatabaseProxy;
let refusals: unknown[];
let check: () => Promise<void>;
let release: () => Promise<void>;
beforeAll(async () => {
  database = await openTestDatabase([]);
  proxy = await openDatabaseProxy(database.connection);
});
beforeEach(async () => {
  refusals = [];
  check = () => Promise.resolve();
  release = await instanceLock(frameOf(proxy.connection), STEP, {
    check: () => check(),
    onRefused: (error) => refusals.push(error),
  });
});
afterEach(async () => {
  proxy.reachable = true;
  await release();
});
afterAll(async () => {
  await proxy.close();
  await database.close();
});

const frameOf = (connection: TestDatabase['connection']) =>
  ({ environment: { database: connection }, clock: systemClock }) as unknown as Pick<
    ProcessFrame,
    'environment' | 'clock'
  >;

const alone = () => aloneLock(frameOf(database.connection), STEP, () => undefined);

/** The connections that share the lock. To ask for it instead would refuse an instance that takes it again at that moment. */
async function holders(): Promise<readonly number[]> {
  const rows = await database.sql.query<{ pid: number }>(
    `select pid from pg_locks
     where locktype = 'advisory' and mode = 'ShareLock' and granted
       and database = (select oid from pg_database where datname = current_database())`,
    [],
  );
  return rows.map(({ pid }) => pid);
}

it('the instance lock refuses an exclusive job until the instance stops', async () => {
  await expect(alone()).rejects.toThrow(RUNS);
  await release();
  await (
    await alone()
  )();
});

it('the instance lock is taken again after the database connection was lost', async () => {
  const [first] = await holders();
  expect(first).toBeGreaterThan(0);
  proxy.cut();
  const isAnother = async () => (await holders()).some((pid) => pid !== first);
  await until('another connection holds the lock', isAnother, WITHIN_MS);
  await expect(alone()).rejects.toThrow(RUNS);
  expect(refusals).toEqual([]);
});

it('the lock of a job reports its loss', async () => {
  await release();
  let lost = 0;
  const releaseJob = await aloneLock(frameOf(proxy.connection), STEP, () => lost++);
  proxy.cut();
  await until('the job learns of it', () => lost > 0, WITHIN_MS);
  await releaseJob();
  await (
    await alone()
  )();
});

it('the instance lock reports when a job took it meanwhile, or when the steps have changed', async () => {
  proxy.reachable = false;
  proxy.cut();
  let job: (() => Promise<void>) | null = null;
  await until('the lock is free', async () => (job = await alone().catch(() => null)) !== null, WITHIN_MS);
  proxy.reachable = true;
  await until('the instance is refused', () => refusals.length > 0, WITHIN_MS);
  expect(refusals[0]).toBeInstanceOf(StartError);
  refusals = [];
  check = () => Promise.reject(new StepsDifferError('moved'));
  await job!();
  await until('it learns of the move', () => refusals.some((error) => error instanceof StepsDifferError), WITHIN_MS);
});
