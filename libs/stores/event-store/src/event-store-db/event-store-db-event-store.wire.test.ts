import { EventLoopClock } from '@laurel/testing/clock';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { subjectOf } from '@laurel/testing/subjects';
import { startFakeEventStoreDb, type FakeEventStoreDb, type FakeFault } from '@laurel/testing/event-store-db';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LogOverloadedError, type EventStore } from '../event-store.ts';
import { event, fact, recordOf, summary } from '../sample-records.fixture.ts';
import { WireStores } from './wire-stores.fixture.ts';

let server: FakeEventStoreDb;
const stores = new WireStores(new EventLoopClock(), { callLimitMs: 400 });
const until = (condition: () => boolean) => stores.until(condition);
const open = (options = {}, url = server.url) => stores.open(url, options);

beforeEach(async () => {
  server = await startFakeEventStoreDb();
});
afterEach(async () => {
  await stores.close();
  await server.stop();
});

/** Gives up soon. */
const IMPATIENT = { waitLimitMs: 1_500 };

const FAULTS: readonly FakeFault[] = [
  'refused',
  'lost',
  'cut-before',
  'cut-after',
  'silent-before',
  'silent-after',
  'calm-before',
  'calm-after',
  'aborted-before',
  'aborted-after',
  'not-leader',
  'leaderless',
  'placeless',
];

describe('an append whose call fails', () => {
  it.each(FAULTS)('is recorded once, at a known position (%s)', async (fault) => {
    const store = open();
    for (const fresh of [event('ada'), event('ada', 'k'), fact({ type: 'ImportOpened' })]) {
      server.failNext('append', [fault, 'none', fault]);
      const outcomes = [...(await store.append([fresh])), ...(await store.append([event('bob')]))];
      expect(outcomes.map(summary)).toEqual(['recorded', 'recorded']);
      expect((await store.read(0, 100)).slice(-2)).toEqual(outcomes.map(recordOf));
    }
    expect(await store.read(0, 100)).toHaveLength(6);
  });

  it('is repeated until the server has replicated it', async () => {
    server.failNext('append', ['unreplicated']);
    const appending = open().append([event('ada')]);
    await until(() => server.calls.append >= 3);
    expect(server.log.readable).not.toHaveLength(server.log.all.length);
    server.log.replicate();
    expect(await open().read(0, 10)).toEqual([recordOf((await appending)[0])]);
  });

  it('fails no other appends in progress, of this process or another', async () => {
    const [one, other] = [open(), open()];
    server.failNext('append', [
      'none',
      'cut-after',
      'none',
      'lost',
      'cut-before',
      'refused',
      'placeless',
      'cut-after',
      'none',
      'silent-after',
    ]);
    server.failNext('read', ['none', 'refused', 'cut-before']);
    const records = Array.from({ length: 40 }, (_, n) => event(`u${n % 5}`, n % 4 === 0 ? 'k' : null));
    const halves = [records.slice(0, 20), records.slice(20)] as const;
    const outcomes = (await Promise.all([one.append(halves[0]), other.append(halves[1])])).flat();
    const read = await one.read(0, 100);
    expect(new Set(outcomes.map(summary))).toEqual(new Set(['recorded', 'used']));
    expect(new Set(read)).toEqual(new Set(outcomes.filter(({ kind }) => kind === 'recorded').map(recordOf)));
    for (const half of halves)
      for (const user of ['u0', 'u1', 'u2', 'u3', 'u4']) {
        const own = half.filter(({ fact: { subject } }) => subject === subjectOf(user)).map(({ eventId }) => eventId);
        const kept = read.map(({ eventId }) => eventId).filter((id) => own.includes(id));
        expect(kept).toEqual(own.filter((id) => kept.includes(id)));
      }
  });

  it('is found by reading if the server no longer returns its position', async () => {
    const store = open();
    server.failNext('append', ['placeless']);
    const [outcome] = await store.append([event('ada', 'k')]);
    expect(await store.read(0, 10)).toEqual([recordOf(outcome)]);
  });

  it('is never sent as part of a batch, whose error would affect all', async () => {
    await open().append([event('ada'), event('bob')]);
    expect(server.calls).toMatchObject({ append: 2, batchAppend: 0 });
  });

  it('is distinguished from a used key even if the URL disables thrown errors', async () => {
    const store = open({}, `${server.url}&throwOnAppendFailure=false`);
    const outcomes = await store.append([event('ada', 'k'), event('ada', 'k')]);
    expect(outcomes.map(summary)).toEqual(['recorded', 'used']);
  });
});

describe('a server that cannot be reached for longer than the limit', () => {
  it('has recorded nothing if no call reached it', async () => {
    const { port } = server;
    await server.stop();
    const store = open(IMPATIENT);
    const records = [event('ada'), event('ada'), event('bob', 'k'), fact({ type: 'ImportOpened' })];
    expect((await store.append(records)).map(summary)).toEqual(Array(4).fill('failed nothing'));
    server = await startFakeEventStoreDb({ port });
    expect((await store.append(records)).map(summary)).toEqual(Array(4).fill('recorded'));
    expect(await store.read(0, 10)).toHaveLength(4);
  });

  it('has recorded nothing if each call ran out of time before it was connected', async () => {
    await server.stop();
    const store = open({ waitLimitMs: 300, callLimitMs: 0.5 });
    expect((await store.append([event('ada')])).map(summary)).toEqual(['failed nothing']);
  });

  it.each(['cut-before', 'cut-after'] as const)(
    'leaves the outcome unknown, which a repeated append determines (%s)',
    async (fault) => {
      const store = open(IMPATIENT);
      await store.append([fact({ type: 'ImportOpened' })]);
      for (const record of [event('ada'), event('ada', 'k'), fact({ type: 'ImportClosed', cause: 'idle' })]) {
        server.failNext('append', [fault]);
        const failing = store.append([record, event('ada')]);
        server.reachable = false;
        expect((await failing).map(summary)[0]).toBe('failed unknown');
        server.reachable = true;
        // Others go on, also into the stream where the record may stand.
        const between = fact({ type: 'ImportOpened' });
        expect((await store.append([between])).map(summary)).toEqual(['recorded']);
        const [again] = await store.append([record]);
        const read = await store.read(0, 100);
        expect(read.filter(({ eventId }) => eventId === record.eventId)).toEqual([recordOf(again)]);
      }
    },
  );

  it('does not get later events of a user recorded before the failed one', async () => {
    const store = open(IMPATIENT);
    await store.append([event('ada')]);
    server.failNext('append', ['cut-before']);
    const appending = store.append([event('ada'), event('ada')]);
    server.reachable = false;
    expect((await appending).map(summary)).toEqual(['failed unknown', 'failed nothing']);
    server.reachable = true;
    expect(await readOnceReachable(store)).toHaveLength(1);
  });

  it('is sent no more events than the capacity', async () => {
    const store = open({ capacity: 3 });
    server.reachable = false;
    const waiting = store.append([event('a'), event('b')]);
    await expect(store.append([event('c'), event('d')])).rejects.toThrow(LogOverloadedError);
    server.reachable = true;
    expect((await waiting).map(summary)).toEqual(['recorded', 'recorded']);
  });
});

/** The client's connection takes its time to find out that the server is back. */
async function readOnceReachable(store: EventStore) {
  for (;;) {
    const records = await store.read(0, 10).catch(() => null);
    if (records !== null) return records;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A store whose limits no longer have to cover the time that a busy machine takes to connect. */
async function connected(options: object) {
  const store = open(options);
  expect((await store.append([event('carol')])).map(summary)).toEqual(['recorded']);
  return store;
}

describe('a store with many appends in progress', () => {
  it('gives every append its full time, however many wait', async () => {
    const users = Array.from({ length: 24 }, (_, n) => event(`u${n % 2}`, `k${n}`));
    // One call is far from the limit, all of one user's together are beyond it.
    const store = await connected({ waitLimitMs: 1_500, callLimitMs: 1_500, concurrency: 1 });
    server.delayMs = 150;
    expect((await store.append(users)).map(summary)).toEqual(Array(24).fill('recorded'));
  });

  it('keeps the order of a user whose append fails while others are recorded', async () => {
    const store = await connected({ waitLimitMs: 2_000 });
    server.failAppendsTo('laurel-2-key-', 'aborted-before');
    const others = Array.from({ length: 200 }, () => event('bob'));
    const outcomes = await store.append([event('ada', 'k1'), ...others, event('ada'), event('ada')]);
    expect(outcomes.map(summary).filter((one) => one !== 'recorded')).toEqual([
      'failed unknown',
      'failed nothing',
      'failed nothing',
    ]);
  });
});

describe('an event that the server refuses', () => {
  it('fails without affecting others', async () => {
    const store = open();
    const large = event('ada', null, new Map([['a', 'x'.repeat(1024 * 1024)]]));
    const outcomes = await store.append([event('ada'), large, event('ada')]);
    expect(outcomes.map(summary)).toEqual(['recorded', 'rejected', 'recorded']);
  });
});

describe("a server that holds other applications' events", () => {
  it('is read past foreign events, each range once', async () => {
    const store = open();
    const foreign = EventStoreDBClient.connectionString(server.url);
    const appended: unknown[] = [];
    for (const user of ['ada', 'bob']) {
      appended.push(...(await store.append([event(user)])).map(recordOf));
      const others = Array.from({ length: 250 }, (_, n) => jsonEvent({ type: 'other', data: { n } }));
      await foreign.appendToStream(`laure-${user}`, others);
    }
    await foreign.dispose();
    const reader = open();
    expect(await reader.head()).toBe((appended[1] as { position: number }).position);
    expect(await reader.read(0, 1)).toEqual(appended.slice(0, 1));
    expect(await reader.read(0, 10)).toEqual(appended);
    const { position } = appended[1] as { position: number };
    expect(await reader.read(position, 10)).toEqual([]);
    const before = server.calls.read;
    expect(await reader.read(position, 10)).toEqual([]);
    expect(server.calls.read).toBe(before + 1);
  });

  it('is refused beyond position 2^53', async () => {
    await server.stop();
    server = await startFakeEventStoreDb({ firstPosition: 2n ** 53n - 500n });
    const store = open(IMPATIENT);
    const outcomes = await store.append(Array.from({ length: 5 }, () => event('ada')));
    expect(outcomes.map(summary)).toContain('failed unknown');
    await expect(store.read(0, 100)).rejects.toThrow('2^53');
  });

  it('is reported if a stream of ours holds an event that we did not write', async () => {
    const store = open();
    const foreign = EventStoreDBClient.connectionString(server.url);
    await foreign.appendToStream('laurel-2-guest', jsonEvent({ type: 'other', data: {} }));
    await foreign.dispose();
    await expect(store.read(0, 10)).rejects.toThrow('laurel-2-guest');
  });
});

describe('a restarted server', () => {
  it('holds everything, and sends append notifications again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-fake-'));
    const file = join(folder, 'events.ndjson');
    await server.stop();
    server = await startFakeEventStoreDb({ file });
    const { port } = server;
    const store = open();
    let hints = 0;
    store.onAppend(() => hints++);
    await store.append([event('ada', 'k'), event('bob')]);
    await until(() => hints > 0);
    await server.stop();
    server = await startFakeEventStoreDb({ file, port });
    const heard = hints;
    expect((await store.append([event('ada', 'k')])).map(summary)).toEqual(['used']);
    await until(() => hints > heard);
    expect(await store.read(0, 10)).toHaveLength(2);
    await rm(folder, { recursive: true });
  });
});
