import { EventLoopClock } from '@laurel/testing/clock';
import { startFakeCluster, type FakeCluster, type FakeEventStoreDb } from '@laurel/testing/event-store-db';
import { event, fact, recordOf, summary } from '../sample-records.fixture.ts';
import { WireStores } from './wire-stores.fixture.ts';

let cluster: FakeCluster;
let nodes: readonly [FakeEventStoreDb, FakeEventStoreDb];
const stores = new WireStores(new EventLoopClock(), { waitLimitMs: 60_000, callLimitMs: 600 });
const until = (condition: () => boolean) => stores.until(condition);
const open = () => stores.open(cluster.url);

beforeEach(async () => {
  cluster = await startFakeCluster(2);
  nodes = cluster.nodes as unknown as typeof nodes;
});
afterEach(async () => {
  await stores.close();
  await cluster.stop();
});

describe('a leader that freezes', () => {
  it('is left for the newly elected one, and appends in progress are recorded', async () => {
    const store = open();
    const [leader, next] = nodes;
    await store.append([event('ada')]);
    leader.front.frozen = true;
    const appending = store.append(Array.from({ length: 64 }, (_, n) => event(`u${n}`, 'k')));
    // The connection was given up and others were tried before there is another leader.
    await until(() => leader.front.accepted >= 4);
    cluster.elect(1);
    const outcomes = await appending;
    expect(outcomes.map(summary)).toEqual(Array(64).fill('recorded'));
    expect(await store.read(0, 100)).toHaveLength(65);
    expect(next.calls.append).toBeGreaterThanOrEqual(64);
  });

  it('keeps no connection once its calls have ended', async () => {
    const store = open();
    const [leader] = nodes;
    await store.append([event('ada')]);
    store.onAppend(() => undefined);
    leader.front.frozen = true;
    const appending = store.append([event('ada')]);
    await until(() => leader.front.accepted >= 3);
    cluster.elect(1);
    expect((await appending).map(summary)).toEqual(['recorded']);
    leader.front.frozen = false;
    await until(() => leader.front.open === 0);
    expect(nodes[1].front.open).toBeGreaterThan(0);
  });

  it('is left by a read that it does not answer', async () => {
    const store = open();
    const [outcome] = await store.append([event('ada')]);
    nodes[0].front.frozen = true;
    cluster.elect(1);
    await expect(store.read(0, 10)).rejects.toThrow('not answered');
    expect(await store.read(0, 10)).toEqual([recordOf(outcome)]);
  });

  it('is replaced as the source of append notifications', async () => {
    const store = open();
    let hints = 0;
    store.onAppend(() => hints++);
    await until(() => hints > 0);
    nodes[0].front.frozen = true;
    cluster.elect(1);
    await store.append([event('ada')]);
    const heard = hints;
    await until(() => hints > heard);
  });
});

describe('an election that loses an event before it is acknowledged', () => {
  it.each([
    ['an event', () => event('ada')],
    ['an event with a key', () => event('ada', 'k')],
    ['an event of the account', () => fact({ type: 'ImportOpened' })],
  ])('makes the store record it again, once, at the position that it returns: %s', async (_name, make) => {
    const store = open();
    await store.append([fact({ type: 'ImportClosed', cause: 'idle' })]);
    const record = make();
    nodes[0].failNext('append', ['unreplicated']);
    const appending = store.append([record]);
    await until(() => cluster.log.all.length > cluster.log.readable.length);
    cluster.elect(1);
    nodes[0].cut();
    const outcomes = [...(await appending), ...(await store.append([event('ada')]))];
    expect(outcomes.map(summary)).toEqual(['recorded', 'recorded']);
    expect((await store.read(0, 10)).slice(1)).toEqual(outcomes.map(recordOf));
  });
});
