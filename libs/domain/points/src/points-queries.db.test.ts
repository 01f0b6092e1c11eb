import { storedRows, type Configuration, type Row, type SqlReader, type Subject } from '@laurel/kernel';
import { effectsMigration } from '@laurel/ports';
import { subjectOf } from '@laurel/testing/subjects';
import { CountedBuffers, openTestDatabase } from '@laurel/testing/database';
import {
  at,
  awardsOf,
  configuration,
  DAY,
  every,
  type StoryEvent,
  historyOf,
  HOUR,
  type Life,
  live,
  onCreation,
  onMetric,
  pointsSystem,
  USER,
} from './points.fixture.ts';
import { awardsOfUser, everyAward, type RecordedAward } from './every-award.ts';
import { pointsMigrations } from './migrations.ts';
import { pointsArea } from './points-area.ts';
import { POINTS_MONTHS } from './points-months.ts';
import { PointsQueries } from './points-queries.ts';

const START = at('2024-03-01T12:00:00Z');
const xp = pointsSystem('xp', [onCreation(100), onMetric('commits', 1, 10)]);
const energy = pointsSystem('energy', [every(4, 'hour', 1), onMetric('merges', 1, -2)], { maxPoints: 5 });
const UNDER = configuration([xp, energy]);

const commits = (instant: number, more: Partial<StoryEvent> = {}): StoryEvent => ({
  at: instant,
  metric: ['commits', 1],
  ...more,
});

let database: Awaited<ReturnType<typeof openTestDatabase>>;
const lives = new Map<number, Life>();

beforeAll(async () => {
  database = await openTestDatabase([...pointsMigrations, effectsMigration]);
  await database.sql.query('create table user_states (account text, subject bigint primary key, points jsonb)', []);
});
afterAll(() => database.close());
beforeEach(forget);

async function forget(): Promise<void> {
  lives.clear();
  await database.sql.query('truncate effects, points_months, user_states', []);
}

/** As the engine writes a batch. */
async function store(rows: readonly Row[]): Promise<void> {
  const insert = 'insert into effects select * from json_populate_recordset(null::effects, $1::json)';
  await database.sql.query(insert, [JSON.stringify(rows)]);
}

async function storeMonth(row: Row): Promise<void> {
  const insert = `insert into points_months select * from json_populate_recordset(null::points_months, $1::json) ${POINTS_MONTHS.table.onConflict}`;
  await database.sql.query(insert, [JSON.stringify(storedRows(POINTS_MONTHS.table, [row]))]);
}

async function storeState(user: Subject, { state }: Life): Promise<void> {
  const insert =
    'insert into user_states values ($1, $2, $3) on conflict (subject) do update set points = excluded.points';
  await database.sql.query(insert, ['default', user, JSON.stringify(pointsArea.encode(state))]);
}

async function given(happenings: readonly StoryEvent[], user = USER, under = UNDER): Promise<Life> {
  const life = live(under, happenings, user);
  await store(life.rows);
  for (const row of life.months) await storeMonth(row);
  await storeState(user, life);
  lives.set(user, life);
  return life;
}

function queries(under: Configuration = UNDER, sql: SqlReader = database.sql): PointsQueries {
  const read = (_account: string, subject: Subject): Promise<unknown> => {
    const life = lives.get(subject);
    return Promise.resolve(life ? pointsArea.encode(life.state) : null);
  };
  return new PointsQueries(sql, { read }, () => historyOf(under), { count: () => Promise.resolve(lives.size) });
}

const total = async (system: string, instant: number) =>
  (await queries().standing('default', USER, system, instant)).total;
const awards = (system: string, instant: number, limit: number) =>
  queries().awards({ account: 'default', subject: USER }, system, instant, limit);

describe('the total of a user', () => {
  it('includes due time awards whether or not they have been recorded', async () => {
    await given([commits(START), { at: START + 9 * HOUR, swept: true }]);
    expect(await total('energy', START + 9 * HOUR)).toBe(2n);
    expect(await total('energy', START + 12 * HOUR)).toBe(3n);
    expect(await total('energy', START + 900 * DAY)).toBe(5n);
    expect(await total('xp', START + 12 * HOUR)).toBe(110n);
  });

  it('is the recorded total at an instant before the last settlement', async () => {
    await given([commits(START), { at: START + 9 * HOUR, swept: true }]);
    expect(await total('energy', START)).toBe(2n);
  });

  it('is 0 for a user without events', async () => {
    expect(await total('xp', START)).toBe(0n);
    expect(await awards('xp', START, 10)).toEqual([]);
  });
});

describe('the awards of a user', () => {
  it('are listed newest first, due ones before recorded ones', async () => {
    await given([
      commits(START),
      { at: START + 9 * HOUR, swept: true },
      { at: START + 10 * HOUR, metric: ['merges', 1] },
    ]);
    const read = await awards('energy', START + 13 * HOUR, 10);
    expect(read.map((award) => [award.awarded, award.total, (award.at - START) / HOUR])).toEqual([
      [1n, 1n, 12],
      [-2n, 0n, 10],
      [1n, 2n, 8],
      [1n, 1n, 4],
    ]);
    expect((await awards('energy', START + 13 * HOUR, 2)).map((award) => award.awarded)).toEqual([1n, -2n]);
    expect((await awards('energy', START + 13 * HOUR, 1)).map((award) => award.awarded)).toEqual([1n]);
  });

  it('have the same ids before and after they are recorded', async () => {
    await given([commits(START)]);
    const before = await awards('energy', START + DAY, 10);
    await database.sql.query('truncate effects, points_months', []);
    await given([commits(START), { at: START + DAY, swept: true }]);
    expect(await awards('energy', START + DAY, 10)).toEqual(before);
    expect(before).toHaveLength(5);
  });

  it('follow the order of recording, so a late import precedes newer awards', async () => {
    await given([commits(START), commits(START + DAY), commits(START + HOUR)]);
    const read = await awards('xp', START + DAY, 10);
    expect(read.map((award) => [award.total, (award.at - START) / HOUR])).toEqual([
      [130n, 1],
      [120n, 24],
      [110n, 0],
      [100n, 0],
    ]);
  });

  it('exclude awards recorded after the state was read', async () => {
    const life = await given([commits(START), commits(START + DAY)]);
    lives.set(USER, live(UNDER, [commits(START)]));
    expect(awardsOf(life).filter(({ system }) => system === 'xp')).toHaveLength(3);
    expect(await awards('xp', START, 10)).toHaveLength(2);
    expect((await awards('xp', START, 10))[0]?.total).toBe(await total('xp', START));
  });

  it('exclude other users and other points systems, even of the same event', async () => {
    const both = configuration([
      pointsSystem('energy', [onMetric('commits', 1, 3, 'of energy'), every(4, 'hour', 1)]),
      pointsSystem('xp', [onCreation(100), onMetric('commits', 1, 10)]),
    ]);
    await given([commits(START)], 9);
    await given([commits(START, { under: both })]);
    const read = await queries(both).awards({ account: 'default', subject: USER }, 'xp', START, 10);
    expect(read.map(({ awarded }) => awarded)).toEqual([10n, 100n]);
    const exported = await queries(both).exportOf('default', USER, START);
    expect([...exported].map(([key, system]) => [key, system.awards])).toEqual([
      ['energy', 1],
      ['xp', 2],
    ]);
  });

  it('are exact beyond the precision of a double', async () => {
    const huge = configuration([pointsSystem('xp', [onMetric('commits', 0.000001, 1_000_000_000)])]);
    await given([{ at: START, metric: ['commits', 1e9] }], USER, huge);
    expect((await queries(huge).awards({ account: 'default', subject: USER }, 'xp', START, 1))[0]?.total).toBe(
      10n ** 24n,
    );
  });
});

describe('the newest awards of a user with 100,000 events', () => {
  it('are read with at most 300 shared buffers, even for a system that rarely awards points', async () => {
    await database.sql.query(
      `insert into effects (subject, position, occurred_at, event_id, points, systems)
       select case when i % 4 = 0 then $1::bigint else 1000 + i % 5000 end, i, now(), gen_random_uuid(),
         case when i % 8000 = 0 then '[[2,10,1],[4,1,1]]' when i % 8 = 0 then '[[2,10,1]]' end,
         case when i % 8000 = 0 then '1,2' when i % 8 = 0 then '1' end
       from generate_series(1, 400000) i`,
      [USER],
    );
    await database.sql.query('vacuum analyze effects', []);
    const life = live(UNDER, [commits(START)]);
    lives.set(USER, { ...life, state: { ...life.state, state: { ...life.state.state, position: 400_000 } } });
    for (const [system, given] of [
      ['xp', 100],
      ['energy', 50],
    ] as const) {
      const sql = new CountedBuffers(database.sql);
      expect(await queries(UNDER, sql).awards({ account: 'default', subject: USER }, system, START, 100)).toHaveLength(
        given,
      );
      expect(sql.buffers).toBeLessThanOrEqual(300);
    }
    const one = new CountedBuffers(database.sql);
    const question = 'select users, streaks, achievements, points from effects where subject = $1 and position = $2';
    expect(await one.query(question, [USER, 200_000])).toHaveLength(1);
    expect(one.buffers).toBeLessThanOrEqual(10);
  });
});

describe('the summary of points', () => {
  const summary = async (
    aggregation: 'daily' | 'weekly' | 'monthly',
    from: string,
    to: string,
    instant: number,
    system = 'xp',
    under = UNDER,
  ) => {
    const buckets = await queries(under).summary({ account: 'default', subject: USER }, system, instant, {
      aggregation,
      from,
      to,
    });
    return buckets.map(({ date, total: then, change }) => [date, then, change]);
  };

  it('has a bucket for every period, including empty and future ones', async () => {
    await given([commits(START), commits(START + 2 * DAY)]);
    expect(await summary('daily', '2024-02-29', '2024-03-05', START + 2 * DAY)).toEqual([
      ['2024-02-29', 0n, 0n],
      ['2024-03-01', 110n, 110n],
      ['2024-03-02', 110n, 0n],
      ['2024-03-03', 120n, 10n],
      ['2024-03-04', 120n, 0n],
      ['2024-03-05', 120n, 0n],
    ]);
  });

  it('dates each bucket at its start but not before the range, and carries over the earlier total', async () => {
    await given([commits(START), commits(at('2024-03-05T12:00:00Z')), commits(at('2024-03-12T12:00:00Z'))]);
    expect(await summary('weekly', '2024-03-06', '2024-03-18', START + 30 * DAY)).toEqual([
      ['2024-03-06', 120n, 0n],
      ['2024-03-11', 130n, 10n],
      ['2024-03-18', 130n, 0n],
    ]);
    expect(await summary('monthly', '2024-02-10', '2024-03-11', START + 30 * DAY)).toEqual([
      ['2024-02-10', 0n, 0n],
      ['2024-03-01', 120n, 120n],
    ]);
  });

  it('starts weeks on the configured day', async () => {
    await given([commits(at('2024-03-03T12:00:00Z'))]);
    const sunday = { ...UNDER, weekStart: 'sunday' } as const;
    expect(await summary('weekly', '2024-02-25', '2024-03-04', START + 30 * DAY, 'xp', sunday)).toEqual([
      ['2024-02-25', 0n, 0n],
      ['2024-03-03', 110n, 110n],
    ]);
    expect(await summary('weekly', '2024-02-26', '2024-03-04', START + 30 * DAY)).toEqual([
      ['2024-02-26', 110n, 110n],
      ['2024-03-04', 110n, 0n],
    ]);
  });

  it("dates each award in the user's zone at that instant", async () => {
    await given([
      commits(at('2024-03-01T23:00:00Z'), { zone: 'Asia/Tokyo' }),
      commits(at('2024-03-02T23:00:00Z'), { zone: 'UTC' }),
    ]);
    expect(await summary('daily', '2024-03-01', '2024-03-03', START + 30 * DAY)).toEqual([
      ['2024-03-01', 0n, 0n],
      ['2024-03-02', 120n, 120n],
      ['2024-03-03', 120n, 0n],
    ]);
  });

  it('counts a late import on its own date', async () => {
    await given([commits(START), commits(START + 3 * DAY), commits(START + DAY)]);
    expect(await summary('daily', '2024-03-01', '2024-03-04', START + 3 * DAY)).toEqual([
      ['2024-03-01', 110n, 110n],
      ['2024-03-02', 120n, 10n],
      ['2024-03-03', 120n, 0n],
      ['2024-03-04', 130n, 10n],
    ]);
  });

  it('includes due time awards, even those before the range', async () => {
    await given([commits(START)]);
    const expected = [
      ['2024-03-02', 5n, 3n],
      ['2024-03-03', 5n, 0n],
    ];
    expect(await summary('daily', '2024-03-02', '2024-03-03', START + 9 * DAY, 'energy')).toEqual(expected);
    await forget();
    await given([commits(START), { at: START + 9 * DAY, swept: true }]);
    expect(await summary('daily', '2024-03-02', '2024-03-03', START + 9 * DAY, 'energy')).toEqual(expected);
  });

  it('reads state and changes in one statement, so that a concurrent event counts wholly or not at all', async () => {
    await given([commits(START), { at: START + 9 * HOUR, swept: true }]);
    const statements: string[] = [];
    const watched: SqlReader = {
      query: (sql, parameters) => {
        statements.push(sql);
        return database.sql.query(sql, parameters);
      },
    };
    const states = { read: () => Promise.reject(new Error('reads no state beside it')) };
    const users = { count: () => Promise.resolve(1) };
    const reads = new PointsQueries(watched, states, () => historyOf(UNDER), users);
    const range = { aggregation: 'daily', from: '2024-03-01', to: '2024-03-01' } as const;
    const [day] = await reads.summary({ account: 'default', subject: USER }, 'energy', START + 9 * HOUR, range);
    expect(day).toMatchObject({ total: 2n });
    expect(statements).toHaveLength(1);
  });

  it('adds exactly beyond the precision of a double', async () => {
    await given([commits(START)]);
    const more = 10n ** 20n + 1n;
    const [month] = lives.get(USER)!.months.filter(({ system }) => system === UNDER.names.systems.numberOf('xp'));
    await storeMonth({ ...month, days: [1, more * 1_000_000n] });
    expect(await summary('daily', '2024-03-01', '2024-03-01', START)).toEqual([
      ['2024-03-01', 110n + more, 110n + more],
    ]);
  });

  it('covers only users of the account', async () => {
    await given([commits(START)]);
    const range = { aggregation: 'daily', from: '2024-03-01', to: '2024-03-01' } as const;
    const [day] = await queries().summary({ account: 'another', subject: USER }, 'xp', START, range);
    expect(day).toMatchObject({ total: 0n });
  });

  it('touches at most 300 shared buffers for a user with awards on every day of 22 years', async () => {
    await given([commits(START)]);
    await database.sql.query('truncate points_months', []);
    // Months of 40 users in turn, so that no two of one user lie on one page.
    await database.sql.query(
      `insert into points_months
         select case number when 1 then $1::bigint else -number end, month, $2, json_object_agg(extract(day from date), '10')
         from generate_series(1, 40) as number, generate_series(date '2002-01-01', date '2023-12-31', interval '1 day') as date,
           lateral (select date_trunc('month', date)::date as month) months
         group by number, month order by month, number`,
      [USER, UNDER.names.systems.numberOf('xp')],
    );
    await database.sql.query('analyze points_months', []);
    const counted = new CountedBuffers(database.sql);
    const range = { aggregation: 'daily', from: '2023-01-01', to: '2023-12-31' } as const;
    const buckets = await queries(UNDER, counted).summary({ account: 'default', subject: USER }, 'xp', START, range);
    expect(buckets.at(-1)?.total).toBe(80_350n);
    expect(counted.buffers).toBeGreaterThan(100);
    expect(counted.buffers).toBeLessThanOrEqual(300);
  });

  it('shows 0 for a user without events', async () => {
    expect(await summary('monthly', '2024-03-02', '2024-03-03', START)).toEqual([['2024-03-02', 0n, 0n]]);
  });
});

describe('the export of points', () => {
  it("shows each system's total, number of awards and last three awards, oldest first", async () => {
    await given([commits(START), commits(START + HOUR), commits(START + 2 * HOUR)]);
    const none = { total: 0n, earned: null, awards: 0, last: [] };
    const exported = await queries().exportMany('default', [USER, subjectOf('nobody')], START + 9 * HOUR);
    expect(exported.get(subjectOf('nobody'))).toEqual(
      new Map([
        ['xp', none],
        ['energy', none],
      ]),
    );
    expect(exported.get(USER)?.get('xp')).toEqual({
      total: 130n,
      earned: null,
      awards: 4,
      last: [
        { at: START, awarded: 10n, total: 110n },
        { at: START + HOUR, awarded: 10n, total: 120n },
        { at: START + 2 * HOUR, awarded: 10n, total: 130n },
      ],
    });
  });

  it('lists due awards after recorded ones', async () => {
    await given([commits(START), { at: START + 9 * HOUR, swept: true }, { at: START + 10 * HOUR }]);
    const exported = await queries().exportOf('default', USER, START + 17 * HOUR);
    expect(exported.get('energy')).toEqual({
      total: 4n,
      earned: null,
      awards: 4,
      last: [8, 12, 16].map((hours, index) => ({ at: START + hours * HOUR, awarded: 1n, total: BigInt(index + 2) })),
    });
  });

  it('reads the awards of all users with one query', async () => {
    await given([commits(START)], subjectOf('one'));
    await given([commits(START), commits(START + HOUR)], subjectOf('two'));
    let asked = 0;
    const counting: SqlReader = {
      query: (sql, parameters) => {
        asked += 1;
        return database.sql.query(sql, parameters);
      },
    };
    const exported = await queries(UNDER, counting).exportMany(
      'default',
      [subjectOf('two'), subjectOf('one')],
      START + HOUR,
    );
    expect([...exported].map(([user, systems]) => [user, systems.get('xp')?.total])).toEqual([
      [subjectOf('two'), 120n],
      [subjectOf('one'), 110n],
    ]);
    expect(asked).toBe(1);
  });
});

describe('a publication during a read', () => {
  it('does not change the configuration version of that read', async () => {
    await given([commits(START)]);
    let current = UNDER;
    const publishing: SqlReader = {
      query: (sql, parameters) => {
        current = configuration([energy, xp], 2, UNDER.names);
        return database.sql.query(sql, parameters);
      },
    };
    const read = (): Promise<unknown> => Promise.resolve(pointsArea.encode(lives.get(USER)!.state));
    const reads = new PointsQueries(publishing, { read }, () => historyOf(current), {
      count: () => Promise.resolve(1),
    });
    const range = { aggregation: 'daily', from: '2024-03-01', to: '2024-03-01' } as const;
    const due = START + 9 * HOUR;
    expect(await reads.summary({ account: 'default', subject: USER }, 'xp', due, range)).toEqual([
      { date: '2024-03-01', total: 110n, change: 110n },
    ]);
    current = UNDER;
    const exported = await reads.exportMany('default', [USER], due);
    expect([...exported.get(USER)!].map(([key, { total: then, awards: many }]) => [key, then, many])).toEqual([
      ['xp', 110n, 2],
      ['energy', 2n, 2],
    ]);
  });
});

describe('the export of awards', () => {
  it('lists each award once, user by user, whatever the page size', async () => {
    const users = [USER, USER + 1, USER + 2];
    for (const user of users)
      await given([{ at: START }, commits(START + HOUR), commits(START + DAY), { at: START + DAY + HOUR }], user);
    const expected = users.flatMap((subject) =>
      (lives.get(subject)?.rows ?? []).flatMap((row) => JSON.parse(String(row['points'] ?? '[]')) as unknown[][]),
    );
    const given_ = expected
      .filter(([kind]) => kind !== 'level')
      .map(([, awarded, total]) => [awarded, total].map(BigInt as never));
    const names = () => UNDER.names;
    for (const rows of [1, 2, 3, 100]) {
      const read: RecordedAward[] = [];
      for await (const page of everyAward(database.sql, 'default', { from: null, to: null, pageRows: rows }, names))
        read.push(...page);
      expect(read.map(({ awarded, total }) => [awarded, total])).toEqual(given_);
      expect([...new Set(read.map(({ subject }) => subject))]).toEqual(users);
      const own: RecordedAward[] = [];
      for await (const page of awardsOfUser(database.sql, { account: 'default', subject: USER + 1 }, names, rows))
        own.push(...page);
      expect(own).toEqual(read.filter(({ subject }) => subject === USER + 1));
    }
  });

  it('selects awards by their own instants and by account', async () => {
    await given([{ at: START }, commits(START + HOUR), { at: START + DAY }]);
    const times = async (from: number | null, to: number | null, account = 'default') => {
      const read: number[] = [];
      for await (const page of everyAward(database.sql, account, { from, to }, () => UNDER.names))
        read.push(...page.map(({ at: instant }) => instant));
      return read;
    };
    const all = await times(null, null);
    const middle = START + 5 * HOUR;
    expect(all.filter((instant) => instant < middle).length).toBeGreaterThan(1);
    expect(await times(middle, null)).toEqual(all.filter((instant) => instant >= middle));
    expect(await times(null, middle)).toEqual(all.filter((instant) => instant < middle));
    expect((await times(middle, null)).length).toBeGreaterThan(1);
    expect(await times(null, null, 'another')).toEqual([]);
  });
});
