import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import pg from 'pg';
import { BoundedReads, type ReadBounds } from './bounded-reads.ts';
import { clientConfig } from './session-client.ts';

/** Long: what is refused here is so for another reason. */
const BOUNDS: ReadBounds = { connections: 2, waitMs: 60_000, runMs: 60_000, mostWaiting: 3 };
const LOCK = 'select pg_advisory_lock_shared(7)';
const OVERLOADED = { problem: { status: 503, code: 'overloaded' } };

let database: TestDatabase;
let holder: pg.Client;
beforeAll(async () => {
  database = await openTestDatabase([]);
  holder = new pg.Client(clientConfig(database.connection));
  await holder.connect();
});
afterAll(async () => {
  await holder.end();
  await database.close();
});
beforeEach(() => holder.query('select pg_advisory_lock(7)'));

const opened: BoundedReads[] = [];
afterEach(async () => {
  await release();
  for (const reads of opened.splice(0)) await reads.close();
});

const release = () => holder.query('select pg_advisory_unlock_all()');

function open(bounds: Partial<ReadBounds> = {}): BoundedReads {
  const reads = new BoundedReads(database.connection, { ...BOUNDS, ...bounds });
  opened.push(reads);
  return reads;
}

/** Until so many statements wait for the lock. */
async function untilBlocked(statements: number): Promise<void> {
  const blocked = `select from pg_stat_activity
    where datname = current_database() and application_name = 'laurel-console' and wait_event = 'advisory'`;
  while ((await holder.query(blocked)).rowCount !== statements) await new Promise((resolve) => setImmediate(resolve));
}

describe('bounded reads', () => {
  it("return rows, and throw the database's error for an invalid statement", async () => {
    const reads = open();
    expect(await reads.query('select $1::int as one', [1])).toEqual([{ one: 1 }]);
    await expect(reads.query('select nothing', [])).rejects.toMatchObject({ severity: 'ERROR', code: '42703' });
    expect(await reads.query('select 2 as two', [])).toEqual([{ two: 2 }]);
  });

  it('run one statement per connection, queue a limited number, and refuse the rest', async () => {
    const reads = open();
    const running = [reads.query(LOCK, []), reads.query(LOCK, [])];
    await untilBlocked(2);
    const waiting = [1, 2, 3].map((n) => reads.query(`select ${n} as n`, []));
    await expect(reads.query('select 4 as n', [])).rejects.toMatchObject(OVERLOADED);
    await release();
    await Promise.all(running);
    expect((await Promise.all(waiting)).flat()).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect(await reads.query('select 4 as n', [])).toEqual([{ n: 4 }]);
  });

  it('end a statement that takes too long, after which the connection works again', async () => {
    const reads = open({ connections: 1, runMs: 500 });
    await answered(() => reads.query('select 1 as one', []));
    await expect(reads.query(LOCK, [])).rejects.toMatchObject(OVERLOADED);
    await release();
    await answered(() => reads.query(LOCK, []));
  });

  it('refuse a statement for which no connection becomes free in time', async () => {
    const reads = open({ connections: 1, waitMs: 500 });
    await answered(() => reads.query('select 1 as one', []));
    const running = reads.query(LOCK, []);
    await untilBlocked(1);
    await expect(reads.query('select 1 as one', [])).rejects.toMatchObject(OVERLOADED);
    await release();
    await running;
  });
});

/** A machine that is slow may exceed the bounds of a test at first. */
async function answered(read: () => Promise<unknown[]>): Promise<void> {
  while (
    !(await read().then(
      () => true,
      () => false,
    ))
  );
}
