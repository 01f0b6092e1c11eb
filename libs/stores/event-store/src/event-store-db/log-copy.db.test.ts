import { parseAmount } from '@laurel/amounts';
import { StoreUnavailableError, type NewRecord, type SqlReader } from '@laurel/kernel';
import { systemClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { startFakeEventStoreDb } from '@laurel/testing/event-store-db';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { findPosition } from '../chain/find-event.ts';
import { BLOCK, EMPTY_CHAIN, chained } from '../chain/log-chain.ts';
import { LogProofs } from '../chain/log-proofs.ts';
import { rootOf } from '../chain/merkle-tree.ts';
import { catchUpChain, readChain } from '../chain/postgres-chain.ts';
import { textOfRecord, type StoredLog, type StoredRecord } from '../stored-record.ts';
import { includes, MemoryDataKeys } from '../fixtures/index.ts';
import { keyHashOf } from '../key-hash.ts';
import { eventStoreMigrations } from '../migrations.ts';
import { COPIED_LOG } from '../postgres/log-tables.ts';
import { PostgresLogReader } from '../postgres/postgres-log-reader.ts';
import { EventStoreDbEventStore } from './event-store-db-event-store.ts';
import { HOLD_COPY, LogCopy } from './log-copy.ts';

const RECORDS = 2 * BLOCK + 52;

/** Every third has a key, which names its stream; every eleventh says something of its user, and every hundredth concerns nobody. */
const record = (n: number): NewRecord => ({
  ...{ eventId: randomUUID(), account: n % 5 === 0 ? 'another' : 'default', configurationVersion: 1 },
  ...{ occurredAt: 1_000 + n, recordedAt: 2_000 + n },
  fact: n % 100 === 99 ? { type: 'ImportOpened', by: 'me' } : metricEvent(n),
});

const metricEvent = (n: number): NewRecord['fact'] => ({
  ...{ type: 'MetricEventRecorded', subject: 1 + (n % 7), metric: 'words', value: parseAmount(`${n}.50`) },
  ...{ user: n % 11 === 0 ? { name: `user ${n}`, tz: 'Europe/Berlin' } : {}, attributes: new Map(), imported: false },
  keyHash: n % 3 === 0 ? keyHashOf({ account: 'default', subject: 1, metric: 'words', key: String(n) }) : null,
});

describe('the copy of an event store in EventStoreDB', () => {
  const keys = new MemoryDataKeys();
  let database: TestDatabase;
  let server: Awaited<ReturnType<typeof startFakeEventStoreDb>>;
  let store: EventStoreDbEventStore;
  let records: readonly StoredRecord[];
  /** A database with the whole copy, for tests that only read it. */
  let whole: TestDatabase;

  beforeAll(async () => {
    server = await startFakeEventStoreDb();
    store = new EventStoreDbEventStore(server.url, systemClock, keys);
    for (let from = 0; from < RECORDS; from += 300)
      await store.append(Array.from({ length: Math.min(300, RECORDS - from) }, (_, n) => record(from + n)));
    records = await store.readStored(0, 2 * RECORDS);
    whole = await openTestDatabase(eventStoreMigrations);
    await copyAll(copyOf(store.openStoredLog(), whole.sql));
  });
  afterAll(async () => {
    await whole.close();
    await store.close();
    await server.stop();
  });
  beforeEach(async () => void (database = await openTestDatabase(eventStoreMigrations)));
  afterEach(() => database.close());

  const copyOf = (published: StoredLog = store.openStoredLog(), sql: SqlReader = database.sql) =>
    new LogCopy({ sql, published, missed: published, dataKeys: keys });
  const copyAll = async (copy = copyOf()): Promise<void> => {
    while (await copy.copyNext());
  };
  const copied = (of: TestDatabase = database) => new PostgresLogReader(of.sql, keys, COPIED_LOG);
  const wholeCopy = () => copied().readStored(0, 2 * RECORDS);
  /** The log as it was when it had so many records. */
  const first = (count: number): StoredLog => ({
    readStored: async (after, limit) =>
      records.filter(({ position }, index) => position > after && index < count).slice(0, limit),
  });
  const texts = (some: readonly StoredRecord[]): readonly string[] => some.map(textOfRecord);

  it('is written as events are published, and holds what was read', async () => {
    const copy = copyOf();
    const reader = copied();
    let after = 0;
    for (const limit of [1, 500, 3, 1_000, 2_000]) {
      const read = await copy.read(after, limit);
      expect(read).toEqual(await store.read(after, limit));
      after = read.at(-1)?.position ?? 0;
      expect(await reader.head()).toBe(after);
      expect(await reader.read(0, RECORDS)).toEqual(await store.read(0, (await wholeCopy()).length));
    }
    expect(texts(await wholeCopy())).toEqual(texts(records));
    expect(await copy.read(after, 10)).toEqual([]);
  });

  it('can be read by position, id, type and place, unlike the store itself', async () => {
    const [reader, all] = [copied(whole), await store.read(0, RECORDS)];
    const own = all.filter(({ account }) => account === 'default');
    const [some, other] = [own[40], all.find(({ account }) => account === 'another')];
    if (some === undefined || other === undefined) throw new Error('there are none');
    expect(await reader.readAt([some.position, some.position + 1, other.position])).toEqual(
      [some, other].sort((a, b) => a.position - b.position),
    );
    expect(await reader.find('default', some.eventId)).toEqual(some);
    expect(await reader.find('another', some.eventId)).toBeNull();
    expect(await reader.findAll('default', [some.eventId, other.eventId])).toEqual([some]);
    const imports = all.filter(({ fact, account }) => fact.type === 'ImportOpened' && account === 'default');
    expect(imports.length).toBeGreaterThan(10);
    expect(await reader.readAdministrative('default', null, 100)).toEqual(imports.toReversed());
    expect(await reader.readAccountEvents('default')).toEqual(await store.readAccountEvents('default'));
    const { records: found, upTo } = await reader.readOfTypes(0, { types: ['ImportOpened'], looked: 500, limit: 9 });
    expect([found, upTo]).toEqual([
      all.slice(0, 500).filter(({ fact }) => fact.type === 'ImportOpened'),
      all[499]?.position,
    ]);
    const [third, last] = [all[2]?.position ?? 0, all.at(-1)?.position ?? 0];
    expect([await reader.count(third, last, 9_999), await reader.count(third, last, 7)]).toEqual([RECORDS - 3, 7]);
    expect([await reader.before(last, 10), await reader.before(last, RECORDS)]).toEqual([all.at(-11)?.position, 0]);
    const users = own.filter(({ fact }) => 'subject' in fact);
    expect(await reader.readNewestOfUsers('default', { after: 0, upTo: last, limit: 50 })).toEqual({
      records: users.slice(-50),
      others: users.length - 50,
    });
  });

  it('shows no personal fields', async () => {
    const named = (await copied(whole).read(0, RECORDS)).filter(({ fact }) => 'user' in fact && 'name' in fact.user);
    expect(named.length).toBeGreaterThan(100);
    const { rows } = {
      rows: await whole.sql.query<{ row: string }>('select c::text as row from copied_events c', []),
    };
    expect(rows.filter(({ row }) => row.includes('user '))).toEqual([]);
  });

  it('has no gaps: events published without a copy are copied before later ones', async () => {
    const copy = copyOf();
    const at = (place: number) => records[place - 1]?.position ?? 0;
    // An earlier release has published 1,500 records.
    await copy.read(at(1_500), 100);
    expect(await wholeCopy()).toEqual([]);
    await copyAll(copyOf(first(1_550)));
    expect(texts(await wholeCopy())).toEqual(texts(records.slice(0, 1_550)));
    // What is there is not brought twice.
    await copy.read(at(1_500), 100);
    expect(texts(await wholeCopy())).toEqual(texts(records.slice(0, 1_600)));
    await copy.read(at(1_700), 100);
    expect(await copied().head()).toBe(at(1_600));
    await copyAll(copy);
    expect(texts(await wholeCopy())).toEqual(texts(records));
  });

  it('is not extended while it is held, and nothing beyond it is published', async () => {
    const copy = copyOf();
    await copy.read(0, 100);
    const isComplete = async () => (await database.sql.query('select from copied_head where complete', [])).length > 0;
    const holder = new pg.Client(database.connection);
    await holder.connect();
    await holder.query('begin');
    await holder.query(HOLD_COPY);
    const end = records[99]?.position ?? 0;
    expect((await copy.read(records[89]?.position ?? 0, 100)).map(({ position }) => position)).toEqual(
      records.slice(90, 100).map(({ position }) => position),
    );
    expect([await copy.read(end, 100), await copy.copyNext(), await isComplete()]).toEqual([[], false, false]);
    await copy.bringUpToDate();
    expect(await copied().head()).toBe(end);
    await holder.query('rollback');
    await holder.end();
    await copyAll(copy);
    expect([texts(await wholeCopy()), await isComplete()]).toEqual([texts(records), true]);
  });

  it('is brought up to date once for all concurrent callers, as far as EventStoreDB is available', async () => {
    let isDown = false;
    let reads = 0;
    const log: StoredLog = {
      readStored: (after, limit) => {
        reads++;
        if (isDown) return Promise.reject(new StoreUnavailableError('it is down'));
        return first(600).readStored(after, limit);
      },
    };
    const copy = copyOf(log);
    await Promise.all([copy.bringUpToDate(), copy.bringUpToDate(), copy.bringUpToDate()]);
    expect([await copied().head(), reads]).toEqual([records[599]?.position, 3]);
    isDown = true;
    await copy.bringUpToDate();
    await expect(copy.read(0, 10)).rejects.toThrow('it is down');
  });

  it('is written with statements of a few megabytes, however large the events are', async () => {
    const large = records.slice(0, 200).map((one) => ({ ...one, personal: new Uint8Array(64 * 1024) }));
    const sizes: number[] = [];
    const sql: SqlReader = {
      query: (text, values) => {
        sizes.push(String(values[2] ?? '').length);
        return database.sql.query(text, values);
      },
    };
    const log: StoredLog = {
      readStored: async (after, limit) => large.filter(({ position }) => position > after).slice(0, limit),
    };
    await copyAll(copyOf(log, sql));
    expect((await wholeCopy()).length).toBe(200);
    expect(Math.max(...sizes)).toBeLessThan(5 * 2 ** 20);
    expect(sizes.length).toBeGreaterThan(5);
  });

  it('is complete whichever process writes it and whatever fails', async () => {
    let statements = 0;
    const failing: SqlReader = {
      query: (text, parameters) =>
        ++statements % 3 === 0 && statements < 40
          ? Promise.reject(new Error('no database'))
          : database.sql.query(text, parameters),
    };
    for (let isDone = false; !isDone;) {
      const before = await copied().head();
      await Promise.all(
        [copyOf(first(RECORDS), failing), copyOf(first(RECORDS), failing)].flatMap((copy) => [
          copy.read(before, 300).catch(() => undefined),
          copyAll(copy).catch(() => undefined),
        ]),
      );
      const copiedNow = await wholeCopy();
      expect(texts(copiedNow)).toEqual(texts(records.slice(0, copiedNow.length)));
      expect(await copied().head()).toBe(copiedNow.at(-1)?.position ?? 0);
      isDone = copiedNow.length === RECORDS;
    }
  });

  it('finds each event by id, within its own account only', async () => {
    const found = ({ account, eventId }: Pick<StoredRecord, 'account' | 'eventId'>) =>
      findPosition(whole.sql, account, eventId, COPIED_LOG);
    for (const one of records.filter((_, index) => index % 97 === 0)) {
      expect(await found(one)).toBe(one.position);
      expect(await found({ ...one, account: one.account === 'another' ? 'default' : 'another' })).toBeNull();
    }
    expect(await found({ account: 'default', eventId: randomUUID() })).toBeNull();
  });

  it.each([0, 1, BLOCK - 1, BLOCK, BLOCK + 511, 2 * BLOCK, RECORDS - 1])(
    'proves to an independent verifier that it holds record %d, and no forged proof is accepted',
    async (index) => {
      await catchUpChain(whole.sql, copied(whole));
      expect(await readChain(whole.sql)).toEqual(chained(EMPTY_CHAIN, records).head);
      const one = records[index] as StoredRecord;
      const proof = await new LogProofs(whole.sql, copied(whole)).inclusion(one.position);
      if (proof === null) throw new Error('there is none');
      const { text, path, head } = proof;
      const root = rootOf(head.frontier);
      expect([proof.index, text, head.frontier.size]).toEqual([index, textOfRecord(one), RECORDS]);
      expect(includes(text, index, RECORDS, path, root)).toBe(true);
      expect(includes(text.replace('"default"', '"other"'), index, RECORDS, path, root)).toBe(
        !text.includes('"default"'),
      );
      expect(includes(text, index === 0 ? 1 : index - 1, RECORDS, path, root)).toBe(false);
      for (const place of path.keys())
        expect(includes(text, index, RECORDS, path.with(place, Buffer.alloc(32)), root)).toBe(false);
    },
  );
});
