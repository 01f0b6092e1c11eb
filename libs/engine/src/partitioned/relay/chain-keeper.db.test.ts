import {
  BLOCK,
  EMPTY_CHAIN,
  catchUpChain,
  chained,
  eventStoreMigrations,
  readChain,
  type StoredRecord,
} from '@laurel/event-store';
import { ManualClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { ChainKeeper } from './chain-keeper.ts';

const record = (place: number): StoredRecord => ({
  // Not contiguous, as in EventStoreDB.
  position: 10 * place,
  subject: place,
  occurredAt: 1,
  recordedAt: 2,
  eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a',
  keyHash: null,
  configurationVersion: 1,
  schemaVersion: 2,
  type: 'MetricEventRecorded',
  imported: false,
  account: 'default',
  metric: 'words',
  value: '1',
  zone: null,
  data: null,
  personal: null,
});

let database: TestDatabase;
let records: StoredRecord[];
let failure: Error | null;
const log = {
  readStored: (after: number, limit: number) =>
    failure === null
      ? Promise.resolve(records.filter(({ position }) => position > after).slice(0, limit))
      : Promise.reject(failure),
};

beforeEach(async () => {
  database = await openTestDatabase(eventStoreMigrations);
  records = Array.from({ length: BLOCK + 10 }, (_, index) => record(index + 1));
  failure = null;
});
afterEach(() => database.close());

async function until(reached: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await reached())) await new Promise((resolve) => setTimeout(resolve, 5));
}

const hashed = async (): Promise<boolean> => (await readChain(database.sql)).position === records.at(-1)?.position;

it('ChainKeeper hashes the event store up to its end, even when two run, and resumes after a failure', async () => {
  const clock = new ManualClock();
  const troubles: unknown[] = [];
  const keepers = [1, 2].map(
    () =>
      new ChainKeeper({
        catchUp: (onProgress) => catchUpChain(database.sql, log, onProgress),
        clock,
        onTrouble: (error) => troubles.push(error),
      }),
  );
  for (const keeper of keepers) keeper.start();
  await until(hashed);
  await until(() => clock.timers === 2);
  records.push(record(5_000));
  failure = new Error('it cannot be read');
  await clock.advance(1_000);
  await until(() => troubles.length === 2 && clock.timers === 2);
  failure = null;
  await clock.advance(1_000);
  await until(hashed);
  expect(await readChain(database.sql)).toEqual(chained(EMPTY_CHAIN, records).head);
  for (const keeper of keepers) await keeper.stop();
  expect(clock.timers).toBe(0);
});
