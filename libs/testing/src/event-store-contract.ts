import { subjectOf } from '@laurel/ports/fixtures';
import { parseAmount } from '@laurel/amounts';
import {
  MOST_POINTS_MOVED,
  type DomainEvent,
  type RecordedEvent,
  type MetricEventRecorded,
  type NewRecord,
  type UserFields,
  type UserRef,
} from '@laurel/kernel';
import {
  byKeyHash,
  keyHashOf,
  originalAmong,
  requestDecided,
  textOfRecord,
  type AppendOutcome,
  type EventStore,
  type UsedKey,
} from '@laurel/event-store';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';

/** An adapter for the suite: processes that share one log, which is empty at first. */
export interface EventStoreUnderTest {
  /** Opens the log in one more process. */
  open(): Promise<EventStore>;
  /** From now on, no process gets the user's data key. */
  destroyKey(user: UserRef): void;
  close(): Promise<void>;
}

/** The contract of the event store port, for every adapter. Call it in a test of the adapter. */
export function describeEventStoreContract(adapter: string, create: () => Promise<EventStoreUnderTest>): void {
  describe(`the event store contract, kept by ${adapter}`, () => {
    let log: EventStoreUnderTest;
    let store: EventStore;

    beforeEach(async () => {
      log = await create();
      store = await log.open();
    });
    afterEach(() => log.close());

    describe('the order of appended events', () => {
      it('is the order of their positions, whichever process appends', async () => {
        const other = await log.open();
        expect(await store.head()).toBe(0);
        const appended: RecordedEvent[] = [];
        for (let round = 0; round < 3; round++) {
          appended.push(...(await appendAll(store, [event('ada'), event('ada')])));
          appended.push(...(await appendAll(other, [event('ada')])));
        }
        expect(appended.map(({ position }) => position)).toEqual(ascending(appended));
        expect(await store.head()).toBe(appended.at(-1)?.position);
        expect(await other.head()).toBe(await store.head());
      });

      it("is kept for each user's events in a call, and for events without a user", async () => {
        const records = [0, 1, 2, 3, 4, 5].flatMap((n) => [
          event('ada', n % 2 === 0 ? `k${n}` : null),
          event('bob'),
          record({ type: 'ConfigurationPublished', version: n + 1, document: {} }),
          event('eve', `k${n}`),
        ]);
        await appendAll(store, records);
        const read = await store.read(0, 100);
        expect(read).toHaveLength(records.length);
        for (const owner of ['ada', 'bob', 'eve', null])
          expect(idsOf(read.filter(ownedBy(owner)))).toEqual(idsOf(records.filter(ownedBy(owner))));
      });

      it('never lets an event appear behind a reader, however writers and reader interleave', async () => {
        const writers = [store, await log.open(), await log.open()];
        const seen: number[] = [];
        let writing = true;
        const readOn = async (): Promise<number> => {
          const records = await store.read(seen.at(-1) ?? 0, 7);
          seen.push(...records.map(({ position }) => position));
          return records.length;
        };
        const reading = (async () => {
          while (writing || (await readOn()) > 0) await readOn();
        })();
        const write = async (writer: EventStore, name: number): Promise<void> => {
          for (let call = 0; call < 12; call++)
            await appendAll(writer, [event(`a${name}`), event('b', `${name}-${call}`), event('c')]);
        };
        await Promise.all(writers.map(write));
        writing = false;
        await reading;
        expect(seen).toEqual((await store.read(0, 1_000)).map(({ position }) => position));
        expect(new Set(seen).size).toBe(3 * 12 * 3);
      });
    });

    describe('reading', () => {
      it('returns every type of event exactly as it was appended, in any process', async () => {
        const appended = await appendAll(
          store,
          EVERY_EVENT.map((fact) => record(fact)),
        );
        expect(appended.map(({ fact }) => fact)).toEqual(EVERY_EVENT);
        const other = await log.open();
        expect(inOrder(await other.read(0, 100))).toEqual(inOrder(appended));
      });

      it('returns every instant and version exactly', async () => {
        const instants = [0, 1, AT, AT + 1, Date.parse('2099-12-31T23:59:59.999Z')];
        const records = instants.map((at, index) => ({
          ...event('ada'),
          occurredAt: at,
          recordedAt: at + index,
          configurationVersion: index + 1,
        }));
        const appended = await appendAll(store, records);
        expect(await store.read(0, 100)).toEqual(appended);
        expect(appended.map(({ position: _, ...rest }) => rest)).toEqual(records);
      });

      it('continues after a position, with at most as many events as requested', async () => {
        const appended: RecordedEvent[] = [];
        for (const user of ['a', 'b', 'c', 'd', 'e'])
          appended.push(...(await appendAll(store, [event(user, user === 'c' ? 'k' : null)])));
        const placeOf = (index: number): number => appended[index]?.position ?? 0;
        expect(await store.read(placeOf(0), 2)).toEqual(appended.slice(1, 3));
        expect(await store.read(placeOf(1), 100)).toEqual(appended.slice(2));
        expect(await store.read(placeOf(4), 2)).toEqual([]);
        expect(await store.read(0, 1)).toEqual(appended.slice(0, 1));
      });

      it('returns events without a user per account, in order', async () => {
        const facts = [record({ type: 'ImportOpened' }), record({ type: 'ImportClosed', cause: 'finished' })];
        const elsewhere = { ...record({ type: 'ImportOpened' }), account: 'other' };
        const [, first, , second] = await appendAll(store, [
          event('ada'),
          facts[0] as NewRecord,
          elsewhere,
          facts[1] as NewRecord,
        ]);
        expect(await store.readAccountEvents('default')).toEqual([first, second]);
        expect(await store.readAccountEvents('default', ['ImportClosed', 'UsersSwept'])).toEqual([second]);
        expect(await store.readAccountEvents('default', [])).toEqual([]);
        expect(await store.readAccountEvents('nobody')).toEqual([]);
      });
    });

    describe('an idempotency key', () => {
      it('of an event without a user is used once, and such an event is not among those of the account', async () => {
        const decided = (eventId: string): NewRecord =>
          record(requestDecided('default', { position: 1, eventId }, { accepted: false, available: 40 }));
        const [first, other] = [randomUUID(), randomUUID()];
        const [kept] = await appendAll(store, [decided(first)]);
        const outcomes = await store.append([decided(first), decided(other)]);
        expect(outcomes).toMatchObject([
          { kind: 'used', original: { eventId: kept?.eventId, subject: 0, position: kept?.position } },
          { kind: 'recorded' },
        ]);
        expect(await store.readAccountEvents('default')).toEqual([]);
        expect((await store.read(0, 9)).map(({ fact }) => fact)).toEqual([kept?.fact, decided(other).fact]);
      });

      it('that has been used prevents its event, while the others of the call are recorded', async () => {
        const [used] = await appendAll(store, [event('ada', 'k1')]);
        const outcomes = await store.append([event('bob'), event('ada', 'k1'), event('eve'), event('ada', 'k2')]);
        expect(outcomes.map(({ kind }) => kind)).toEqual(['recorded', 'used', 'recorded', 'recorded']);
        expect(outcomes[1]).toEqual({ kind: 'used', original: usedKey(used) });
        expect(await store.read(0, 100)).toHaveLength(4);
      });

      it('belongs to the first event that uses it within a call', async () => {
        const [first, second, third] = [event('ada', 'k'), event('ada', 'k'), event('ada', 'k')];
        const outcomes = await store.append([event('ada'), first, second, event('bob', 'k'), third]);
        expect(outcomes.map(({ kind }) => kind)).toEqual(['recorded', 'recorded', 'used', 'recorded', 'used']);
        const original = usedKey(recordedOf(outcomes[1]));
        expect([outcomes[2], outcomes[4]]).toEqual(Array(2).fill({ kind: 'used', original }));
      });

      it('is won by exactly one of many concurrent appends through several processes', async () => {
        const stores = [store, await log.open(), await log.open()];
        for (let round = 0; round < 5; round++) {
          const calls = stores.flatMap((one) =>
            [one, one, one].map((same) => same.append([event('ada', `k${round}`)])),
          );
          const outcomes = (await Promise.all(calls)).flat();
          const winners = outcomes.filter(({ kind }) => kind === 'recorded');
          expect(winners).toHaveLength(1);
          const original = usedKey(recordedOf(winners[0]));
          expect(outcomes.filter(({ kind }) => kind === 'used')).toEqual(Array(8).fill({ kind: 'used', original }));
        }
        expect(await store.read(0, 100)).toHaveLength(5);
      });

      it('of an event that is appended again leads to the recorded event', async () => {
        const keyed = event('ada', 'k');
        const [recorded] = await appendAll(store, [keyed]);
        expect(await appendAll(store, [keyed])).toEqual([recorded]);
        expect(await appendAll(await log.open(), [keyed, keyed])).toEqual([recorded, recorded]);
        expect(await store.read(0, 100)).toEqual([recorded]);
      });

      it('is separate per account, metric and user', async () => {
        const same = event('ada', 'k');
        const scope = { account: 'default', subject: subjectOf('ada'), metric: 'words', key: 'k' };
        const others = [
          { ...scope, metric: 'other' },
          { ...scope, account: 'other' },
          { ...scope, metric: 'word', key: 'sk' },
          { ...scope, account: 'defaul', metric: 'twords' },
        ].map(({ key, ...where }) => ({
          ...record({ ...(same.fact as MetricEventRecorded), ...where, keyHash: keyHashOf({ ...where, key }) }),
          account: where.account,
        }));
        await appendAll(store, [same, event('bob', 'k'), event('Ada', 'k'), ...others]);
        expect(await store.read(0, 100)).toHaveLength(7);
      });

      it('can be looked up to find its event', async () => {
        const [used, other] = await appendAll(store, [event('ada', 'k'), event('bob', 'ключ\u0001/ %')]);
        const scope = { account: 'default', subject: subjectOf('ada'), metric: 'words' };
        const found = await store.findKeys([
          keyHashOf({ ...scope, key: 'k' }),
          keyHashOf({ ...scope, key: 'K' }),
          keyHashOf({ ...scope, subject: subjectOf('Ada'), key: 'k' }),
          keyHashOf({ ...scope, subject: subjectOf('bob'), key: 'ключ\u0001/ %' }),
        ]);
        expect(new Map(found.map((key) => [key.eventId, key]))).toEqual(
          new Map([used, other].map(usedKey).map((key) => [key.eventId, key])),
        );
        expect(await store.findKeys([])).toEqual([]);
      });

      it('can be looked up in the encoding of an earlier release', async () => {
        const [recorded] = await appendAll(store, [event('ada', ' schlÃ¼ssel')]);
        const hashes = [' schlüssel', 'schlüssel', ' schlÃ¼ssel'].map((key) =>
          keyHashOf({ account: 'default', subject: subjectOf('ada'), metric: 'words', key }),
        );
        const used = await store.findKeys(hashes);
        expect(used).toEqual([usedKey(recorded)]);
        expect(originalAmong(hashes, byKeyHash(used))).toEqual(used[0]);
      });

      it('counts once, whatever several processes append concurrently', async () => {
        const stores = [store, await log.open()];
        const used = new Set<string>();
        let plain = 0;
        const call = fc.array(fc.record({ user: fc.constantFrom('a', 'b', '__proto__'), key: KEY }), { maxLength: 6 });
        await fc.assert(
          fc.asyncProperty(fc.array(fc.tuple(fc.nat(1), call), { maxLength: 6 }), async (calls) => {
            const outcomes = await Promise.all(
              calls.map(([index, events]) =>
                (stores[index] as EventStore).append(events.map(({ user, key }) => event(user, key))),
              ),
            );
            for (const [index, [, events]] of calls.entries())
              for (const [place, { user, key }] of events.entries()) {
                const { kind } = outcomes[index]?.[place] as AppendOutcome;
                if (key === null) plain += 1;
                if (key !== null && kind === 'recorded') {
                  expect(used.has(`${key} of ${user}`)).toBe(false);
                  used.add(`${key} of ${user}`);
                } else expect(kind).toBe(key === null ? 'recorded' : 'used');
              }
          }),
          { numRuns: 15 },
        );
        expect(await store.read(0, 10_000)).toHaveLength(used.size + plain);
      });
    });

    describe('personal fields', () => {
      const ada = { account: 'default', subject: subjectOf('ada') };
      const said = { name: 'Ada', email: 'ada@example.org', deviceTokens: ['t'], attributes: new Map([['a', null]]) };
      const readAll = async (): Promise<readonly RecordedEvent[]> => inOrder(await (await log.open()).read(0, 100));

      it('are gone once the data key is destroyed, while everything else stays', async () => {
        const appended = await appendAll(store, [
          withUser(event('ada', 'k'), { ...said, tz: 'Asia/Tokyo' }),
          withUser(event('bob'), said),
          withUser(event('ada'), { name: null, tz: null }),
        ]);
        log.destroyKey(ada);
        const [first, second, third] = inOrder(appended) as [RecordedEvent, RecordedEvent, RecordedEvent];
        const left = [withUser(first, { tz: 'Asia/Tokyo' }), second, withUser(third, { tz: null })];
        expect(await readAll()).toEqual(left);
      });

      it('include the reason of a grant', async () => {
        const grant = { kind: 'points', system: 'xp', amount: 5n } as const;
        const fact = { type: 'GrantRecorded', subject: ada.subject, grant, keyHash: null, by: 'local' } as const;
        await appendAll(store, [{ ...event('ada'), fact: { ...fact, reason: 'Ada rang' } }]);
        expect((await readAll())[0]?.fact).toEqual({ ...fact, reason: 'Ada rang' });
        log.destroyKey(ada);
        expect((await readAll())[0]?.fact).toEqual(fact);
      });

      it('include the reason and the reference of a spend', async () => {
        const fact = {
          type: 'SpendRequested',
          subject: ada.subject,
          ...{ system: 'xp', amount: 5 },
          keyHash: keyHashOf({ account: 'default', subject: ada.subject, metric: 'spend:xp', key: 'k' }),
          verdict: { accepted: true, amount: 5, moved: 5 },
        } as const;
        await appendAll(store, [
          { ...event('ada'), fact: { ...fact, reason: 'A hat for Ada', reference: 'order of Ada' } },
        ]);
        expect((await readAll())[0]?.fact).toEqual({ ...fact, reason: 'A hat for Ada', reference: 'order of Ada' });
        log.destroyKey(ada);
        expect((await readAll())[0]?.fact).toEqual(fact);
      });

      it('include the reason of a correction', async () => {
        const fact = {
          type: 'CorrectionRecorded',
          subject: ada.subject,
          corrections: [{ position: 1, eventId: randomUUID(), retract: true }],
          achievements: 'recompute',
          finalRuns: 'keep',
          preview: 'p',
          keyHash: null,
          by: 'local',
        } as const;
        await appendAll(store, [{ ...event('ada'), fact: { ...fact, reason: 'Ada rang' } }]);
        expect((await readAll())[0]?.fact).toEqual({ ...fact, reason: 'Ada rang' });
        log.destroyKey(ada);
        expect((await readAll())[0]?.fact).toEqual(fact);
      });

      it('are not stored without a data key, while the event is', async () => {
        log.destroyKey(ada);
        const appended = await appendAll(store, [withUser(event('ada'), { ...said, tz: 'Asia/Tokyo' }), event('bob')]);
        const [first, second] = inOrder(appended) as [RecordedEvent, RecordedEvent];
        expect(await readAll()).toEqual([withUser(first, { tz: 'Asia/Tokyo' }), second]);
      });

      it('are hashed in sealed form, so that the hash outlives the data key', async () => {
        const appended = inOrder(await appendAll(store, [withUser(event('ada', 'k'), said), event('bob')]));
        const before = await store.readStored(0, 10);
        expect(before.map(({ position, eventId }) => [position, eventId])).toEqual(
          appended.map(({ position, eventId }) => [position, eventId]),
        );
        expect(before.map(({ personal }) => personal === null)).toEqual(
          appended.map(({ fact }) => (fact as MetricEventRecorded).user.name === undefined),
        );
        log.destroyKey(ada);
        const after = await (await log.open()).readStored(0, 10);
        expect(after.map(textOfRecord)).toEqual(before.map(textOfRecord));
        expect(await store.readStored(before[0]?.position ?? 0, 1)).toEqual([before[1]]);
      });

      it('leave used idempotency keys in use when they are gone', async () => {
        const keyed = withUser(event('ada', 'k'), said);
        const [first] = await appendAll(store, [keyed]);
        log.destroyKey(ada);
        const again = { ...keyed, eventId: randomUUID() };
        expect(await (await log.open()).append([again])).toEqual([{ kind: 'used', original: usedKey(first) }]);
      });
    });

    it('an empty call appends nothing', async () => {
      expect(await store.append([])).toEqual([]);
      expect(await store.head()).toBe(0);
    });

    it('listeners are notified of appends by any process until they unsubscribe', async () => {
      const other = await log.open();
      let heard = 0;
      let stoppedHeard = 0;
      other.onAppend(() => stoppedHeard++)();
      other.onAppend(() => heard++);
      // A hint may be missed, especially before the listener is connected, so append until one arrives.
      while (heard === 0) {
        await appendAll(store, [event('ada')]);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      const before = heard;
      while (heard === before) {
        await appendAll(store, [event('ada')]);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(stoppedHeard).toBe(0);
    });

    it('closing settles accepted appends, and refuses further ones', async () => {
      const other = await log.open();
      const appending = Promise.all([other.append([event('ada')]), other.append([event('bob')])]);
      await other.close();
      expect((await appending).flat().map(({ kind }) => kind)).toEqual(['recorded', 'recorded']);
      await expect(other.append([event('ada')])).rejects.toThrow('closed');
      expect(await store.read(0, 10)).toHaveLength(2);
    });
  });
}

const KEY = fc.option(fc.constantFrom('k', '__proto__', 'K'), { nil: null });

/** @throws Error unless all records were recorded. */
async function appendAll(store: EventStore, records: readonly NewRecord[]): Promise<readonly RecordedEvent[]> {
  return (await store.append(records)).map(recordedOf);
}

function recordedOf(outcome: AppendOutcome | undefined): RecordedEvent {
  if (outcome?.kind !== 'recorded') throw new Error(`not recorded, but ${JSON.stringify(outcome)}`);
  return outcome.record;
}

function usedKey(original: RecordedEvent | undefined): UsedKey {
  const { account, eventId, position, occurredAt, fact } = original as RecordedEvent<MetricEventRecorded>;
  return { account, subject: fact.subject, keyHash: fact.keyHash ?? '', eventId, position, occurredAt };
}

const ascending = (records: readonly RecordedEvent[]): number[] =>
  [...new Set(records.map(({ position }) => position))].sort((a, b) => a - b);

const inOrder = (records: readonly RecordedEvent[]): RecordedEvent[] =>
  [...records].sort((a, b) => a.position - b.position);

const idsOf = (records: readonly NewRecord[]): string[] => records.map(({ eventId }) => eventId);

const ownedBy =
  (owner: string | null) =>
  ({ fact }: NewRecord): boolean =>
    owner === null ? !('subject' in fact) : 'subject' in fact && fact.subject === subjectOf(owner);

const AT = Date.parse('2026-03-01T12:00:00.123Z');

const record = (fact: DomainEvent): NewRecord => ({
  eventId: randomUUID(),
  account: 'default',
  configurationVersion: 1,
  occurredAt: AT,
  recordedAt: AT + 5,
  fact,
});

const event = (user: string, key: string | null = null): NewRecord =>
  record({
    type: 'MetricEventRecorded',
    subject: subjectOf(user),
    metric: 'words',
    value: 1_000_000n,
    user: {},
    attributes: new Map(),
    keyHash: key === null ? null : keyHashOf({ account: 'default', subject: subjectOf(user), metric: 'words', key }),
    imported: false,
  });

const withUser = <Stored extends NewRecord>(stored: Stored, user: UserFields): Stored => ({
  ...stored,
  fact: { ...stored.fact, user },
});

const EVERY_EVENT: readonly DomainEvent[] = [
  {
    type: 'MetricEventRecorded',
    subject: subjectOf('__proto__ \u{1F33F} "\\'),
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
      attributeLimit: 50,
    },
    attributes: new Map([
      ['constructor', ''],
      ['b', 'c'],
      ['a', 'd'],
    ]),
    keyHash: keyHashOf({ account: 'default', subject: 1, metric: 'words', key: 'ключ\u0001' }),
    imported: true,
  },
  {
    type: 'MetricEventRecorded',
    subject: subjectOf('u'),
    metric: 'words',
    value: 1n,
    user: {},
    attributes: new Map(),
    keyHash: null,
    imported: false,
    receiptOnly: true,
  },
  {
    type: 'UserIdentified',
    subject: subjectOf('u'),
    user: { name: 'Ada', tz: null, subscribeToEmails: false, deviceTokens: ['\u{1F33F}', ''] },
  },
  { type: 'AchievementCompletedByCall', subject: subjectOf('u'), achievement: 'profile', user: {} },
  {
    type: 'GrantRecorded',
    subject: subjectOf('u'),
    grant: { kind: 'points', system: '__proto__', amount: -(2n ** 60n), boards: false },
    keyHash: keyHashOf({ account: 'default', subject: 1, metric: 'grant:points', key: 'k' }),
    by: 'local',
    reason: 'Ada rang \u{1F33F}',
  },
  {
    type: 'GrantRecorded',
    subject: subjectOf('u'),
    grant: { kind: 'points', system: 'xp', amount: 1n },
    keyHash: null,
  },
  {
    ...{ type: 'GrantRecorded', subject: subjectOf('u'), keyHash: null, by: 'local' },
    grant: { kind: 'freezes', amount: 100 },
  },
  ...([{ until: Date.parse('2026-03-09T00:00:00.001Z') }, { minutes: 60 }] as const).map((lasts): DomainEvent => ({
    ...{ type: 'GrantRecorded', subject: subjectOf('u'), keyHash: null, by: 'local', reason: 'Ada won.' },
    grant: { kind: 'boost', system: '__proto__', name: 'Happy \u{1F33F}', multiplier: 115, rounding: 'nearest', lasts },
  })),
  { type: 'GrantRecorded', subject: subjectOf('u'), grant: { kind: 'streak' }, keyHash: null, by: 'local' },
  {
    ...{ type: 'GrantRecorded', subject: subjectOf('u'), keyHash: null, by: 'local' },
    grant: { kind: 'excused', from: '2024-02-29', to: '2024-03-01' },
  },
  ...(['achievement', 'revocation'] as const).map((kind): DomainEvent => ({
    ...{ type: 'GrantRecorded', subject: subjectOf('u'), keyHash: null, by: 'local' },
    grant: { kind, achievement: '__proto__' },
  })),
  {
    ...{ type: 'SpendRequested', subject: subjectOf('u'), system: '__proto__', amount: MOST_POINTS_MOVED },
    keyHash: keyHashOf({ account: 'default', subject: 1, metric: 'spend:xp', key: 'k' }),
    verdict: { accepted: true, amount: MOST_POINTS_MOVED, moved: MOST_POINTS_MOVED },
    reason: 'For Ada \u{1F33F}',
    reference: 'order of Ada',
  },
  {
    ...{ type: 'SpendRequested', subject: subjectOf('u'), system: 'xp', amount: 1 },
    keyHash: keyHashOf({ account: 'default', subject: 1, metric: 'spend:xp', key: 'l' }),
    verdict: { accepted: false, available: 0 },
  },
  {
    ...{ type: 'RefundRequested', subject: subjectOf('u'), system: 'xp', amount: null },
    spend: { position: 2 ** 40, eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a', spent: 5 },
    keyHash: keyHashOf({ account: 'default', subject: 1, metric: 'refund:s', key: 'k' }),
    reason: 'Ada rang',
  },
  {
    type: 'CorrectionRecorded',
    subject: subjectOf('u'),
    corrections: [
      { position: 1, eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a', retract: true },
      { position: 2 ** 40, eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6b', value: -(2n ** 60n) },
      { position: 3, eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6c', value: 1n, occurredAt: 1_772_000_000_123 },
    ],
    achievements: 'keep',
    finalRuns: 'change',
    preview: '0123456789abcdef0123456789abcdef',
    keyHash: keyHashOf({ account: 'default', subject: 1, metric: 'correction:', key: 'k' }),
    by: 'local',
    reason: 'Ada rang \u{1F33F}',
  },
  {
    ...{ type: 'CorrectionRecorded', subject: subjectOf('u'), keyHash: null },
    corrections: [{ position: 3, eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6c', occurredAt: 1_772_000_000_000 }],
    ...{ achievements: 'recompute', finalRuns: 'keep', preview: '0123456789abcdef0123456789abcdef' },
  },
  { type: 'UserErased', subject: subjectOf('erased'), boards: 'remove', by: 'local', reason: 'asked for' },
  { type: 'UserErased', subject: subjectOf('erased without a name'), boards: 'anonymous' },
  { type: 'UsersSwept', subjects: [subjectOf('a'), subjectOf('b')] },
  { type: 'ImportOpened' },
  { type: 'ImportOpened', unboundedAwards: true },
  { type: 'ImportOpened', outgoing: true },
  { type: 'ImportOpened', by: 'local', reason: 'до 2026 \u{1F33F}' },
  { type: 'ImportClosed', cause: 'idle' },
  { type: 'ImportClosed', cause: 'finished', by: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a', reason: 'done' },
  { type: 'ConfigurationPublished', version: 3, document: { version: 1, metrics: [{ key: 'a', name: 'b' }] } },
  { type: 'ConfigurationPublished', version: 4, document: null, by: 'start', reason: 'because' },
  {
    type: 'ApiKeyCreated',
    id: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a',
    label: '\u{1F33F} web',
    scopes: ['ingest', 'read'],
    expiresAt: Date.UTC(2027, 0, 1) + 1,
    requestsPerMinute: 60,
    by: 'local',
    reason: 'a new shop',
  },
  { type: 'ApiKeyCreated', id: 'environment', label: '', scopes: [], expiresAt: null, requestsPerMinute: null },
  { type: 'ApiKeyRevoked', id: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a', by: 'local', reason: 'it leaked' },
  { type: 'ApiKeyRevoked', id: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a' },
  {
    type: 'WebhookChanged',
    id: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6b',
    change: 'changed',
    origin: 'https://example.com',
    types: ['streak.lost'],
    by: 'local',
  },
  {
    type: 'WebhookChanged',
    id: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6b',
    change: 'disabled',
    origin: 'https://example.com:8443',
    types: null,
    failure: { status: null, error: 'was not answered within 15 s' },
    by: 'process',
    reason: 'nothing has arrived for five days',
  },
  { type: 'LeaderboardRunStarted', board: 'weekly', run: '2026-03-02' },
  {
    ...{ type: 'RequestDecided', request: { position: 2 ** 40, eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a' } },
    verdict: { accepted: true, amount: 60, moved: 60 },
    keyHash: keyHashOf({ account: 'default', subject: 0, metric: 'decision:', key: 'one' }),
  },
  {
    ...{ type: 'RequestDecided', request: { position: 7, eventId: '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6b' } },
    verdict: { accepted: false, available: 40 },
    keyHash: keyHashOf({ account: 'default', subject: 0, metric: 'decision:', key: 'other' }),
  },
  { type: 'LeaderboardRunEnded', board: '__proto__', run: '2024-02-29' },
  { type: 'BoostStarted', system: 'xp', boost: 'weekend' },
  { type: 'BoostFinished', system: '__proto__', boost: 'constructor' },
];
