import { PointsQueries } from '@laurel/points';
import { AreaRows, digestOf, publicationsIn } from '@laurel/engine';
import { storedRows, tablesOf, type RecordedEvent, type Row, type Subject } from '@laurel/kernel';
import { compileHistory } from '@laurel/configuration';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { inSteps, live, lives, type Outcome } from '@laurel/testing/histories';
import { UserQueries } from '@laurel/users';
import fc from 'fast-check';
import { MIGRATIONS } from './all-migrations.ts';
import { DIGESTED_AREAS } from './digested-areas.ts';
import { USER_AREAS } from './user-areas.ts';

const ACCOUNT = 'default';
const TABLES = tablesOf(USER_AREAS);
const EVER = { from: '2025-01-01', to: '2027-12-31' };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([
    ...MIGRATIONS,
    {
      name: '9001-told',
      sql: `create table told (position bigint, subject bigint, metric text, value numeric, at timestamptz)`,
    },
  ]);
});
afterAll(() => database.close());

const query = <R extends object>(sql: string) => database.sql.query<R>(sql, []);

/** Stores the rows as an engine does, so many events in a statement; users are spread over so many partitions. */
async function store(outcomes: readonly Outcome[], batch: number, partitions: number): Promise<void> {
  await query(`truncate ${TABLES.map(({ name }) => name).join(', ')}`);
  for (let first = 0; first < outcomes.length; first += batch)
    for (let partition = 0; partition < partitions; partition++) {
      const rows = new AreaRows();
      for (const { subject, rows: texts } of outcomes.slice(first, first + batch))
        if (subject % partitions === partition) rows.add(rowsOf(texts));
      for (const table of TABLES) {
        const merged = storedRows(table, rows.merged(TABLES, partition).get(table.name) ?? []);
        await database.sql.query(
          `insert into ${table.name} select * from json_populate_recordset(null::${table.name}, $1::json) ${table.onConflict}`,
          [JSON.stringify(merged)],
        );
      }
    }
}

function rowsOf(texts: readonly string[]): ReadonlyMap<string, readonly Row[]> {
  const rows = new Map<string, Row[]>();
  for (const [index, text] of texts.entries()) {
    const table = text.slice(0, text.indexOf(' '));
    const row = Object.fromEntries(JSON.parse(text.slice(table.length)) as [string, unknown][]);
    const id = `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`;
    if (TABLES.some(({ name }) => name === table)) rows.set(table, [...(rows.get(table) ?? []), { id, ...row }]);
  }
  return rows;
}

async function tell(records: Awaited<ReturnType<typeof live>>['records']): Promise<void> {
  await query('truncate told, subjects');
  const told = records.flatMap(({ position, occurredAt, fact }) => {
    if (!('subject' in fact)) return [];
    const told = { position, subject: fact.subject, at: new Date(occurredAt) };
    return fact.type === 'MetricEventRecorded' ? [{ ...told, metric: fact.metric, value: String(fact.value) }] : [told];
  });
  await database.sql.query('insert into told select * from json_populate_recordset(null::told, $1::json)', [
    JSON.stringify(told),
  ]);
  const users = `insert into subjects select distinct $1, subject, 'user ' || subject, ''::bytea from told`;
  await database.sql.query(users, [ACCOUNT]);
}

/** Each event with its date on the clock that its user then had. */
const DATED = `
  select t.*, (t.at at time zone coalesce((
    select zone from user_zones z where z.subject = t.subject and z.position <= t.position order by z.position desc limit 1
  ), 'UTC'))::date as date from told t`;

const METRIC_DAYS = `
  select metric, date::text, count(*)::int as events, sum(value)::text as total from (${DATED}) e
  where metric is not null group by metric, e.date order by metric collate "C", e.date`;

const USER_DAYS = `
  select date::text, sum(new)::int as new_users, sum(active)::int as active_users from (
    select date, (row_number() over (partition by subject order by position) = 1)::int as new, 0 as active from (${DATED}) e
    union all
    select date, 0, (max(date) over (partition by subject order by position rows between unbounded preceding and 1 preceding) < date
      or row_number() over (partition by subject order by position) = 1)::int
    from (${DATED}) e where metric is not null
  ) days group by days.date having sum(new) + sum(active) > 0 order by days.date`;

/** What the awards of a system add up to on each of their dates. */
function countedPoints(outcomes: readonly Outcome[], system: string) {
  const days = new Map<string, { awarded: bigint; consumed: bigint }>();
  const awards = outcomes.flatMap(
    (outcome) => outcome.awards as readonly { system: string; date: string; awarded: bigint }[],
  );
  for (const award of awards.filter((each) => each.system === system)) {
    const day = days.get(award.date) ?? { awarded: 0n, consumed: 0n };
    days.set(award.date, day);
    if (award.awarded > 0n) day.awarded += award.awarded;
    else day.consumed -= award.awarded;
  }
  return [...days].map(([date, day]) => ({ date, ...day })).sort((a, b) => (a.date < b.date ? -1 : 1));
}

interface Lengths {
  readonly reached: number;
  readonly ended: number;
}

/** Of all generations, by length: streaks that reached it, and that ended at it, ends that were taken back aside. */
function countedLengths(outcomes: readonly Outcome[]): readonly (Lengths & { readonly length: number })[] {
  const counts = new Map<number, Lengths>();
  const present = new Map<number, number>();
  const count = (length: number, reached: number, ended: number) => {
    const before = counts.get(length) ?? { reached: 0, ended: 0 };
    counts.set(length, { reached: before.reached + reached, ended: before.ended + ended });
  };
  for (const { subject, streak } of outcomes) {
    const { extended, changes } = streak as { extended: boolean; changes: readonly { readonly length: number }[] };
    for (const [index, { length }] of changes.entries()) {
      if (length === 0) count(present.get(subject) ?? 0, 0, 1);
      else if (extended && index === changes.length - 1) count(length, 1, 0);
      else count(length, 0, -1);
      present.set(subject, length);
    }
  }
  return [...counts].map(([length, lengths]) => ({ length, ...lengths })).sort((x, y) => x.length - y.length);
}

const STORED_LENGTHS = `
  select length, sum(reached)::int as reached, sum(ended)::int as ended
  from streak_length_counts group by length order by length`;

const erasedIn = (records: readonly RecordedEvent[]): ReadonlySet<Subject> =>
  new Set(records.flatMap(({ fact }) => (fact.type === 'UserErased' ? [fact.subject] : [])));

/** What each user has in a system in the end. */
function totalsIn(outcomes: readonly Outcome[], system: string): readonly bigint[] {
  const totals = new Map<number, bigint>();
  for (const { subject, awards } of outcomes)
    for (const award of awards as readonly { system: string; total: bigint }[])
      if (award.system === system) totals.set(subject, award.total);
  return [...totals.values()];
}

const noStates = { read: () => Promise.reject(new Error('reads no state')) };

const noConfiguration = (): never => {
  throw new Error('reads no configuration');
};

async function expectMetricDays(): Promise<void> {
  const users = new UserQueries(database.sql, noStates, noConfiguration);
  const rows = await query<{ metric: string; date: string; events: number; total: string }>(METRIC_DAYS);
  for (const metric of ['lessons', '__proto__']) {
    const own = rows.filter((row) => row.metric === metric);
    expect(await users.metricDayCounts(ACCOUNT, [metric], EVER)).toEqual(
      own.map(({ date, events, total }) => ({ metric, date, events, total: BigInt(total) })),
    );
  }
}

async function expectUserDays(): Promise<void> {
  const users = new UserQueries(database.sql, noStates, noConfiguration);
  const rows = await query<{ date: string; new_users: number; active_users: number }>(USER_DAYS);
  expect(await users.dayCounts(ACCOUNT, EVER)).toEqual(
    rows.map(({ date, new_users, active_users }) => ({ date, newUsers: new_users, activeUsers: active_users })),
  );
}

async function expectTotals(outcomes: readonly Outcome[]): Promise<void> {
  const users = new UserQueries(database.sql, noStates, noConfiguration);
  const points = new PointsQueries(database.sql, noStates, noConfiguration, users);
  for (const system of ['xp', 'energy']) {
    const totals = totalsIn(outcomes, system);
    const nothing = (await users.count(ACCOUNT)) - totals.length;
    for (const { from, to, users: counted } of await points.usersByRange(ACCOUNT, system))
      expect({ from, to, users: counted }).toEqual({
        from,
        to,
        users: totals.filter((total) => from <= total && total <= to).length + (from === 0n ? nothing : 0),
      });
  }
}

async function expectPointDays(outcomes: readonly Outcome[]): Promise<void> {
  const users = new UserQueries(database.sql, noStates, noConfiguration);
  const points = new PointsQueries(database.sql, noStates, noConfiguration, users);
  for (const system of ['xp', 'energy'])
    expect(await points.dayCounts(ACCOUNT, [system], EVER)).toEqual(
      countedPoints(outcomes, system).map((day) => ({ system, ...day })),
    );
}

const digest = async (records: readonly RecordedEvent[]) => {
  const { names } = compileHistory(ACCOUNT, publicationsIn(records)).current;
  return (await digestOf(database.config, { account: ACCOUNT, areas: DIGESTED_AREAS, names })).lines;
};

describe('the counters, for any sequence of events', () => {
  it('equal a recount, however events are divided into batches and users into partitions', async () => {
    await fc.assert(
      fc.asyncProperty(lives, fc.integer({ min: 2, max: 12 }), async (steps, batch) => {
        const { records } = await live(steps, 7);
        const { outcomes } = await inSteps(records, { cuts: [], stored: false, rowsAs: 'added' });
        await tell(records);
        await store(outcomes, 1, 1);
        await expectMetricDays();
        await expectUserDays();
        await expectPointDays(outcomes);
        const erased = erasedIn(records);
        await expectTotals(outcomes.filter(({ subject }) => !erased.has(subject)));
        expect(await query(STORED_LENGTHS)).toEqual(countedLengths(outcomes));
        const alone = await digest(records);
        await store(outcomes, batch, 3);
        expect(await digest(records)).toEqual(alone);
      }),
      { numRuns: 20 },
    );
  });
});
