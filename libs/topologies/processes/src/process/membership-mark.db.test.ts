import { join } from 'node:path';
import { ManualClock } from '@laurel/testing/clock';
import {
  openDatabaseProxy,
  openTcpProxy,
  openTestDatabase,
  type DatabaseProxy,
  type TcpProxy,
  type TestDatabase,
} from '@laurel/testing/database';
import { countMembers } from './group-members.ts';
import { MembershipMark } from './membership-mark.ts';

let database: TestDatabase;
let proxy: DatabaseProxy;
let network: TcpProxy;
beforeAll(async () => {
  database = await openTestDatabase([]);
  proxy = await openDatabaseProxy(database.connection);
  const { host, port } = database.connection;
  network = await openTcpProxy({ path: join(host, `.s.PGSQL.${port}`) });
});
afterAll(async () => {
  await Promise.all([proxy.close(), network.close()]);
  await database.close();
});

const opened: MembershipMark[] = [];
afterEach(() => Promise.all(opened.splice(0).map((mark) => mark.stop())));

const SERVICES = ['streak-service', 'points-service'];

async function members(): Promise<readonly number[]> {
  const counted = await countMembers(database.sql, SERVICES);
  return SERVICES.map((service) => counted.get(service) ?? Number.NaN);
}

/** An instance of a service that is in its consumer group as long as a test says. */
function open(service: string, server = database.connection) {
  const clock = new ManualClock();
  const group = { isMember: true };
  const failures: unknown[] = [];
  const mark = new MembershipMark({
    server,
    service,
    isMember: () => group.isMember,
    clock,
    onFailure: (error) => failures.push(error),
  });
  opened.push(mark);
  mark.start();
  return { clock, group, failures, mark };
}

/** The clocks are the test's, the connections are not: so they are moved until the database says so. */
async function until(expected: readonly number[], ...instances: readonly { readonly clock: ManualClock }[]) {
  do {
    for (const { clock } of instances) await clock.advance(1_000);
  } while (String(await members()) !== String(expected));
}

describe('the marks of consumer group members', () => {
  it('are counted per service and disappear with their processes', async () => {
    const [first, second, points] = [open('streak-service'), open('streak-service'), open('points-service')];
    await until([2, 1], first, second, points);
    await first.mark.stop();
    await until([1, 1]);
    await Promise.all([second.mark.stop(), points.mark.stop()]);
    await until([0, 0]);
  });

  it('exist only for members, not for one that has been out of the group longer than a rebalance', async () => {
    const one = open('points-service');
    await until([0, 1], one);
    // The lock shows before its holder has heard of it; from then on it looks every second.
    while (one.clock.timers === 0) await one.clock.advance(0);
    await one.clock.advance(1_000);
    one.group.isMember = false;
    await one.clock.advance(5_000);
    expect(await members()).toEqual([0, 1]);
    await until([0, 0], one);
    one.group.isMember = true;
    await until([0, 1], one);
  });

  it('are released by a process that stops while the database is frozen', async () => {
    const one = open('points-service', { ...database.connection, host: '127.0.0.1', port: network.port });
    await until([0, 1], one);
    while (one.clock.timers === 0) await one.clock.advance(0);
    network.frozen = true;
    let stopped = false;
    void one.mark.stop().then(() => (stopped = true));
    for (let waitedMs = 0; waitedMs < 5_000; waitedMs += 500) await one.clock.advance(500);
    expect([stopped, one.clock.timers]).toEqual([true, 0]);
    network.frozen = false;
    await until([0, 0]);
  });

  it('are counted again after the database was unavailable', async () => {
    const one = open('points-service', proxy.connection);
    await until([0, 1], one);
    proxy.reachable = false;
    proxy.cut();
    await until([0, 0], one);
    while (one.failures.length === 0) await one.clock.advance(1_000);
    proxy.reachable = true;
    await until([0, 1], one);
  });
});
