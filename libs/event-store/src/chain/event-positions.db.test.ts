import { parseAmount } from '@laurel/amounts';
import type { NewRecord, SqlReader } from '@laurel/contracts';
import { systemClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { startFakeEventStoreDb } from '@laurel/testing/event-store-db';
import { randomUUID } from 'node:crypto';
import { EventStoreDbEventStore } from '../event-store-db/event-store-db-event-store.ts';
import { includes, MemoryDataKeys } from '../fixtures/index.ts';
import { keyHashOf } from '../key-hash.ts';
import { eventStoreMigrations } from '../migrations.ts';
import { catchUpIndexedChain } from './event-positions.ts';
import { findPosition } from './find-event.ts';
import { BLOCK, EMPTY_CHAIN, chained } from './log-chain.ts';
import { LogProofs } from './log-proofs.ts';
import { rootOf } from './merkle-tree.ts';
import { catchUpChain, readChain } from './postgres-chain.ts';
import { textOfRecord, type StoredRecord } from './stored-record.ts';

const RECORDS = 2 * BLOCK + 52;

/** Every third has a key, which names its stream. */
const event = (n: number): NewRecord => ({
  ...{ eventId: randomUUID(), account: n % 5 === 0 ? 'another' : 'default', configurationVersion: 1 },
  ...{ occurredAt: 1_000 + n, recordedAt: 2_000 + n },
  fact: {
    ...{ type: 'MetricEventRecorded', subject: 1 + (n % 7), metric: 'words', value: parseAmount(String(n)) },
    ...{ user: {}, attributes: new Map(), imported: false },
    keyHash: n % 3 === 0 ? keyHashOf({ account: 'default', subject: 1, metric: 'words', key: String(n) }) : null,
  },
});

describe('the events of a log in EventStoreDB', () => {
  let database: TestDatabase;
  let server: Awaited<ReturnType<typeof startFakeEventStoreDb>>;
  let store: EventStoreDbEventStore;

  beforeAll(async () => {
    server = await startFakeEventStoreDb();
    store = new EventStoreDbEventStore(server.url, systemClock, new MemoryDataKeys());
    for (let from = 0; from < RECORDS; from += 300)
      await store.append(Array.from({ length: Math.min(300, RECORDS - from) }, (_, n) => event(from + n)));
  });
  afterAll(async () => {
    await store.close();
    await server.stop();
  });
  beforeEach(async () => void (database = await openTestDatabase(eventStoreMigrations)));
  afterEach(() => database.close());

  const everything = (): Promise<readonly StoredRecord[]> => store.readStored(0, 2 * RECORDS);
  const found = async ({ account, eventId }: Pick<StoredRecord, 'account' | 'eventId'>) =>
    findPosition(database.sql, account, eventId, 'event_positions');
  const indexed = async () =>
    (await database.sql.query<{ event_id: string }>('select event_id from event_positions order by position', [])).map(
      (row) => row.event_id,
    );
  const ids = (records: readonly StoredRecord[]): readonly string[] => records.map(({ eventId }) => eventId);

  it('are found by their ids, each by its own account alone', async () => {
    const records = await everything();
    await catchUpIndexedChain(database.sql, store);
    for (const record of records.filter((_, index) => index % 97 === 0)) {
      expect(await found(record)).toBe(record.position);
      expect(await found({ ...record, account: record.account === 'another' ? 'default' : 'another' })).toBeNull();
    }
    expect(await found({ account: 'default', eventId: randomUUID() })).toBeNull();
  });

  it.each([0, 1, BLOCK - 1, BLOCK, BLOCK + 511, 2 * BLOCK, RECORDS - 1])(
    'are proven to be in the log to an independent verifier, which accepts no forged proof: record %d',
    async (index) => {
      const records = await everything();
      await catchUpIndexedChain(database.sql, store);
      const record = records[index] as StoredRecord;
      const proof = await new LogProofs(database.sql, store).inclusion((await found(record)) ?? 0);
      if (proof === null) throw new Error('there is none');
      const { text, path, head } = proof;
      const root = rootOf(head.frontier);
      expect([proof.index, text, head.frontier.size]).toEqual([index, textOfRecord(record), RECORDS]);
      expect(includes(text, index, RECORDS, path, root)).toBe(true);
      expect(includes(text.replace('"words"', '"lines"'), index, RECORDS, path, root)).toBe(false);
      expect(includes(text, index === 0 ? 1 : index - 1, RECORDS, path, root)).toBe(false);
      for (const place of path.keys())
        expect(includes(text, index, RECORDS, path.with(place, Buffer.alloc(32)), root)).toBe(false);
    },
  );

  it('are found, too, that a release without positions has hashed, before it came and in between', async () => {
    const records = await everything();
    const upTo = (count: number) => ({
      readStored: async (after: number, limit: number) =>
        records.filter(({ position }, index) => position > after && index < count).slice(0, limit),
    });
    await catchUpChain(database.sql, upTo(1_500));
    expect(await indexed()).toEqual([]);
    await catchUpIndexedChain(database.sql, upTo(1_700));
    expect(await indexed()).toEqual(ids(records.slice(0, 1_700)));
    await catchUpChain(database.sql, upTo(1_800));
    await catchUpIndexedChain(database.sql, store);
    expect(await indexed()).toEqual(ids(records));
    expect(await readChain(database.sql)).toEqual(chained(EMPTY_CHAIN, records).head);
  });

  it('are found whenever the hash covers them, also if a write fails, or another process hashes at the same time', async () => {
    const records = await everything();
    let statements = 0;
    const failing: SqlReader = {
      query: (text, parameters) =>
        ++statements % 3 === 0 && statements < 40
          ? Promise.reject(new Error('no database'))
          : database.sql.query(text, parameters),
    };
    for (let isDone = false; !isDone;) {
      await Promise.all([failing, failing].map((sql) => catchUpIndexedChain(sql, store).catch(() => undefined)));
      const { position } = await readChain(database.sql);
      expect((await indexed()).length).toBeGreaterThanOrEqual(
        records.filter((record) => record.position <= position).length,
      );
      isDone = position === records.at(-1)?.position;
    }
    expect(await indexed()).toEqual(ids(records));
  });
});
