import { parseAmount } from '@laurel/amounts';
import {
  StoreUnavailableError,
  type DomainEvent,
  type RecordedEvent,
  type NewRecord,
  type SqlReader,
  type UserErased,
  type UserRef,
} from '@laurel/kernel';
import { PostgresDirectory } from '@laurel/directory';
import { EventStoreDbEventStore, type AppendOutcome, type EventStore } from '@laurel/event-store';
import { ManualClock, systemClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { startFakeEventStoreDb, type FakeEventStoreDb } from '@laurel/testing/event-store-db';
import { randomUUID } from 'node:crypto';
import { FollowedErasures, INGESTION_MIGRATIONS } from '@laurel/processes';
import { ErasingEventStore, HEARD_WITHIN_MS } from './erasing-event-store.ts';
import { lateRecords } from './kept-erasures.ts';

const AT = Date.parse('2026-03-06T08:00:00Z');

let database: TestDatabase;
let server: FakeEventStoreDb;
let log: EventStoreDbEventStore;
let directory: PostgresDirectory;
let notified: UserRef[];
let clock: ManualClock;
let ada: number;
let bob: number;

beforeEach(async () => {
  database = await openTestDatabase(INGESTION_MIGRATIONS);
  server = await startFakeEventStoreDb();
  directory = new PostgresDirectory(database.sql);
  log = new EventStoreDbEventStore(server.url, systemClock, directory);
  [ada, bob] = [await directory.assign('default', 'ada'), await directory.assign('default', 'bob')];
  notified = [];
  clock = new ManualClock();
});
afterEach(async () => {
  await log.close();
  await server.stop();
  await database.close();
});

const gateway = ({ sql = database.sql as SqlReader, store = log as EventStore } = {}): ErasingEventStore =>
  new ErasingEventStore({ store, sql, clock, onErased: (users) => void notified.push(...users) });

const record = <F extends DomainEvent>(fact: F): NewRecord<F> => ({
  ...{ eventId: randomUUID(), account: 'default', configurationVersion: 1, occurredAt: AT, recordedAt: AT },
  fact,
});

const event = (subject: number): NewRecord =>
  record({
    ...{ type: 'MetricEventRecorded', subject, metric: 'words', value: parseAmount('1'), keyHash: null },
    ...{ user: { name: 'Ada Lovelace' }, attributes: new Map([['course', 'sums']]), imported: false },
  });

const erasureOf = (subject: number): NewRecord<UserErased> =>
  record({ type: 'UserErased', subject, boards: 'remove', by: 'local', reason: 'asked for' });

/** What becomes of them, time going on. */
async function outcomes(store: EventStore, records: readonly NewRecord[]): Promise<readonly AppendOutcome[]> {
  let appended: readonly AppendOutcome[] | null = null;
  const appending = store.append(records).then((all) => (appended = all));
  while (appended === null) {
    if (clock.timers > 0) await clock.advance(HEARD_WITHIN_MS);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return appending;
}

const kinds = async (store: EventStore, records: readonly NewRecord[]) =>
  (await outcomes(store, records)).map(({ kind }) => kind);

const known = async () =>
  (await database.sql.query<{ user_id: string }>('select user_id from subjects order by 1', [])).map(
    (row) => row.user_id,
  );

const types = async () => (await log.read(0, 100)).map(({ fact: { type } }) => type);

/** Another process that finds what was left, long enough after. */
async function recover(): Promise<void> {
  const other = gateway();
  await other.recordErasures();
  await clock.advance(HEARD_WITHIN_MS);
  await other.recordErasures();
  await other.recordErasures();
}

describe('an erasure with the log in EventStoreDB', () => {
  it('deletes the row of the directory and is recorded once every process knows of it', async () => {
    const store = gateway();
    await outcomes(store, [event(ada), event(bob)]);
    let isDone = false;
    const erasing = store.append([erasureOf(ada)]).then(([outcome]) => {
      isDone = true;
      return outcome?.kind;
    });
    while (clock.timers === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    expect([isDone, await known(), (await types()).includes('UserErased')]).toEqual([false, ['bob'], false]);
    expect(notified).toEqual([{ account: 'default', subject: ada }]);
    await clock.advance(HEARD_WITHIN_MS);
    expect([await erasing, (await types()).at(-1)]).toEqual(['recorded', 'UserErased']);
  });

  it('prevents later events of the user from being recorded, and happens once', async () => {
    const store = gateway();
    const batch = [event(ada), erasureOf(ada), event(ada), event(bob), erasureOf(ada), event(bob)];
    expect(await kinds(store, batch)).toEqual(['recorded', 'recorded', 'erased', 'recorded', 'erased', 'recorded']);
    expect(await kinds(gateway(), [erasureOf(ada)])).toEqual(['erased']);
    expect((await types()).filter((type) => type === 'UserErased')).toHaveLength(1);
  });

  it('happens once when several processes attempt it', async () => {
    const found = await Promise.all([1, 2, 3].map(() => kinds(gateway(), [erasureOf(ada)])));
    expect(found.flat().sort()).toEqual(['erased', 'erased', 'recorded']);
  });

  it('makes the personal fields of the user unreadable for new and existing readers', async () => {
    const store = gateway();
    await outcomes(store, [event(ada), event(bob)]);
    await outcomes(store, [erasureOf(ada)]);
    directory.forget({ account: 'default', subject: ada });
    const names = (records: readonly RecordedEvent[]) =>
      records.flatMap(({ fact }) =>
        fact.type === 'MetricEventRecorded' ? [fact.user.name, fact.attributes.size] : [],
      );
    expect(names(await log.read(0, 10))).toEqual([undefined, 0, 'Ada Lovelace', 1]);
    const held = JSON.stringify(await log.readStored(0, 10));
    for (const secret of ['"ada"', 'Lovelace', 'sums']) expect(held).not.toContain(secret);
  });

  it('is refused during an import and then changes nothing', async () => {
    await database.sql.query("insert into imports (account, open, last_at) values ('default', true, now())", []);
    expect(await kinds(gateway(), [erasureOf(ada)])).toEqual(['failed']);
    expect([await known(), await types()]).toEqual([['ada', 'bob'], []]);
    await database.sql.query(
      "update imports set open = false; update imports set account = 'another', open = true",
      [],
    );
    expect(await kinds(gateway(), [erasureOf(ada)])).toEqual(['recorded']);
  });
});

describe('an erasure whose process ends', () => {
  it('before the statement leaves the user unchanged', async () => {
    const sql: SqlReader = { query: () => Promise.reject(new StoreUnavailableError('gone')) };
    expect(await outcomes(gateway({ sql }), [erasureOf(ada)])).toMatchObject([{ kind: 'failed', recorded: 'unknown' }]);
    await recover();
    expect([await known(), await types()]).toEqual([['ada', 'bob'], []]);
  });

  it('between the statement and the append is recorded by the next process', async () => {
    const refusing = { append: () => new Promise<never>(() => undefined) } as unknown as EventStore;
    void gateway({ store: refusing }).append([erasureOf(ada)]);
    while (clock.timers === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    expect([await known(), await types()]).toEqual([['bob'], []]);
    await recover();
    expect(await types()).toEqual(['UserErased']);
    expect((await log.read(0, 1))[0]?.fact).toMatchObject({ subject: ada, boards: 'remove', by: 'local', reason: 'asked for' }); // prettier-ignore
  });

  it('after the append is only noted by the next process', async () => {
    const sql: SqlReader = {
      query: (text, parameters) =>
        text.includes('update erasures')
          ? Promise.reject(new StoreUnavailableError('gone'))
          : database.sql.query(text, parameters),
    };
    expect(await outcomes(gateway({ sql }), [erasureOf(ada)])).toMatchObject([{ kind: 'failed', recorded: 'unknown' }]);
    expect(await types()).toEqual(['UserErased']);
    await recover();
    expect(await types()).toEqual(['UserErased']);
    expect(await database.sql.query('select from erasures where position is null', [])).toEqual([]);
  });

  it('without an answer to the statement has an unknown outcome', async () => {
    const sql: SqlReader = {
      query: async (text, parameters) => {
        await database.sql.query(text, parameters);
        throw new StoreUnavailableError('the connection was cut');
      },
    };
    expect(await outcomes(gateway({ sql }), [erasureOf(ada)])).toMatchObject([{ kind: 'failed', recorded: 'unknown' }]);
    await recover();
    expect([await known(), await types()]).toEqual([['bob'], ['UserErased']]);
  });
});

describe('a process that has not yet learned of an erasure', () => {
  it('learns of it during the append and is refused', async () => {
    const late = gateway({
      store: {
        append: async (records: readonly NewRecord[]) => {
          const appended = await log.append(records);
          late.forget({ account: 'default', subject: ada });
          return appended;
        },
      } as unknown as EventStore,
    });
    expect(await kinds(late, [event(ada), event(bob)])).toEqual(['erased', 'recorded']);
    expect(await kinds(late, [event(ada)])).toEqual(['erased']);
  });

  it('learns of it from the table, wherever the log is', async () => {
    const heard: number[] = [];
    await database.sql.query('create schema laurel_ingestion', []);
    for (const table of ['log_head', 'erasures', 'events'])
      await database.sql.query(`alter table ${table} set schema laurel_ingestion`, []);
    const followed = new FollowedErasures(database.sql, { forget: ({ subject }) => void heard.push(subject) }, clock);
    await followed.refresh();
    await database.sql.query(
      `insert into laurel_ingestion.erasures values (1, 'default', ${ada}, gen_random_uuid(), 1, 1, now(), '{}')`,
      [],
    );
    await database.sql.query('update laurel_ingestion.log_head set erased_to = 1', []);
    await followed.refresh();
    expect(heard).toEqual([ada]);
  });

  it('records events that are never published, also when the log is published again', async () => {
    const [early] = await log.append([event(ada)]);
    const [erasure] = await outcomes(gateway(), [erasureOf(ada)]);
    const [late, other] = await log.append([event(ada), event(bob)]);
    expect([early, erasure, late, other].map((outcome) => outcome?.kind)).toEqual(Array(4).fill('recorded'));
    const records = await log.read(0, 100);
    const position = late?.kind === 'recorded' ? late.record.position : 0;
    expect(await lateRecords(database.sql, records)).toEqual(new Set([position]));
    expect(await lateRecords(database.sql, records.slice(2))).toEqual(new Set([position]));
    expect(await lateRecords(database.sql, records.slice(0, 2))).toEqual(new Set());
  });

  it('records events that are never published while the position of the erasure is missing', async () => {
    await outcomes(gateway(), [erasureOf(ada)]);
    await database.sql.query('update erasures set position = null', []);
    await log.append([event(ada)]);
    expect((await lateRecords(database.sql, await log.read(0, 100))).size).toBe(1);
  });
});
