import { namesWith, NO_NAMES, type NamedKind } from '@laurel/kernel';
import { digestOf } from '@laurel/engine';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { MIGRATIONS } from './all-migrations.ts';
import { DIGESTED_AREAS } from './digested-areas.ts';

const STATES = {
  users: {
    created: 1,
    updated: 2,
    totals: [
      ['words', '2'],
      ['lessons', '1'],
    ],
  },
  streaks: {
    generation: 1,
    reached: '2026-03-01',
    progress: [
      ['words', '2'],
      ['lessons', '1'],
    ],
    freezes: null,
  },
  achievements: ['streak', 'first'],
  points: {
    v: 1,
    position: 7,
    systems: [
      [
        'xp',
        '9',
        3,
        [
          ['b', '2'],
          ['a', '1', '4'],
        ],
      ],
      ['energy', '0', 3, []],
    ],
  },
};

describe('the digest of user states', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(MIGRATIONS);
  });
  afterAll(() => database.close());

  it('does not depend on the order of lists, which may differ after a former release', async () => {
    const before = await digestOfStates(STATES);
    const reordered = {
      ...STATES,
      users: { ...STATES.users, totals: STATES.users.totals.toReversed() },
      streaks: { ...STATES.streaks, progress: STATES.streaks.progress.toReversed(), held: 0 },
      achievements: STATES.achievements.toReversed(),
      points: {
        ...STATES.points,
        systems: [
          ['energy', '0', 3, []],
          [
            'xp',
            '9',
            3,
            [
              ['a', '1', '4'],
              ['b', '2'],
            ],
          ],
        ],
      },
    };
    expect(await digestOfStates(reordered)).toEqual(before);
  });

  it.each([
    [
      'users',
      {
        ...STATES.users,
        totals: [
          ['words', '3'],
          ['lessons', '1'],
        ],
      },
    ],
    ['streaks', { ...STATES.streaks, progress: [['words', '2']] }],
    ['achievements', ['first']],
    [
      'points',
      {
        ...STATES.points,
        systems: [
          [
            'xp',
            '9',
            3,
            [
              ['b', '2'],
              ['a', '1', '5'],
            ],
          ],
          ['energy', '0', 3, []],
        ],
      },
    ],
  ])('changes only in the line of %s if a value of that area changes', async (area, state) => {
    const before = await digestOfStates(STATES);
    const after = await digestOfStates({ ...STATES, [area]: state });
    expect(changedLines(before, after)).toEqual([area]);
  });

  it('covers the state of a user without points', async () => {
    expect(changedLines(await digestOfStates(STATES), await digestOfStates({ ...STATES, points: null }))).toEqual([
      'points',
    ]);
  });

  async function digestOfStates(states: Record<keyof typeof STATES, unknown>) {
    await database.sql.query('delete from user_states', []);
    const json = [states.users, states.streaks, states.achievements, states.points].map((state) =>
      JSON.stringify(state),
    );
    await database.sql.query(
      `insert into user_states (account, subject, users, streaks, achievements, points) values ('default', 7, $1, $2, $3, $4)`,
      json,
    );
    return (await digestOf(database.config, { account: 'default', areas: DIGESTED_AREAS, names: NO_NAMES })).lines;
  }

  const changedLines = (
    before: Awaited<ReturnType<typeof digestOfStates>>,
    after: Awaited<ReturnType<typeof digestOfStates>>,
  ) => before.filter(({ digest }, index) => digest !== after[index]?.digest).map(({ name }) => name);
});

/** One row of each table that names a user or something of the configuration by number. */
const ROWS: Record<string, readonly string[]> = {
  users: [
    `insert into user_zones (subject, position, zone) values (7, 1, 'UTC')`,
    `insert into metric_months (subject, month, metric, days) values (7, '2026-03-01', 2, '{"1":"5"}')`,
  ],
  streaks: [
    `insert into streak_periods (subject, generation, period_start, length, used_freeze) values (7, 1, '2026-03-01', 3, false)`,
  ],
  achievements: [
    `insert into achievement_completions (subject, position, achieved_at, achievement) values (7, 1, '2026-03-01', 2)`,
  ],
  points: [
    `insert into points_months (subject, month, system, days) values (7, '2026-03-01', 2, '{"1":"5"}')`,
    `insert into effects (subject, position, occurred_at, points, systems) values (7, 1, '2026-03-01', '[[2,5,5,0,null,2]]', '2')`,
  ],
  leaderboards: [
    `insert into board_standings (account, subject, reached_at, reached_position, run_start, reached_ordinal, board, value)
     values ('default', 7, '2026-03-01', 1, '2026-01-01', 0, 2, 5)`,
  ],
  'rank history': [
    `insert into rank_changes (subject, position, "timestamp", run_start, previous_rank, rank, ordinal, board, value)
     values (7, 1, '2026-03-01', '2026-01-01', 0, 1, 0, 2, 5)`,
  ],
};

const TABLES = Object.values(ROWS).flatMap((rows) => rows.map((row) => row.split(' ')[2]));

/** What is changed by SQL, and the one line that must show it. */
const PLANTED = [
  ['users', `update user_zones set zone = 'Asia/Tokyo'`],
  ['users', `update metric_months set days = '{"1":"6"}'`],
  ['users', `update metric_months set days = '{"2":"5"}'`],
  ['users', `update metric_months set month = '2026-04-01'`],
  ['users', `update metric_months set metric = 1`],
  ['streaks', `update streak_periods set length = 4`],
  ['streaks', `update streak_periods set used_freeze = true`],
  ['streaks', `update streak_periods set passed_over = 'excused'`],
  ['achievements', `update achievement_completions set achievement = 1`],
  ['achievements', `update achievement_completions set achieved_at = '2026-03-02'`],
  ['points', `update points_months set system = 1`],
  ['points', `update points_months set days = '{"1":"6"}'`],
  ['points', `update effects set points = '[[1,5,5,0,null,2]]'`],
  ['points', `update effects set points = '[[2,5,6,0,null,2]]'`],
  ['points', `update effects set points = '[[2,5,5,1,null,2]]'`],
  ['points', `update effects set points = '[[2,5,5,0,null,1]]'`],
  ['points', `update effects set event_id = '00000000-0000-7000-8000-000000000001'`],
  ['leaderboards', `update board_standings set board = 1`],
  ['leaderboards', `update board_standings set value = 6`],
  ['leaderboards', `update board_standings set reached_ordinal = 1`],
  ['rank history', `update rank_changes set board = 1`],
  ['rank history', `update rank_changes set previous_rank = 1`],
  ['rank history', `update rank_changes set rank = 0`],
  ['rank history', `update rank_changes set run_start = '2026-02-01'`],
] as const;

describe('the digest of tables', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(MIGRATIONS);
    await database.sql.query(`insert into subjects values ('default', 7, 'ada', ''), ('default', 8, 'bob', '')`, []);
  });
  afterAll(() => database.close());
  beforeEach(async () => {
    await database.sql.query(`truncate ${TABLES.join(', ')}`, []);
    for (const row of Object.values(ROWS).flat()) await database.sql.query(row, []);
  });

  it.each(PLANTED)('changes only in the line of %s: %s', async (line, change) => {
    const before = await digest('one', 'two');
    await database.sql.query(change, []);
    expect(changed(before, await digest('one', 'two'))).toEqual([line]);
  });

  it('hashes names and user ids, so that it does not depend on numbers and subjects', async () => {
    const before = await digest('one', 'two');
    const numbered = [
      ['metric_months', 'metric'],
      ['achievement_completions', 'achievement'],
      ['points_months', 'system'],
      ['board_standings', 'board'],
      ['rank_changes', 'board'],
    ];
    for (const [table, column] of numbered) await database.sql.query(`update ${table} set ${column} = 1`, []);
    await database.sql.query(`update effects set points = '[[1,5,5,0,null,1]]'`, []);
    expect(await digest('two', 'one')).toEqual(before);
    expect(changed(before, await digest('one', 'two'))).toHaveLength(5);

    for (const table of TABLES) await database.sql.query(`update ${table} set subject = 8`, []);
    expect(changed(before, await digest('two', 'one'))).toHaveLength(6);
    await database.sql.query(`update subjects set user_id = case subject when 7 then 'bob ' else 'ada' end`, []);
    expect(await digest('two', 'one')).toEqual(before);
  });

  it.each<[NamedKind, readonly string[]]>([
    ['metrics', ['users']],
    ['systems', ['points']],
    ['triggers', ['points']],
    ['boosts', ['points']],
    ['achievements', ['achievements']],
    ['boards', ['leaderboards', 'rank history']],
  ])('hashes the names of %s only in the lines that store them', async (kind, lines) => {
    const before = await digest('one', 'two');
    const renamed = { ...names('one', 'two'), [kind]: names('one', 'three')[kind] };
    expect(changed(before, await digestUnder(renamed))).toEqual(lines);
  });

  it('covers the rows of an erased user', async () => {
    for (const table of TABLES) await database.sql.query(`update ${table} set subject = 9`, []);
    const before = await digest('one', 'two');
    await database.sql.query('update metric_months set metric = 1', []);
    expect(changed(before, await digest('one', 'two'))).toEqual(['users']);
    expect(before.filter(({ name }) => name in ROWS).map(({ rows }) => rows > 0)).toEqual(
      Object.keys(ROWS).map(() => true),
    );
  });

  function names(...keys: readonly string[]) {
    const keyed = keys.map((key) => ({ key }) as never);
    const pointsSystems = keys.map((key) => ({ key, triggers: [{ id: key }], boosts: [{ id: key }] }) as never);
    return namesWith(NO_NAMES, { metrics: keyed, achievements: keyed, leaderboards: keyed, pointsSystems });
  }

  const digest = (...keys: readonly string[]) => digestUnder(names(...keys));

  const digestUnder = async (under: ReturnType<typeof names>) =>
    (await digestOf(database.config, { account: 'default', areas: DIGESTED_AREAS, names: under })).lines;

  type Lines = Awaited<ReturnType<typeof digest>>;
  const changed = (before: Lines, after: Lines) =>
    before.filter(({ digest: was }, index) => was !== after[index]?.digest).map(({ name }) => name);
});
