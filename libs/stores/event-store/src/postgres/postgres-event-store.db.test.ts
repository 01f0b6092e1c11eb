import { subjectOf } from '@laurel/testing/subjects';
import { systemClock } from '@laurel/testing/clock';
import { openDatabaseProxy, openTestDatabase, type DatabaseProxy, type TestDatabase } from '@laurel/testing/database';
import { MemoryDataKeys } from '@laurel/testing/http-modules';
import { formatInstant } from '@laurel/calendar';
import type { DomainEvent, MetricEventRecorded, NewRecord, UserRef } from '@laurel/kernel';
import pg from 'pg';
import { FencedError, LogInUseError, LogOverloadedError } from '../event-store.ts';
import { eventStoreMigrations } from '../migrations.ts';
import { event, fact, summary } from '../sample-records.fixture.ts';
import { DEFAULT_APPEND_QUEUE_OPTIONS } from './append-queue.ts';
import { moveHead, eventRow, FIND_ERASED } from './log-statements.ts';
import { LogWriter } from './log-writer.ts';
import { PostgresEventStore } from './postgres-event-store.ts';
import { FIND_KEYS, PostgresLogReader } from './postgres-log-reader.ts';

const ABOUT_NOBODY = new Set<DomainEvent['type']>([
  ...(['UsersSwept', 'ImportOpened', 'ImportClosed'] as const),
  ...(['ConfigurationPublished', 'ApiKeyCreated', 'ApiKeyRevoked'] as const),
]);

const APPEND = 'append-shared';

let database: TestDatabase;
let proxy: DatabaseProxy;
const stores: PostgresEventStore[] = [];

beforeEach(async () => {
  database = await openTestDatabase(eventStoreMigrations);
  proxy = await openDatabaseProxy(database.connection);
});
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await proxy.close();
  await database.close();
});

describe('an append whose connection is cut', () => {
  it.each(['before', 'after', 'silent'] as const)('is recorded once (cut %s the server has)', async (fault) => {
    const store = await open();
    await store.append([event('ada')]);
    proxy.failNext(APPEND, [fault]);
    const records = [event('ada'), event('bob', 'k'), event('ada')];
    const outcomes = await store.append(records);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['recorded', 'recorded', 'recorded']);
    const [, ...read] = await store.read(0, 100);
    expect(read.map(({ eventId }) => eventId)).toEqual(records.map(({ eventId }) => eventId));
    expect(outcomes).toEqual(read.map((record) => ({ kind: 'recorded', record })));
  });

  it('is recorded once however often it is cut, while another process appends', async () => {
    const [store, other] = [await open(), await open(database.connection)];
    proxy.failNext(APPEND, ['after', 'before', 'silent', 'before', 'after', 'silent']);
    const appending: Promise<unknown>[] = [];
    const records = Array.from({ length: 40 }, (_, n) => event(`u${n % 3}`, n % 4 === 0 ? `k${n}` : null));
    for (const record of records) appending.push(store.append([record]), other.append([event('z')]));
    await Promise.all(appending);
    const read = await store.read(0, 1_000);
    expect(
      read.filter(({ fact }) => 'subject' in fact && fact.subject !== subjectOf('z')).map(({ eventId }) => eventId),
    ).toEqual(records.map(({ eventId }) => eventId));
    expect(read.map(({ position }) => position)).toEqual(read.map((_, index) => index + 1));
  });
});

/** Of a store that is to give up. It must also suffice to reach the server again. */
const IMPATIENT = { waitLimitMs: 2_000 };

describe('a store that cannot be reached for longer than the limit', () => {
  it('answers that nothing was recorded if nothing was sent', async () => {
    const store = await open(proxy.connection, IMPATIENT);
    await store.append([event('ada')]);
    proxy.reachable = false;
    proxy.cut();
    // It may have gone out before the store noticed; by its answer the store knows.
    await store.append([event('eve')]);
    const records = [event('ada'), event('ada')];
    expect((await store.append(records)).map(summary)).toEqual(['failed nothing', 'failed nothing']);
    proxy.reachable = true;
    expect((await store.append(records)).map(summary)).toEqual(['recorded', 'recorded']);
    expect(await store.read(0, 10)).toHaveLength(3);
  });

  it.each(['before', 'after', 'silent'] as const)(
    'answers that the outcome is unknown, and determines it when asked again (cut %s)',
    async (fault) => {
      const store = await open(proxy.connection, IMPATIENT);
      await store.append([event('ada')]);
      const records = [event('ada'), event('bob', 'k')];
      proxy.failNext(APPEND, [fault]);
      proxy.reachable = false;
      const [first, later] = [store.append(records), store.append([event('eve')])];
      expect((await first).map(summary)).toEqual(['failed unknown', 'failed unknown']);
      await later;
      proxy.reachable = true;
      const again = await store.append(records);
      expect(again.map(summary)).toEqual(['recorded', 'recorded']);
      const read = await store.read(0, 10);
      const ids = records.map(({ eventId }) => eventId);
      expect(read.filter(({ eventId }) => ids.includes(eventId)).map(({ eventId }) => eventId)).toEqual(ids);
      expect(again).toEqual(
        records.map(({ eventId }) => ({ kind: 'recorded', record: read.find((record) => record.eventId === eventId) })),
      );
    },
  );

  it('accepts no more events than its capacity', async () => {
    const store = await open(proxy.connection, { capacity: 3 });
    proxy.reachable = false;
    proxy.cut();
    const sent = store.append([event('a')]);
    await Promise.resolve();
    const waiting = store.append([event('b'), event('c'), event('d')]);
    await expect(store.append([event('e')])).rejects.toThrow(LogOverloadedError);
    proxy.reachable = true;
    expect((await Promise.all([sent, waiting])).flat().map(summary)).toEqual(Array(4).fill('recorded'));
  });
});

describe('the instant of recording', () => {
  it('never goes back, whichever process records and whatever its clock shows', async () => {
    const alone = await LogWriter.open(database.config);
    await appendAlone(alone, 0, [{ ...event('ada'), recordedAt: 5_000 }]);
    await alone.close();
    const [one, other] = [await whenFree(() => open()), await open()];
    for (const [store, recordedAt] of [
      [one, 7_000],
      [other, 6_000],
      [one, 6_500],
      [other, 9_000],
    ] as const)
      await store.append([{ ...event('bob'), recordedAt, occurredAt: 1_000 }]);
    const read = await one.read(0, 10);
    expect(read.map(({ recordedAt }) => recordedAt)).toEqual([5_000, 7_000, 7_000, 7_000, 9_000]);
    expect(read.slice(1).map(({ occurredAt }) => occurredAt)).toEqual([1_000, 1_000, 1_000, 1_000]);
  });
});

/** A text of Postgres holds no NUL. */
function refused(user = 'nul', key: string | null = null): NewRecord<MetricEventRecorded> {
  const one = event(user, key);
  return { ...one, fact: { ...one.fact, metric: '\0' } };
}

describe('a value that the database refuses', () => {
  it('fails only its own event', async () => {
    const store = await open();
    const records = Array.from({ length: 64 }, (_, n) => (n === 37 ? refused() : event(`u${n}`, `k${n}`)));
    const outcomes = await store.append(records);
    expect(outcomes.map(summary)).toEqual(records.map((_, n) => (n === 37 ? 'rejected' : 'recorded')));
    expect(await store.read(0, 100)).toHaveLength(63);
    expect(await store.head()).toBe(63);
  });

  it('leaves its place to the next event with the same key, in order', async () => {
    const store = await open();
    const poison = refused('ada', 'k');
    const [next, last] = [event('ada', 'k'), event('ada')];
    const outcomes = await store.append([event('ada'), poison, next, last, event('ada', 'k')]);
    expect(outcomes.map(summary)).toEqual(['recorded', 'rejected', 'recorded', 'recorded', 'used']);
    const ids = (await store.read(0, 10)).map(({ eventId }) => eventId);
    expect(ids.slice(1)).toEqual([next.eventId, last.eventId]);
  });
});

describe('the event store of a standalone process', () => {
  it('can later be shared, and used exclusively again', async () => {
    const alone = await LogWriter.open(database.config);
    await appendAlone(alone, 0, [event('ada', 'k')]);
    await expect(open()).rejects.toThrow(LogInUseError);
    await alone.close();

    const store = await whenFree(() => open());
    expect((await store.append([event('ada', 'k'), event('bob')])).map(summary)).toEqual(['used', 'recorded']);
    await expect(LogWriter.open(database.config)).rejects.toThrow(LogInUseError);
    await store.close();

    const again = await whenFree(() => LogWriter.open(database.config));
    expect(await appendAlone(again, 2, [event('eve')])).toHaveLength(1);
    expect((await store.read(0, 10)).map(({ position }) => position)).toEqual([1, 2, 3]);
    await again.close();
  });

  it('is closed to former sharing processes that have not noticed', async () => {
    const store = await open();
    await store.append([event('ada')]);
    proxy.failNext(APPEND, ['silent']);
    await database.sql.query('update log_head set epoch = epoch + 1', []);
    const outcomes = await store.append([event('ada')]);
    expect(outcomes).toEqual([{ kind: 'failed', recorded: expect.any(String), error: expect.any(FencedError) }]);
    expect((await store.append([event('ada')])).map(summary)).toEqual(['failed nothing']);
    expect(await store.read(0, 10)).toHaveLength(1);
  });

  it('is closed to a statement of an old epoch, even if its connection lives', async () => {
    const store = await open();
    await database.sql.query('update log_head set epoch = epoch + 1', []);
    const outcomes = await store.append([event('ada')]);
    expect(outcomes).toEqual([{ kind: 'failed', recorded: 'nothing', error: expect.any(FencedError) }]);
    expect(await store.head()).toBe(0);
  });
});

describe('append notifications', () => {
  it('arrive again after their connection was cut', async () => {
    const [store, other] = [await open(), await open(database.connection)];
    let heard = 0;
    store.onAppend(() => heard++);
    const hint = async (): Promise<void> => {
      for (const before = heard; heard === before; await new Promise((resolve) => setTimeout(resolve, 10)))
        await other.append([event('ada')]);
    };
    await hint();
    await database.sql.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where application_name = 'laurel-listener' and datname = current_database()`,
      [],
    );
    await hint();
  });
});

describe('the rows of the event store', () => {
  it('hold types as numbers that never change, and mark imported events', async () => {
    const store = await open();
    const imported = { ...event('ada').fact, imported: true };
    const identified = { type: 'UserIdentified', subject: subjectOf('ada'), user: {} } as const;
    const byCall = { ...identified, type: 'AchievementCompletedByCall', achievement: 'first' } as const;
    const swept = { type: 'UsersSwept', subjects: [subjectOf('ada')] } as const;
    const published = { type: 'ConfigurationPublished', version: 1, document: {} } as const;
    const [opened, closed] = [{ type: 'ImportOpened' }, { type: 'ImportClosed', cause: 'idle' }] as const;
    const revoked = { type: 'ApiKeyRevoked', id: 'k' } as const;
    const rights = { label: 'shop', scopes: ['read'], expiresAt: null, requestsPerMinute: null } as const;
    const created = { ...rights, type: 'ApiKeyCreated', id: 'k' } as const;
    const facts = [imported, identified, byCall, swept, opened, closed, published, created, revoked];
    await store.append(facts.map((one) => fact<DomainEvent>(one)));
    const rows = await database.sql.query(
      'select type, imported, data is null as bare from events order by position',
      [],
    );
    expect(rows.slice(0, 2)).toEqual([
      { type: 1, imported: true, bare: true },
      { type: 2, imported: false, bare: true },
    ]);
    expect(rows.map((row) => (row as { type: number }).type)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await store.read(0, 10)).map((record) => record.fact)).toEqual(facts);
    const newest = (after: number, upTo: number, limit: number) =>
      new PostgresLogReader(database.sql, new MemoryDataKeys()).readNewestOfUsers('default', { after, upTo, limit });
    const ofUsers = (await store.read(0, 10)).filter(({ fact: { type } }) => !ABOUT_NOBODY.has(type));
    expect(ofUsers).toHaveLength(3);
    expect(await newest(0, 9, 3)).toEqual({ records: ofUsers, others: 0 });
    expect(await newest(0, 9, 2)).toEqual({ records: ofUsers.slice(1), others: 1 });
    expect(await newest(1, 2, 5)).toEqual({ records: [ofUsers[1]], others: 0 });
    expect(await newest(3, 9, 5)).toEqual({ records: [], others: 0 });
    await database.sql.query('update events set type = 32000 where position = 5', []);
    await expect(store.read(0, 10)).rejects.toThrow(/at position 5 \(32000 .*unknown type "32000"/);
  });
});

describe('looking up idempotency keys', () => {
  it.each([false, true])('uses the index whatever statistics the planner has (analysed: %s)', async (analysed) => {
    await database.sql.query(
      `insert into events (position, subject, occurred_at, recorded_at, event_id, key_hash, configuration_version,
           schema_version, type, imported, account, metric, value)
         select n, n % 50, now(), now(), gen_random_uuid(), md5(n::text)::uuid, 1, 2, 1, false, 'default', 'words', 1
         from generate_series(1, 20000) n`,
      [],
    );
    if (analysed) await database.sql.query('analyze events', []);
    const plan = await database.sql.query<{ 'QUERY PLAN': string }>(
      `explain ${FIND_KEYS.replace('$1', `array[md5('1')]`)}`,
      [],
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('events_key_hash');
  });
});

describe('an erasure', () => {
  const erasureOf = (user: string): NewRecord =>
    fact({ type: 'UserErased', subject: subjectOf(user), boards: 'remove', by: 'key' });
  const told: number[][] = [];

  beforeEach(async () => {
    told.length = 0;
    await database.sql.query('create table subjects (account text, user_id text, subject bigint)', []);
    const rows = ['ada', 'bob'].map((user) => `('default', '${user}', ${subjectOf(user)})`).join(', ');
    await database.sql.query(`insert into subjects values ${rows}`, []);
  });

  const openTold = (config = proxy.connection) =>
    open(config, {}, (users) => {
      told.push(users.map(({ subject }) => subject));
    });
  const known = async () =>
    (await database.sql.query<{ user_id: string }>('select user_id from subjects order by 1', [])).map(
      ({ user_id }) => user_id,
    );
  const kinds = async (store: PostgresEventStore, records: readonly NewRecord[]) =>
    (await store.append(records)).map(({ kind }) => kind);

  it('deletes the directory row, and nothing is recorded for the user afterwards', async () => {
    const store = await openTold();
    const batch = [event('ada'), erasureOf('ada'), event('ada'), event('bob'), erasureOf('ada'), event('bob')];
    expect(await kinds(store, batch)).toEqual(['recorded', 'recorded', 'erased', 'recorded', 'erased', 'recorded']);
    expect(await known()).toEqual(['bob']);
    expect(await kinds(store, [event('ada'), event('bob')])).toEqual(['erased', 'recorded']);
    const read = await store.read(0, 100);
    expect(read.map(({ position, fact: { type } }) => `${position} ${type}`)).toEqual([
      '1 MetricEventRecorded',
      '2 UserErased',
      '3 MetricEventRecorded',
      '4 MetricEventRecorded',
      '5 MetricEventRecorded',
    ]);
    expect(new Set(told.flat())).toEqual(new Set([subjectOf('ada')]));
  });

  it('by another process is noticed by the next append', async () => {
    const [store, other] = [await open(), await openTold(database.connection)];
    expect(await kinds(other, [event('ada'), event('bob')])).toEqual(['recorded', 'recorded']);
    await store.append([erasureOf('ada'), erasureOf('bob')]);
    expect(told).toEqual([]);
    expect(await kinds(other, [event('cyd'), event('ada'), event('cyd')])).toEqual(['recorded', 'erased', 'recorded']);
    expect(told.flat()).toEqual(expect.arrayContaining([subjectOf('ada'), subjectOf('bob')]));
    expect(await kinds(await openTold(database.connection), [event('cyd')])).toEqual(['recorded']);
  });

  it('is reported once per batch, however many of its events are refused', async () => {
    const store = await openTold();
    await store.append([erasureOf('ada'), erasureOf('bob')]);
    told.length = 0;
    const late = ['ada', 'bob', 'ada', 'bob', 'ada'].map((user) => event(user));
    expect(await kinds(store, late)).toEqual(late.map(() => 'erased'));
    expect(told).toEqual([[subjectOf('ada'), subjectOf('bob')]]);
  });

  it('is found through an index of erasures alone', async () => {
    await database.sql.query(
      `insert into events (position, subject, occurred_at, recorded_at, event_id, configuration_version, schema_version, type,
         imported, account)
       select n, n, now(), now(), gen_random_uuid(), 1, 2, case when n % 5000 = 0 then 12 else 10 end, false, 'default'
       from generate_series(1, 20000) n`,
      [],
    );
    await database.sql.query('analyze events', []);
    const plan = await database.sql.query<{ 'QUERY PLAN': string }>(`explain ${FIND_ERASED.replace('$1', '10')}`, []);
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('events_erasures');
  });

  it('that competes with an append is wholly before or wholly after it', async () => {
    const stores = await Promise.all([open(), open(database.connection), open(database.connection)]);
    for (let round = 0; round < 20; round++) {
      const user = `u${round}`;
      const [erased, ...appended] = await Promise.all(
        stores.map((store, place) => store.append([place === 0 ? erasureOf(user) : event(user)])),
      );
      const [erasure] = erased ?? [];
      const end = erasure?.kind === 'recorded' ? erasure.record.position : Number.NaN;
      for (const outcome of appended.flat())
        expect(outcome.kind === 'erased' || (outcome.kind === 'recorded' && outcome.record.position < end)).toBe(true);
    }
  });

  const bracket = (type: 'ImportOpened' | 'ImportClosed', account = 'default'): NewRecord => ({
    ...fact<DomainEvent>(type === 'ImportOpened' ? { type } : { type, cause: 'finished' }),
    account,
  });

  it('is refused during an import of its account, while others in the batch are recorded', async () => {
    const store = await open();
    await store.append([bracket('ImportOpened'), bracket('ImportClosed'), bracket('ImportOpened', 'another')]);
    const batch = [event('bob'), erasureOf('bob'), bracket('ImportOpened'), erasureOf('ada'), event('ada')];
    const outcomes = ['recorded', 'recorded', 'recorded', 'import_open', 'recorded'];
    expect(await kinds(store, batch)).toEqual(outcomes);
    expect(await known()).toEqual(['ada']);
    expect(await kinds(store, [bracket('ImportClosed'), erasureOf('ada')])).toEqual(['recorded', 'recorded']);
    expect(await known()).toEqual([]);
  });

  it('is refused if an import is opened while it waits for the head', async () => {
    const [store, other] = await Promise.all([open(database.connection), open(database.connection)]);
    const waiting = async (writers: number): Promise<void> => {
      for (let count = -1; count < writers;)
        [{ count }] = (await database.sql.query(
          `select count(*)::int as count from pg_stat_activity
           where application_name = 'laurel-writer' and wait_event_type = 'Lock' and datname = current_database()`,
          [],
        )) as [{ count: number }];
    };
    const holder = new pg.Client(database.connection);
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select from log_head for update');
      const opening = kinds(other, [bracket('ImportOpened')]);
      await waiting(1);
      const erasing = kinds(store, [erasureOf('ada')]);
      await waiting(2);
      await holder.query('commit');
      expect([await opening, await erasing]).toEqual([['recorded'], ['import_open']]);
    } finally {
      await holder.end();
    }
    expect(await known()).toEqual(['ada', 'bob']);
    expect((await store.read(0, 10)).map((record) => record.fact.type)).toEqual(['ImportOpened']);
  });

  it('finds the start and end of imports through an index of their own', async () => {
    await database.sql.query(
      `insert into events (position, subject, occurred_at, recorded_at, event_id, configuration_version, schema_version, type,
         imported, account)
       select n, n, now(), now(), gen_random_uuid(), 1, 2, case when n % 5000 = 0 then 5 else 10 end, false, 'default'
       from generate_series(1, 20000) n`,
      [],
    );
    await database.sql.query('analyze events', []);
    const plan = await database.sql.query<{ 'QUERY PLAN': string }>(
      `explain select type = 5 from events where account = 'default' and type in (5, 6) order by position desc limit 1`,
      [],
    );
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('events_imports');
    expect(await database.sql.query(`select import_is_open('default') as open`, [])).toEqual([{ open: true }]);
  });

  it.each(['before', 'after', 'silent'] as const)('is recorded once (cut %s the server has)', async (fault) => {
    const store = await openTold();
    proxy.failNext('append-erasing', [fault]);
    expect(await kinds(store, [erasureOf('ada')])).toEqual(['recorded']);
    expect(await kinds(store, [event('ada'), event('bob')])).toEqual(['erased', 'recorded']);
    expect([(await store.read(0, 100)).length, await known()]).toEqual([2, ['bob']]);
  });

  it('does not block a fenced writer', async () => {
    const [store, other] = [await open(), await open(database.connection)];
    await other.append([erasureOf('ada')]);
    await database.sql.query('update log_head set epoch = epoch + 1', []);
    const [outcome] = await store.append([event('bob')]);
    expect(outcome).toMatchObject({ kind: 'failed', recorded: 'nothing', error: expect.any(FencedError) });
  });
});

async function open(
  connection = proxy.connection,
  options = {},
  onErased: (users: readonly UserRef[]) => void = () => undefined,
): Promise<PostgresEventStore> {
  const config = { ...database.config, ...connection };
  const parts = { config, sql: database.sql, keys: new MemoryDataKeys(), clock: systemClock, onErased };
  const store = await PostgresEventStore.open(parts, {
    ...DEFAULT_APPEND_QUEUE_OPTIONS,
    waitLimitMs: 60_000,
    ...options,
  });
  stores.push(store);
  return store;
}

/** As the engine of a standalone process appends. */
function appendAlone(writer: LogWriter, head: number, records: readonly NewRecord[]): Promise<unknown[]> {
  const rows = records.map((one, index) => eventRow({ ...one, position: head + 1 + index }, new Map()));
  return writer.query('append-alone', APPEND_ALONE, [
    writer.epoch,
    head,
    head + rows.length,
    JSON.stringify(rows),
    formatInstant(Math.max(...records.map(({ recordedAt }) => recordedAt))),
  ]);
}

/** The server may take a moment to let go of the lock of a session that has ended. */
async function whenFree<T>(take: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await take();
    } catch (error) {
      if (!(error instanceof LogInUseError)) throw error;
    }
  }
}

const APPEND_ALONE = `
with ${moveHead('$5')}, inserted as (
  insert into events select e.* from head, json_populate_recordset(null::events, $4::json) e
)
select position from head`;
