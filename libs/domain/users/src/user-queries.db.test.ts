import { formatAmount } from '@laurel/amounts';
import { type Frequency, localDate, parseDay, type WeekStart } from '@laurel/calendar';
import { mergedRows, storedRows, type Row } from '@laurel/kernel';
import { subjectOf } from '@laurel/testing/subjects';
import { CountedBuffers, openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import fc from 'fast-check';
import { METRIC_MONTHS } from './metric-months.ts';
import { usersMigrations } from './migrations.ts';
import { UserQueries } from './user-queries.ts';
import { ACCOUNT, amount, configuration, type StoryEvent, live, PROTO } from './users.fixture.ts';

const NUMBER = configuration.names.metrics.numberOf(PROTO);
const history = { account: ACCOUNT, current: configuration, at: () => configuration, findTrigger: () => null };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(usersMigrations);
});
afterAll(() => database.close());
beforeEach(() => clear());

const clear = () => database.sql.query('truncate metric_months', []);

/** Stores what happened as the engine does: so many records in one statement, rows on the same key merged. */
async function given(happenings: readonly StoryEvent[], batch = happenings.length): Promise<void> {
  const rows = live(happenings).rows.map((tables) => tables.get('metric_months') ?? []);
  for (let index = 0; index < rows.length; index += batch) await store(rows.slice(index, index + batch).flat());
}

async function store(rows: readonly Row[]): Promise<void> {
  const merged = mergedRows(METRIC_MONTHS.table, rows);
  const insert = `insert into metric_months select * from json_populate_recordset(null::metric_months, $1::json) ${METRIC_MONTHS.table.onConflict}`;
  await database.sql.query(insert, [JSON.stringify(storedRows(METRIC_MONTHS.table, merged))]);
}

interface Asked {
  readonly user?: string;
  readonly metric?: string;
  readonly weekStart?: WeekStart;
}

async function summary(frequency: Frequency, from: string, to: string, asked: Asked = {}) {
  const { user = PROTO, metric = PROTO, weekStart = 'monday' } = asked;
  const queries = new UserQueries(
    database.sql,
    { read: () => Promise.reject(new Error('reads no state')) },
    () => history,
  );
  const buckets = await queries.metricSummary(ACCOUNT, subjectOf(user), metric, {
    rule: { frequency, weekStart },
    from,
    to,
  });
  return buckets.map(({ date, total, change }) => [date, formatAmount(total), formatAmount(change)]);
}

const stored = async () =>
  (
    await database.sql.query<{ row: string }>('select metric_months::text as row from metric_months order by 1', [])
  ).map(({ row }) => row);

describe('the summary of a metric', () => {
  it('has a bucket for every period, including empty and future ones', async () => {
    await given([
      { at: '2024-03-01T12:00:00Z', value: '1.5' },
      { at: '2024-03-03T12:00:00Z', value: '-0.25' },
    ]);
    expect(await summary('daily', '2024-02-29', '2024-03-04')).toEqual([
      ['2024-02-29', '0', '0'],
      ['2024-03-01', '1.5', '1.5'],
      ['2024-03-02', '1.5', '0'],
      ['2024-03-03', '1.25', '-0.25'],
      ['2024-03-04', '1.25', '0'],
    ]);
  });

  it('dates each bucket at its start but not before the range, and carries over the earlier total', async () => {
    await given([
      { at: '2024-03-01T12:00:00Z', value: '100' },
      { at: '2024-03-05T12:00:00Z', value: '10' },
      { at: '2024-03-12T12:00:00Z', value: '1' },
    ]);
    expect(await summary('weekly', '2024-03-06', '2024-03-18')).toEqual([
      ['2024-03-06', '110', '0'],
      ['2024-03-11', '111', '1'],
      ['2024-03-18', '111', '0'],
    ]);
    expect(await summary('weekly', '2024-03-09', '2024-03-12', { weekStart: 'sunday' })).toEqual([
      ['2024-03-09', '110', '0'],
      ['2024-03-10', '111', '1'],
    ]);
    expect(await summary('monthly', '2024-02-10', '2024-03-11')).toEqual([
      ['2024-02-10', '0', '0'],
      ['2024-03-01', '110', '110'],
    ]);
  });

  it('dates each event in the zone in force at that event', async () => {
    await given([
      { at: '2024-03-01T23:00:00Z', value: '1', tz: 'Asia/Tokyo' },
      { at: '2024-03-02T23:00:00Z', value: '2', tz: 'UTC' },
    ]);
    expect(await summary('daily', '2024-03-01', '2024-03-03')).toEqual([
      ['2024-03-01', '0', '0'],
      ['2024-03-02', '3', '3'],
      ['2024-03-03', '3', '0'],
    ]);
  });

  it('counts a late import on its own date', async () => {
    const happenings = ['2024-03-01', '2024-03-03', '2024-03-01'].map((date) => ({
      at: `${date}T12:00:00Z`,
      value: '1',
    }));
    await given(happenings, 1);
    expect(await summary('daily', '2024-03-01', '2024-03-03')).toEqual([
      ['2024-03-01', '2', '2'],
      ['2024-03-02', '2', '0'],
      ['2024-03-03', '3', '1'],
    ]);
  });

  it('covers one user and one metric', async () => {
    const at = '2024-03-01T12:00:00Z';
    await given([
      { at, value: '1' },
      { at, value: '300', user: 'ada' },
      { at, value: '4000', metric: 'commits' },
    ]);
    const totalOf = async (asked: Asked) => (await summary('daily', '2024-03-01', '2024-03-01', asked))[0]?.[1];
    expect(await totalOf({})).toBe('1');
    expect(await totalOf({ user: 'ada' })).toBe('300');
    expect(await totalOf({ metric: 'commits' })).toBe('4000');
    expect(await totalOf({ user: 'nobody' })).toBe('0');
  });

  it('is exact: 0.1 and 0.2 add up to 0.3, even beyond the precision of a double', async () => {
    const at = '2024-03-01T12:00:00Z';
    const change = 123_456_789_012_345_678_901_234_567_890_000_001n;
    await store(
      METRIC_MONTHS.rows([{ subject: subjectOf(PROTO), number: NUMBER, day: parseDay('2024-02-29'), change }]),
    );
    await given(
      ['0.1', '0.2'].map((value) => ({ at, value })),
      1,
    );
    expect(await summary('daily', '2024-02-29', '2024-03-01')).toEqual([
      ['2024-02-29', '123456789012345678901234567890.000001', '123456789012345678901234567890.000001'],
      ['2024-03-01', '123456789012345678901234567890.300001', '0.3'],
    ]);
  });
});

describe('the digest of metrics', () => {
  it('hashes one change per date and names the user by id, however dates share rows', async () => {
    await given(
      [
        { at: '2024-02-29T12:00:00Z', value: '0.5' },
        { at: '2024-03-01T12:00:00Z', value: '1' },
        { at: '2024-02-29T13:00:00Z', value: '0.5' },
        { at: '2024-02-03T12:00:00Z', value: '-2' },
      ],
      2,
    );
    const directory = `(select '${ACCOUNT}' as account, ${subjectOf(PROTO)} as subject, 'ada' as user_id)`;
    const digest = METRIC_MONTHS.table.digest!({
      directory,
      ofUsers: `join ${directory} u using (subject) where u.account = $1`,
      name: (kind, column) => `(${column} || ' of ${kind}')`,
    });
    const hashed = await database.sql.query<{ value: string }>(digest, [ACCOUNT]);
    const changes = [['2024-02-03', -2], ['2024-02-29', 1], ['2024-03-01', 1]]; // prettier-ignore
    const expected = changes.map(([date, change]) => `(${ACCOUNT},ada,"${NUMBER} of metrics",${date},${change})`);
    expect(hashed.map(({ value }) => value).sort()).toEqual(expected);
  });
});

describe('the summary of a metric with 100,000 events on every day of 22 years', () => {
  it('touches at most 300 shared buffers', async () => {
    // Months of 40 users in turn, so that no two of one user lie on one page.
    await database.sql.query(
      `insert into metric_months
         select case number when 1 then $1::bigint else number end, month, $2, json_object_agg(extract(day from date), '12.5')
         from generate_series(1, 40) as number, generate_series(date '2002-01-01', date '2023-12-31', interval '1 day') as date,
           lateral (select date_trunc('month', date)::date as month) months
         group by number, month order by month, number`,
      [subjectOf(PROTO), NUMBER],
    );
    await database.sql.query('analyze metric_months', []);
    const counted = new CountedBuffers(database.sql);
    const queries = new UserQueries(
      counted,
      { read: () => Promise.reject(new Error('reads no state')) },
      () => history,
    );
    const rule = { frequency: 'daily', weekStart: 'monday' } as const;
    const range = { rule, from: '2023-01-01', to: '2023-12-31' };
    const buckets = await queries.metricSummary(ACCOUNT, subjectOf(PROTO), PROTO, range);
    expect(formatAmount(buckets.at(-1)!.total)).toBe(String(8_035 * 12.5));
    expect(counted.buffers).toBeGreaterThan(100);
    expect(counted.buffers).toBeLessThanOrEqual(300);
  });
});

const histories = fc.array(
  fc.record({
    at: fc
      .integer({ min: Date.parse('2024-02-20T00:00:00Z'), max: Date.parse('2024-03-20T00:00:00Z') })
      .map((instant) => new Date(instant).toISOString()),
    value: fc.integer({ min: -4_000_000, max: 4_000_000 }).map((halves) => formatAmount(BigInt(halves) * 500_000n)),
    tz: fc.constantFrom('UTC', 'Pacific/Kiritimati', 'Pacific/Honolulu'),
    user: fc.constantFrom(PROTO, 'ada'),
  }),
  { minLength: 1, maxLength: 12 },
);

describe('the stored days of metrics, for any history', () => {
  it('are identical however the events are divided into batches', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 1, max: 12 }), async (history, batch) => {
        await clear();
        await given(history, 1);
        const alone = await stored();
        await clear();
        await given(history, batch);
        expect(await stored()).toEqual(alone);
      }),
      { numRuns: 60 },
    );
  });

  it('add up to the total in the state and to the changes of each date', async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        await clear();
        await given(history, 3);
        for (const [subject, { totals }] of live(history).users) {
          const user = [PROTO, 'ada'].find((one) => subjectOf(one) === subject) ?? '';
          const days = await summary('daily', '2024-02-01', '2024-04-30', { user });
          expect(days.at(-1)?.[1]).toBe(formatAmount(totals.get(PROTO) ?? 0n));
          const own = history.filter((event) => (event.user ?? PROTO) === user);
          for (const [date, , change] of days) expect(change).toBe(changeOn(date!, own));
        }
      }),
      { numRuns: 60 },
    );
  });
});

/** Each event is on the clock that it names. */
function changeOn(date: string, events: readonly { at: string; tz: string; value: string }[]): string {
  const onDate = events.filter(({ at, tz }) => localDate(Date.parse(at), tz) === date);
  return formatAmount(onDate.reduce((sum, { value }) => sum + amount(value), 0n));
}

describe('attributesOf', () => {
  it('reads attributes by account and user, for users who have any', async () => {
    await database.sql.query('create table user_states (account text, subject bigint, users jsonb)', []);
    const documents = [
      ['a', PROTO, { attributes: [['10', 'x'], ['2', 'y']] }], // prettier-ignore
      ['b', PROTO, { attributes: [['k', 'v']] }],
      ['a', 'none', {}],
    ];
    for (const [account, user, users] of documents)
      await database.sql.query('insert into user_states values ($1, $2, $3)', [
        account,
        subjectOf(String(user)),
        users,
      ]);
    const queries = new UserQueries(
      database.sql,
      { read: () => Promise.reject(new Error('reads no state')) },
      () => history,
    );
    const asked = [PROTO, PROTO, 'none', 'unknown'].map((user) => ({ account: 'a', subject: subjectOf(user) }));
    const found = await queries.attributesOf(asked);
    expect([...found].map(([user, attributes]) => [user, [...attributes]])).toEqual([
      [`a\0${subjectOf(PROTO)}`, [['10', 'x'], ['2', 'y']]], // prettier-ignore
    ]);
  });
});
