import {
  EventStoreDBClient,
  NO_STREAM,
  START,
  jsonEvent,
  streamNameFilter,
  type Position,
} from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { startFakeCluster } from './fake-cluster.ts';
import { startFakeEventStoreDb, type FakeEventStoreDb } from './fake-event-store-db.ts';
import type { KeptEvent } from './fake-log.ts';

let server: FakeEventStoreDb;
const clients: EventStoreDBClient[] = [];

beforeEach(async () => {
  server = await startFakeEventStoreDb();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.dispose();
  await server.stop();
});

describe('an append with a planned fault', () => {
  it.each([
    ['calm-before', 0, { code: 8, type: 'unknown' }],
    ['calm-after', 1, { code: 8, type: 'unknown' }],
    ['aborted-before', 0, { code: 10, type: 'timeout' }],
    ['aborted-after', 1, { code: 10, type: 'timeout' }],
    ['denied', 0, { code: 7, type: 'access-denied' }],
    ['not-leader', 0, { type: 'not-leader' }],
    ['leaderless', 0, { code: 2, type: 'unknown' }],
  ] as const)('is answered as a real server does (%s)', async (fault, kept, error) => {
    server.failNext('append', [fault]);
    await expect(client().appendToStream('s', event())).rejects.toMatchObject(error);
    expect(server.log.stream('s')).toHaveLength(kept);
  });

  it('is neither answered nor readable until a later append is replicated', async () => {
    server.failNext('append', ['unreplicated']);
    const once = event();
    const append = () => client().appendToStream('s', once, { expectedRevision: NO_STREAM, deadline: 300 });
    for (let call = 0; call < 2; call++) await expect(append()).rejects.toMatchObject({ type: 'deadline-exceeded' });
    await expect(readIds(client().readStream('s'))).rejects.toMatchObject({ type: 'stream-not-found' });
    await client().appendToStream('other', event());
    expect(await append()).toMatchObject({ success: true, nextExpectedRevision: 0n });
    expect(await readIds(client().readStream('s'))).toEqual([once.id]);
  });
});

describe('the rights of a user', () => {
  it('determine the answer to each call', async () => {
    await client().appendToStream('s', event());
    server.rights.mayReadAll = false;
    await expect(readIds(client().readAll())).rejects.toMatchObject({ type: 'access-denied', code: 7 });
    expect(await readIds(client().readStream('s'))).toHaveLength(1);
    server.rights.mayAppend = false;
    await expect(client().appendToStream('s', event())).rejects.toMatchObject({ type: 'access-denied', code: 7 });
    server.rights.password = 'wrong';
    await expect(readIds(client().readStream('s'))).rejects.toMatchObject({ type: 'access-denied', code: 16 });
  });
});

describe('a server that other applications use too', () => {
  it('tells a filtered subscription how far it has read, and that it has caught up', async () => {
    server.log.addForeign(1_000, '$ce-mine', '$>');
    await client().appendToStream('mine-a', event());
    server.log.addForeign(500, 'other');
    const checkpoints: Position[] = [];
    const seen: string[] = [];
    const subscription = client().subscribeToAll({
      fromPosition: START,
      filter: streamNameFilter({
        prefixes: ['mine-'],
        checkpointInterval: 10,
        checkpointReached: (_subscription, position) => void checkpoints.push(position),
      }),
    });
    subscription.on('data', ({ event: one }) => seen.push(one?.streamId ?? ''));
    await new Promise((resolve) => subscription.once('caughtUp', () => resolve(null)));
    expect(seen).toEqual(['mine-a']);
    expect(checkpoints).toHaveLength(Math.floor(server.log.all.length / 320) + 1);
    expect(checkpoints.at(-1)).toEqual({ commit: server.log.behind(server.log.all.at(-1) as KeptEvent), prepare: 0n });
    const { position: next } = await client().appendToStream('mine-b', event());
    const fromPosition = checkpoints.at(-1) as Position;
    expect(await readIds(client().readAll({ fromPosition, maxCount: 1 }), 'position')).toEqual([next]);
    await subscription.unsubscribe();
  });

  it('opens no more concurrent calls per connection than it allows', async () => {
    const one = client();
    await Promise.all(Array.from({ length: 250 }, (_, n) => one.appendToStream(`s${n}`, event())));
    expect(server.mostOpen).toBeGreaterThan(50);
    expect(server.mostOpen).toBeLessThanOrEqual(100);
  });
});

describe('a cluster', () => {
  it('sends clients to its leader, and keeps only replicated events after an election', async () => {
    const cluster = await startFakeCluster(2);
    const [leader, follower] = cluster.nodes as [FakeEventStoreDb, FakeEventStoreDb];
    const first = client(cluster.url);
    await first.appendToStream('s', event(), { requiresLeader: true });
    expect([leader.calls.append, follower.calls.append]).toEqual([1, 0]);
    leader.failNext('append', ['unreplicated']);
    const lost = client(cluster.url).appendToStream('s', event(), { requiresLeader: true, deadline: 2_000 });
    const lostSettled = expect(lost).rejects.toMatchObject({ type: 'deadline-exceeded' });
    while (cluster.log.stream('s').length < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    leader.front.frozen = true;
    cluster.elect(1);
    expect(cluster.log.stream('s')).toHaveLength(1);
    const straight = client(follower.url);
    await straight.appendToStream('s', event(), { requiresLeader: true, expectedRevision: 0n });
    expect(follower.calls.append).toBe(1);
    await lostSettled;
    await cluster.stop();
  });

  it('refuses at a follower what only the leader answers', async () => {
    const cluster = await startFakeCluster(2);
    const refused = client(cluster.nodes[1]?.url).appendToStream('s', event(), { requiresLeader: true });
    await expect(refused).rejects.toMatchObject({ leader: { address: '127.0.0.1', port: cluster.nodes[0]?.port } });
    await cluster.stop();
  });
});

function client(url = server.url): EventStoreDBClient {
  const one = EventStoreDBClient.connectionString(url);
  Object.assign(one, { supports: () => Promise.resolve(false) });
  clients.push(one);
  return one;
}

const event = () => jsonEvent({ id: randomUUID(), type: 'happened', data: { a: 1 } });

async function readIds(reading: AsyncIterable<{ event?: unknown }>, field = 'id'): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const { event: one } of reading) found.push((one as Record<string, unknown>)[field]);
  return found;
}
