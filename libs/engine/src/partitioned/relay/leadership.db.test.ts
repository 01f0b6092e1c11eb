import { join } from 'node:path';
import { ManualClock } from '@laurel/testing/clock';
import {
  openDatabaseProxy,
  openTcpProxy,
  openTestDatabase,
  type DatabaseProxy,
  type TestDatabase,
} from '@laurel/testing/database';
import { Leadership } from './leadership.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
beforeEach(async () => {
  database = await openTestDatabase([]);
  proxy = await openDatabaseProxy(database.connection);
});
afterEach(async () => {
  await proxy.close();
  await database.close();
});

function open(connection: TestDatabase['connection']) {
  const clock = new ManualClock();
  const events: string[] = [];
  const troubles: unknown[] = [];
  const leadership = new Leadership({
    config: { ...database.config, ...connection },
    clock,
    onElected: () => events.push('elected'),
    onLost: () => Promise.resolve(void events.push('lost')),
    onTrouble: (error) => troubles.push(error),
  });
  return { clock, events, troubles, leadership };
}

/** The clock is the test's, the connection is not: so it is moved until the server has answered. */
async function until(clock: ManualClock, holds: () => boolean): Promise<void> {
  while (!holds()) await clock.advance(500);
}

const lockHolders = async (): Promise<number> => {
  const [row] = await database.sql.query<{ count: string }>(
    `select count(*) from pg_locks l join pg_database d on d.oid = l.database
     where l.locktype = 'advisory' and l.granted and d.datname = current_database()`,
    [],
  );
  return Number(row?.count);
};

describe('leadership', () => {
  it('is held by one of two processes, and passes to the other when the first releases it', async () => {
    const [first, second] = [open(database.connection), open(database.connection)];
    first.leadership.start();
    await until(first.clock, () => first.leadership.leading);
    second.leadership.start();
    for (let tries = 0; tries < 5; tries++) await until(second.clock, () => second.clock.timers > 0);
    expect(second.leadership.leading).toBe(false);
    await first.leadership.stop();
    expect(first.events).toEqual(['elected', 'lost']);
    await until(second.clock, () => second.leadership.leading);
    expect(second.events).toEqual(['elected']);
    await second.leadership.stop();
    expect(await lockHolders()).toBe(0);
  });

  it('is lost with the connection, so that another process can take it', async () => {
    const [first, second] = [open(proxy.connection), open(database.connection)];
    first.leadership.start();
    await until(first.clock, () => first.leadership.leading);
    proxy.reachable = false;
    proxy.cut();
    second.leadership.start();
    await until(second.clock, () => second.leadership.leading);
    await until(first.clock, () => !first.leadership.leading);
    expect(first.events).toEqual(['elected', 'lost']);
    expect(first.troubles).toHaveLength(1);
    proxy.reachable = true;
    await second.leadership.stop();
    await until(first.clock, () => first.leadership.leading);
    expect(first.events).toEqual(['elected', 'lost', 'elected']);
    await first.leadership.stop();
  });

  it('is retried while the database is unavailable, which is reported once', async () => {
    proxy.reachable = false;
    const { clock, events, troubles, leadership } = open(proxy.connection);
    leadership.start();
    for (let tries = 0; tries < 3; tries++) await until(clock, () => clock.timers > 0);
    expect(events).toEqual([]);
    expect(troubles).toHaveLength(1);
    proxy.reachable = true;
    await until(clock, () => leadership.leading);
    await leadership.stop();
  });

  it('is released by a process that stops while the database is frozen', async () => {
    const { host, port } = database.connection;
    const network = await openTcpProxy({ path: join(host, `.s.PGSQL.${port}`) });
    const { clock, leadership } = open({ ...database.connection, host: '127.0.0.1', port: network.port });
    leadership.start();
    await until(clock, () => leadership.leading);
    network.frozen = true;
    let stopped = false;
    void leadership.stop().then(() => (stopped = true));
    for (let waitedMs = 0; waitedMs < 5_000; waitedMs += 500) await clock.advance(500);
    expect([stopped, clock.timers]).toEqual([true, 0]);
    await network.close();
  });

  it('is not taken by a process that was stopped before its first attempt', async () => {
    const { clock, events, leadership } = open(database.connection);
    leadership.start();
    await leadership.stop();
    await clock.advance(60_000);
    expect(events).toEqual([]);
    expect(await lockHolders()).toBe(0);
  });
});
