import { StartError } from '@laurel/database';
import { systemClock } from '@laurel/testing/clock';
import { openDatabaseProxy, openTestDatabase, type DatabaseProxy, type TestDatabase } from '@laurel/testing/database';
import type { ProcessFrame } from '../process/run-process.ts';
import { StepsDifferError } from '../steps/recorded-steps.ts';
import { aloneLock, instanceLock } from './instance-lock.ts';

const STEP = { name: 'points-service', services: [{ name: 'points-service' }] };
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

const alone = () => aloneLock(frameOf(database.connection), STEP);

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const isRefused = async (): Promise<boolean> => {
  try {
    await (
      await alone()
    )();
    return false;
  } catch (error) {
    expect(String(error)).toContain(RUNS);
    return true;
  }
};

it('keeps away who must be alone, and lets go of them when the instance stops', async () => {
  await expect(alone()).rejects.toThrow(RUNS);
  await release();
  await (
    await alone()
  )();
});

it('does so again after the connection to the database was lost', async () => {
  proxy.cut();
  await until(isRefused);
  expect(refusals).toEqual([]);
});

it('says so when somebody is alone by then, and when the areas are applied in other steps', async () => {
  proxy.reachable = false;
  proxy.cut();
  let job: (() => Promise<void>) | null = null;
  await until(async () => (job = await alone().catch(() => null)) !== null);
  proxy.reachable = true;
  await until(() => refusals.length > 0);
  expect(refusals[0]).toBeInstanceOf(StartError);
  refusals = [];
  check = () => Promise.reject(new StepsDifferError('moved'));
  await job!();
  await until(() => refusals.some((error) => error instanceof StepsDifferError));
});
