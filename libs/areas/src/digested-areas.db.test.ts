import { digestOf } from '@laurel/projections';
import { openTestDatabase, type TestDatabase } from '@laurel/testing';
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

describe('the digest of states', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(MIGRATIONS);
  });
  afterAll(() => database.close());

  it('does not depend on the order in which they list things, as that of a former release may be another', async () => {
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
  ])('changes in the line of %s alone with a value of theirs', async (area, state) => {
    const before = await digestOfStates(STATES);
    const after = await digestOfStates({ ...STATES, [area]: state });
    expect(changedLines(before, after)).toEqual([area]);
  });

  it('reads the state of a user without points', async () => {
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
    return (await digestOf(database.connection, 'default', DIGESTED_AREAS)).lines;
  }

  const changedLines = (
    before: Awaited<ReturnType<typeof digestOfStates>>,
    after: Awaited<ReturnType<typeof digestOfStates>>,
  ) => before.filter(({ digest }, index) => digest !== after[index]?.digest).map(({ name }) => name);
});
