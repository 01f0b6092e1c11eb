import type { ConfigurationHistory, StateReader, StreakDefinition } from '@laurel/kernel';
import { subjectOf } from '@laurel/testing/subjects';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { streaksMigrations } from './migrations.ts';
import { StreakQueries } from './streak-queries.ts';
import { ADA, StreakStory, configurationOf, definitionOf, instantOf } from './testing/streak-story.ts';

describe('StreakQueries', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(streaksMigrations);
  });
  afterAll(() => database.close());
  beforeEach(() => database.sql.query('truncate streak_periods', []));

  /** Stores a story as the engine does, for the user `ada`. */
  async function queriesOf(story: StreakStory): Promise<StreakQueries> {
    await database.sql.query(
      'insert into streak_periods select * from json_populate_recordset(null::streak_periods, $1::json)',
      [JSON.stringify(story.rows)],
    );
    return queries(story.definition, {
      read: async (_, subject) => (subject === ADA ? story.stored : null),
      readAll: async (_, subjects) => new Map(subjects.filter((id) => id === ADA).map((id) => [id, story.stored])),
    });
  }

  function queries(definition: StreakDefinition | null, states: StateReader): StreakQueries {
    const history = { current: configurationOf(definition) } as unknown as ConfigurationHistory;
    return new StreakQueries(database.sql, states, () => history);
  }

  const nothingStored: StateReader = { read: async () => null, readAll: async () => new Map() };

  const day = (periodStart: string, length: number, usedFreeze = false) => ({
    periodStart,
    periodEnd: periodStart,
    length,
    usedFreeze,
    passedOver: null,
  });

  it('reads the streak as of the requested instant', async () => {
    const story = new StreakStory();
    story.event('2024-03-01T12:00:00Z');
    const reads = await queriesOf(story);
    expect((await reads.view('default', ADA, instantOf('2024-03-02T12:00:00Z'))).length).toBe(1);
    expect((await reads.view('default', ADA, instantOf('2024-03-03T00:00:00Z'))).length).toBe(0);
  });

  it('reads the lengths of many users at an instant, and omits unknown users', async () => {
    const story = new StreakStory();
    story.event('2024-03-01T12:00:00Z');
    const reads = await queriesOf(story);
    const lengthsAt = (at: string) => reads.lengths('default', [subjectOf('bob'), ADA], instantOf(at));
    const extendedAt = instantOf('2024-03-01T12:00:00Z');
    expect(await lengthsAt('2024-03-02T12:00:00Z')).toMatchObject(new Map([[ADA, { length: 1, extendedAt }]]));
    expect(await lengthsAt('2024-03-03T00:00:00Z')).toMatchObject(new Map([[ADA, { length: 0, extendedAt: null }]]));
  });

  it('counts lengths of the current generation across all partitions of one account', async () => {
    await database.sql.query(
      `insert into streak_length_counts (account, generation, length, partition, reached, ended) values
        ('default', 1, 1, 0, 5, 2), ('default', 1, 1, 3, 2, 0), ('default', 1, 2, 0, 3, 1), ('default', 1, 3, 0, 1, 1), ('default', 1, 3, 1, -1, -1),
        ('default', 2, 1, 0, 70, 7), ('another', 1, 1, 0, 900, 9)`,
      [],
    );
    const readsNoState = () => Promise.reject(new Error('reads no state'));
    const none = { read: readsNoState, readAll: readsNoState };
    const one = { length: 1, reached: 7, ended: 2 };
    const two = { length: 2, reached: 3, ended: 1 };
    const of = queries(definitionOf(), none);
    expect(await of.survival('default', 1_000)).toEqual({ lengths: [one, two], longest: 2 });
    expect(await of.survival('default', 1)).toEqual({ lengths: [one], longest: 2 });
    expect(await queries(definitionOf({ generation: 2 }), none).survival('default', 1_000)).toEqual({
      lengths: [{ length: 1, reached: 70, ended: 7 }],
      longest: 1,
    });
    expect(await queries(null, none).survival('default', 1_000)).toEqual({ lengths: [], longest: 0 });
  });

  it('lists periods up to the current one, oldest first, with length 0 for periods without a streak', async () => {
    const story = new StreakStory();
    for (const date of ['2024-02-28', '2024-02-29', '2024-03-02']) story.event(`${date}T12:00:00Z`);
    const reads = await queriesOf(story);
    expect(await reads.history('default', ADA, instantOf('2024-03-03T12:00:00Z'), 5)).toEqual([
      day('2024-02-28', 1),
      day('2024-02-29', 2),
      day('2024-03-01', 0),
      day('2024-03-02', 1),
      day('2024-03-03', 0),
    ]);
    expect(await reads.history('default', ADA, instantOf('2024-03-03T12:00:00Z'), 1)).toEqual([day('2024-03-03', 0)]);
    expect(await reads.history('default', ADA, instantOf('2024-03-03T12:00:00Z'), 366)).toHaveLength(366);
  });

  it('ends the history with the period already reached if the user has travelled west', async () => {
    const story = new StreakStory(definitionOf(), 'Pacific/Kiritimati');
    story.event('2024-03-01T12:00:00Z');
    story.identified('2024-03-01T13:00:00Z', 'Pacific/Honolulu');
    const reads = await queriesOf(story);
    expect(await reads.history('default', ADA, instantOf('2024-03-01T14:00:00Z'), 2)).toEqual([
      day('2024-03-01', 0),
      day('2024-03-02', 1),
    ]);
  });

  it('shows a date that the zone skipped at the old length once the streak is extended past it', async () => {
    const story = new StreakStory(definitionOf(), 'Pacific/Apia');
    story.event('2011-12-29T20:00:00Z');
    const before = await queriesOf(story);
    const at = instantOf('2011-12-31T09:00:00Z');
    expect((await before.history('default', ADA, at, 3)).map(({ length }) => length)).toEqual([1, 0, 0]);
    const rows = story.rows.length;
    story.event(at);
    story.rows.splice(0, rows);
    const after = await queriesOf(story);
    expect((await after.history('default', ADA, at, 3)).map(({ length }) => length)).toEqual([1, 1, 2]);
  });

  it('shows used freezes, whether or not they have been recorded', async () => {
    const freezes = { initial: 2, max: 2, earnEvery: null, earn: null };
    const story = new StreakStory(definitionOf({ freezes }));
    story.event('2024-03-01T12:00:00Z');
    story.swept('2024-03-03T00:00:00Z');
    const reads = await queriesOf(story);
    expect(await reads.history('default', ADA, instantOf('2024-03-05T12:00:00Z'), 5)).toEqual([
      day('2024-03-01', 1),
      day('2024-03-02', 1, true),
      day('2024-03-03', 1, true),
      day('2024-03-04', 0),
      day('2024-03-05', 0),
    ]);
    const all = await reads.allPeriods('default', ADA, instantOf('2024-03-05T12:00:00Z'));
    expect(all.map(({ length }) => length)).toEqual(
      (await reads.history('default', ADA, instantOf('2024-03-05T12:00:00Z'), 5))
        .map(({ length }) => length)
        .filter((length) => length > 0),
    );
  });

  it('names the first and last date of each week', async () => {
    const story = new StreakStory(definitionOf({ frequency: 'weekly', weekStart: 'sunday' }));
    story.event('2024-03-03T12:00:00Z');
    const reads = await queriesOf(story);
    expect(await reads.history('default', ADA, instantOf('2024-03-11T12:00:00Z'), 2)).toEqual([
      { periodStart: '2024-03-03', periodEnd: '2024-03-09', length: 1, usedFreeze: false, passedOver: null },
      { periodStart: '2024-03-10', periodEnd: '2024-03-16', length: 0, usedFreeze: false, passedOver: null },
    ]);
  });

  it('omits rows of an older generation and of other users', async () => {
    const story = new StreakStory();
    story.event('2024-03-01T12:00:00Z');
    const reads = await queriesOf(story);
    const at = instantOf('2024-03-01T13:00:00Z');
    expect((await reads.history('default', ADA, at, 1))[0]).toEqual(day('2024-03-01', 1));
    expect((await reads.history('default', subjectOf('bob'), at, 1))[0]).toEqual(day('2024-03-01', 0));
    await database.sql.query('truncate streak_periods', []);
    story.definition = definitionOf({ generation: 2 });
    const later = await queriesOf(story);
    expect((await later.history('default', ADA, at, 1))[0]).toEqual(day('2024-03-01', 0));
    expect(await later.allPeriods('default', ADA, at)).toEqual([]);
  });

  it('lists the whole history of a user in chronological order', async () => {
    const story = new StreakStory();
    for (const date of ['1999-12-31', '2024-02-29', '2024-03-01']) story.event(`${date}T12:00:00Z`);
    const reads = await queriesOf(story);
    expect(await reads.allPeriods('default', ADA, instantOf('2024-03-01T13:00:00Z'))).toEqual([
      { periodStart: '1999-12-31', length: 1 },
      { periodStart: '2024-02-29', length: 1 },
      { periodStart: '2024-03-01', length: 2 },
    ]);
  });

  it('returns nothing if no streak is configured', async () => {
    const reads = queries(null, nothingStored);
    const at = instantOf('2024-03-01T12:00:00Z');
    expect(await reads.history('default', ADA, at, 7)).toEqual([]);
    expect(await reads.allPeriods('default', ADA, at)).toEqual([]);
    expect(await reads.view('default', ADA, at)).toMatchObject({ length: 0, frequency: 'daily', periodStart: null });
  });

  it('treats a user without a state as one without a streak, in UTC', async () => {
    const reads = queries(definitionOf(), nothingStored);
    const view = await reads.view('default', subjectOf('bob'), instantOf('2024-03-01T12:00:00Z'));
    expect(view).toMatchObject({ length: 0, periodStart: '2024-03-01', started: null });
  });
});
