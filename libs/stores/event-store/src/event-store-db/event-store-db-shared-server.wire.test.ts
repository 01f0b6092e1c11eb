import { EventLoopClock } from '@laurel/testing/clock';
import { subjectOf } from '@laurel/testing/subjects';
import { startFakeEventStoreDb, type FakeEventStoreDb } from '@laurel/testing/event-store-db';
import { event, fact, recordOf } from '../sample-records.fixture.ts';
import { WireStores } from './wire-stores.fixture.ts';

const MANY = 100_000;

let server: FakeEventStoreDb;
const stores = new WireStores(new EventLoopClock());
const open = () => stores.open(server.url);

beforeEach(async () => {
  server = await startFakeEventStoreDb();
});
afterEach(async () => {
  await stores.close();
  await server.stop();
});

describe('a server that other applications use too', () => {
  it('is read past all foreign events with one page and one subscription', async () => {
    server.log.addForeign(MANY, 'other');
    const [outcome] = await open().append([event('ada')]);
    server.log.addForeign(MANY, '$ce-laurel', '$>');
    const reader = open();
    const before = { ...server.calls };
    expect(await reader.read(0, 10)).toEqual([recordOf(outcome)]);
    expect(server.calls).toEqual({ ...before, read: before.read + 1, subscribe: before.subscribe + 1 });
    const { position } = recordOf(outcome);
    expect(await reader.read(position, 10)).toEqual([]);
    expect(server.calls).toEqual({ ...before, read: before.read + 2, subscribe: before.subscribe + 1 });
  });

  it('is searched once for our newest position, and then only its new events', async () => {
    const [outcome] = await open().append([event('ada')]);
    server.log.addForeign(10_000, 'other');
    const reader = open();
    const { position } = recordOf(outcome);
    const reads = async (): Promise<number> => {
      const before = server.calls.read;
      expect(await reader.head()).toBe(position);
      return server.calls.read - before;
    };
    expect(await reads()).toBeLessThanOrEqual(12);
    expect(await reads()).toBe(1);
    server.log.addForeign(5_000, 'other');
    expect(await reads()).toBeLessThanOrEqual(7);
    expect(await reads()).toBe(1);
  });

  it('is not searched for our newest position if a reader has passed it', async () => {
    const [outcome] = await open().append([event('ada')]);
    server.log.addForeign(10_000, 'other');
    const reader = open();
    await reader.read(0, 10);
    server.log.addForeign(10, 'other');
    const before = server.calls.read;
    expect(await reader.head()).toBe(recordOf(outcome).position);
    expect(server.calls.read - before).toBe(1);
  });

  it('has our newest position where a reader began, if none of our events followed', async () => {
    const writer = open();
    await writer.append([event('ada')]);
    const [outcome] = await writer.append([event('ada')]);
    server.log.addForeign(1_000, 'other');
    const reader = open();
    const { position } = recordOf(outcome);
    expect(await reader.read(position, 10)).toEqual([]);
    expect(await reader.head()).toBe(position);
  });

  it('is searched from where an interrupted search stopped', async () => {
    const [outcome] = await open().append([event('ada')]);
    server.log.addForeign(5_000, 'other');
    const reader = open();
    server.failNext('read', [...Array<'none'>(4).fill('none'), 'refused']);
    await expect(reader.head()).rejects.toThrow();
    const before = server.calls.read;
    expect(await reader.head()).toBe(recordOf(outcome).position);
    expect(server.calls.read - before).toBeLessThanOrEqual(4);
  });

  it('is searched once for all concurrent callers', async () => {
    const store = open();
    const [outcome] = await store.append([event('ada')]);
    const before = server.calls.read;
    const heads = await Promise.all(Array.from({ length: 60 }, () => store.head()));
    expect(new Set(heads)).toEqual(new Set([recordOf(outcome).position]));
    expect(server.calls.read - before).toBe(1);
  });

  it('returns our newest position even if it was appended during a search', async () => {
    const writer = open();
    await writer.append([event('ada')]);
    server.log.addForeign(5_000, 'other');
    const reader = open();
    const looking = reader.head();
    const before = server.calls.read;
    while (server.calls.read < before + 2) await new Promise((resolve) => setTimeout(resolve, 1));
    const [outcome] = await writer.append([event('ada')]);
    expect(await reader.head()).toBe(recordOf(outcome).position);
    await looking;
  });
});

describe('a long event store', () => {
  it('is read through one subscription, completely and in order, even with links between all events', async () => {
    const writer = open();
    const appended: number[] = [];
    for (let round = 0; round < 12; round++) {
      const outcomes = await writer.append(Array.from({ length: 50 }, (_, n) => event(`u${n}`)));
      appended.push(...outcomes.map((outcome) => recordOf(outcome).position));
      server.log.addForeign(100, '$ce-laurel', '$>');
    }
    const reader = open();
    const before = { ...server.calls };
    const seen: number[] = [];
    for (let more = true; more;) {
      const records = await reader.read(seen.at(-1) ?? 0, 40);
      seen.push(...records.map(({ position }) => position));
      more = records.length === 40;
    }
    expect(seen).toEqual(appended.sort((a, b) => a - b));
    expect(server.calls.subscribe - before.subscribe).toBe(1);
    // The first page, and one at the end for what was appended since the subscription caught up.
    expect(server.calls.read - before.read).toBe(2);
  });

  it('is read with everything that was appended since the subscription caught up', async () => {
    const writer = open();
    await writer.append(users(25));
    const reader = open();
    const first = await reader.read(0, 10);
    const second = await reader.read(first.at(-1)?.position ?? 0, 10);
    await writer.append(users(200));
    const rest = await reader.read(second.at(-1)?.position ?? 0, 1_000);
    expect(rest).toHaveLength(5 + 200);
  });

  it('is read further after the connection of its subscription was cut', async () => {
    await open().append(Array.from({ length: 300 }, (_, n) => event(`u${n}`)));
    const reader = open();
    const seen = [...(await reader.read(0, 50))];
    seen.push(...(await reader.read(seen.at(-1)?.position ?? 0, 50)));
    server.cut();
    for (;;) {
      const more = await reader.read(seen.at(-1)?.position ?? 0, 50).catch(() => null);
      if (more === null) continue;
      seen.push(...more);
      if (more.length < 50) break;
    }
    expect(seen.map(({ position }) => position)).toEqual((await open().read(0, 1_000)).map(({ position }) => position));
    expect(seen).toHaveLength(300);
  });

  it('is read in pages of account events when the process starts', async () => {
    const store = open();
    await store.append(
      Array.from({ length: 600 }, (_, n) => fact({ type: 'UsersSwept', subjects: [subjectOf(`u${n}`)] })),
    );
    const [published] = await store.append([fact({ type: 'ConfigurationPublished', version: 1, document: {} })]);
    const before = server.calls.read;
    expect(await store.readAccountEvents('default')).toHaveLength(601);
    expect(server.calls.read - before).toBe(2);
    expect(await store.readAccountEvents('default', ['ConfigurationPublished'])).toEqual([recordOf(published)]);
  });
});

describe('a burst of appends', () => {
  it('leaves calls free for reads', async () => {
    const store = open();
    store.onAppend(() => undefined);
    const appending = store.append(Array.from({ length: 400 }, (_, n) => event(`u${n}`)));
    const read = await Promise.all(Array.from({ length: 4 }, () => store.read(0, 1)));
    expect(read).toHaveLength(4);
    await appending;
    expect(server.mostOpen).toBeLessThan(100);
    expect(server.mostOpen).toBeGreaterThan(80);
  });
});

const users = (count: number) => Array.from({ length: count }, (_, n) => event(`u${n}`));
