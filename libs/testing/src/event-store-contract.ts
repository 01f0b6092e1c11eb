import { parseAmount } from '@laurel/amounts';
import type { Fact, MetricEventRecorded, NewRecord } from '@laurel/contracts';
import { DuplicateKeyError, FencedError, type EventStore } from '@laurel/event-store';
import { randomUUID } from 'node:crypto';

/** What the suite asks of an adapter: writers on one and the same empty log. */
export interface EventStoreUnderTest {
  /** Takes the log over, as a process that starts does; the writers opened before are fenced from then on. */
  open(): Promise<EventStore>;
  close(): Promise<void>;
}

/**
 * The contract of the event store port, for every adapter: call it in a spec of the adapter.
 */
export function describeEventStoreContract(adapter: string, create: () => Promise<EventStoreUnderTest>): void {
  describe(`the event store contract, kept by ${adapter}`, () => {
    let log: EventStoreUnderTest;
    let store: EventStore;

    beforeEach(async () => {
      log = await create();
      store = await log.open();
    });
    afterEach(() => log.close());

    it('gives records positions that grow in the order of appending', async () => {
      const first = await store.append([event('ada'), event('bob')]);
      const second = await store.append([event('ada')]);
      const positions = [...first, ...second].map(({ position }) => position);
      expect(positions).toHaveLength(3);
      expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
      expect(await store.head()).toBe(positions.at(-1));
    });

    it('reads back every kind of fact exactly as it was appended', async () => {
      const facts = EVERY_FACT.map((fact) => record(fact));
      const appended = await store.append(facts);
      expect(await store.read(0, 100)).toEqual(appended);
      expect(appended.map(({ fact }) => fact)).toEqual(EVERY_FACT);
    });

    it('reads on behind a position, at most as many as asked', async () => {
      const appended = await store.append([event('a'), event('b'), event('c'), event('d')]);
      const after = appended[0]?.position ?? 0;
      expect(await store.read(after, 2)).toEqual(appended.slice(1, 3));
      expect(await store.read(appended[3]?.position ?? 0, 2)).toEqual([]);
    });

    it('keeps the facts that concern no single user apart, per account', async () => {
      const opened = record({ type: 'ImportOpened' });
      const [, kept] = await store.append([
        event('ada'),
        opened,
        { ...record({ type: 'ImportOpened' }), account: 'other' },
      ]);
      expect(await store.readAccountFacts('default')).toEqual([kept]);
    });

    it('appends all or nothing when an idempotency key has been used', async () => {
      await store.append([event('ada', 'k1')]);
      await expect(store.append([event('bob'), event('ada', 'k1'), event('eve')])).rejects.toThrow(DuplicateKeyError);
      await expect(store.append([event('bob', 'k2'), event('bob', 'k2')])).rejects.toThrow(DuplicateKeyError);
      expect(await store.read(0, 100)).toHaveLength(1);
    });

    it('keeps keys apart by account, metric and user', async () => {
      const same = event('ada', 'k');
      const otherMetric = record({ ...(same.fact as MetricEventRecorded), metric: 'other' });
      const otherAccount = { ...record(same.fact), account: 'other' };
      await store.append([same, event('bob', 'k'), otherMetric, otherAccount]);
      expect(await store.read(0, 100)).toHaveLength(4);
    });

    it('finds the events of used keys, and only those', async () => {
      const [used] = await store.append([event('ada', 'k')]);
      const scope = { account: 'default', userId: 'ada', metric: 'words' };
      expect(
        await store.findKeys([
          { ...scope, key: 'k' },
          { ...scope, key: 'K' },
          { ...scope, userId: 'Ada', key: 'k' },
        ]),
      ).toEqual([
        {
          scope: { ...scope, key: 'k' },
          eventId: used?.eventId,
          position: used?.position,
          occurredAt: used?.occurredAt,
        },
      ]);
    });

    it('tells which of some events are recorded', async () => {
      const [first, second] = await store.append([event('a'), event('b')]);
      const ids = [first?.eventId ?? '', second?.eventId ?? '', randomUUID()];
      expect(await store.findEvents(ids, 0)).toEqual(new Set(ids.slice(0, 2)));
      expect(await store.findEvents(ids, first?.position ?? 0)).toEqual(new Set(ids.slice(1, 2)));
    });

    it('lets only the newest writer append', async () => {
      await store.append([event('ada')]);
      const successor = await log.open();
      await expect(store.append([event('bob')])).rejects.toThrow(FencedError);
      await successor.append([event('eve')]);
      expect((await successor.read(0, 100)).map(({ fact }) => 'userId' in fact && fact.userId)).toEqual(['ada', 'eve']);
    });

    it('never lets a record appear behind a reader, however appends and reads interleave', async () => {
      const seen: number[] = [];
      let writing = true;
      const reading = (async () => {
        while (writing || seen.length < 60)
          for (const { position } of await store.read(seen.at(-1) ?? 0, 7)) seen.push(position);
      })();
      for (let batch = 0; batch < 20; batch++) await store.append([event('a'), event('b'), event('c')]);
      writing = false;
      await reading;
      expect(seen).toEqual((await store.read(0, 100)).map(({ position }) => position));
    });
  });
}

const AT = Date.parse('2026-03-01T12:00:00.123Z');

const record = (fact: Fact): NewRecord => ({
  eventId: randomUUID(),
  account: 'default',
  configurationVersion: 1,
  occurredAt: AT,
  recordedAt: AT + 5,
  fact,
});

const event = (userId: string, idempotencyKey: string | null = null): NewRecord =>
  record({
    type: 'MetricEventRecorded',
    userId,
    metric: 'words',
    value: 1_000_000n,
    user: {},
    attributes: new Map(),
    idempotencyKey,
    imported: false,
  });

const EVERY_FACT: readonly Fact[] = [
  {
    type: 'MetricEventRecorded',
    userId: '__proto__ \u{1F33F} "\\',
    metric: '__proto__',
    value: parseAmount('-999999999.000001'),
    user: {
      name: null,
      email: 'a@example.org',
      tz: 'Asia/Kathmandu',
      attributes: new Map([
        ['__proto__', 'x'],
        ['10', null],
        ['2', '\u{10FFFF}'],
      ]),
    },
    attributes: new Map([
      ['constructor', ''],
      ['b', 'c'],
      ['a', 'd'],
    ]),
    idempotencyKey: 'ключ\u0001',
    imported: true,
  },
  { type: 'UserIdentified', userId: 'u', user: { name: 'Ada' } },
  { type: 'AchievementCompletedByCall', userId: 'u', achievement: 'profile', user: {} },
  { type: 'UsersSwept', userIds: ['a', 'b'] },
  { type: 'ImportOpened' },
  { type: 'ImportClosed', reason: 'idle' },
  { type: 'ConfigurationPublished', version: 3, document: { version: 1, metrics: [{ key: 'a', name: 'b' }] } },
];
