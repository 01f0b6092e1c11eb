import { addDays } from '@laurel/calendar';
import { newestFinalRun } from '@laurel/contributions';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { exportRun, exportRuns, type RunPage } from './export-runs.ts';
import { rankChangesOfUser, standingsOfUser, type RankChangeOfUser } from './export-user.ts';
import { leaderboardsMigrations } from './index.ts';
import { configurationOf, metricBoard } from './testing/configuration.ts';

const ALL = metricBoard('all', { maxParticipants: 500 });
const DAILY = metricBoard('daily', { run: { unit: 'day', interval: 1 } });
const configuration = configurationOf([ALL, DAILY]);
const RUN = { start: '2026-01-01', end: null };

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(leaderboardsMigrations);
  // Few values, instants, positions and ordinals, so that every tie is among them; some have none.
  await database.sql.query(
    `insert into board_standings
     select 'default', 7 * n, timestamptz '2026-03-01T00:00:00Z' + (n % 3) * interval '1 ms', n % 2, '2026-01-01', n % 5, 1, 0.1 * (n % 4)
     from generate_series(1, 800) n`,
    [],
  );
  for (const start of ['2026-03-01', '2026-03-02', '2026-03-03'])
    await database.sql.query(
      `insert into board_standings values ('default', 1, '2026-03-01T00:00:00Z', 1, $1::date, 0, 2, 5)`,
      [start],
    );
});
afterAll(() => database.close());

async function all(pages: AsyncGenerator<RunPage, void>): Promise<RunPage[]> {
  const read: RunPage[] = [];
  for await (const page of pages) read.push(page);
  return read;
}

describe('the export of runs', () => {
  it.each([1, 7, 100, 500, 600, 1_000])(
    'returns the same ranking in pages of %d rows, with ties in order',
    async (rows) => {
      const expected = await database.sql.query<{ subject: string; rank: string }>(
        `select subject, row_number() over (order by value desc, reached_at, reached_position, reached_ordinal, subject) as rank
       from board_standings where board = 1 and value > 0 order by rank limit 500`,
        [],
      );
      const pages = await all(exportRun(database.sql, configuration, { board: ALL, run: RUN, limit: 500 }, rows));
      expect(Math.max(...pages.map(({ rankings }) => rankings.length))).toBeLessThanOrEqual(rows);
      const read = pages.flatMap(({ rankings }) => rankings.map(({ subject, rank }) => [subject, rank]));
      expect(read).toEqual(expected.map(({ subject, rank }) => [Number(subject), Number(rank)]));
      expect(read).toHaveLength(500);
    },
  );

  it('includes each run that overlaps the requested dates', async () => {
    const runs = async (from: string | null, to: string | null) =>
      (await all(exportRuns(database.sql, configuration, { from, to }))).map(({ board, run }) => [board, run.start]);
    const daily = (...starts: string[]) => starts.map((start) => ['daily', start]);
    const every = ['all', '2026-01-01'];
    expect(await runs(null, null)).toEqual([every, ...daily('2026-03-01', '2026-03-02', '2026-03-03')]);
    expect(await runs('2026-03-02', null)).toEqual([every, ...daily('2026-03-02', '2026-03-03')]);
    expect(await runs('2026-03-02', '2026-03-03')).toEqual([every, ...daily('2026-03-02')]);
    expect(await runs(null, '2026-01-01')).toEqual([]);
  });
});

describe('newestFinalRun', () => {
  const at = (text: string) => newestFinalRun(DAILY, Date.parse(text));

  it('returns the newest run whose last date has passed in every zone', () => {
    expect(at('2026-03-03T11:59:59Z')).toMatchObject({ start: '2026-03-01' });
    expect(at('2026-03-03T12:00:00Z')).toMatchObject({ start: '2026-03-02' });
    expect(at('2026-01-02T11:00:00Z')).toBeNull();
    expect(newestFinalRun(ALL, Date.parse('2030-01-01T00:00:00Z'))).toBeNull();
  });

  it('returns the last run of a finished board', () => {
    const over = { ...DAILY, end: '2026-02-10' };
    expect(newestFinalRun(over, Date.parse('2026-06-01T00:00:00Z'))?.start).toBe('2026-02-10');
    expect(newestFinalRun(over, Date.parse('2026-02-11T00:00:00Z'))?.start).toBe(addDays('2026-02-10', -1));
  });
});

describe('the standings and rank changes of a user', () => {
  beforeAll(async () => {
    // Two boards, three runs, several changes of one event, across stretches of 1,024 positions.
    await database.sql.query(
      `insert into rank_changes
       select 1, 500 * (n / 2), timestamptz '2026-03-01T00:00:00Z' + n * interval '1 ms', date '2026-03-01' + n % 3,
         n % 4, (n + 1) % 4, n % 2, 1 + n % 2, n
       from generate_series(1, 60) n`,
      [],
    );
    await database.sql.query(
      `insert into rank_changes select 2, position, "timestamp", run_start, 1, 1, 0, board, 7 from rank_changes`,
      [],
    );
  });

  it.each([1, 2, 7, 59, 60, 61, 1_000])('include each change once, in order, in pages of %d rows', async (rows) => {
    const expected = await database.sql.query<{ value: string }>(
      'select value from rank_changes where subject = 1 order by board, run_start, position, ordinal',
      [],
    );
    const read: RankChangeOfUser[] = [];
    for await (const page of rankChangesOfUser(database.sql, configuration, 1, rows)) read.push(...page);
    expect(read.map(({ at }) => at - Date.parse('2026-03-01T00:00:00Z'))).toEqual(
      expected.map(({ value }) => Number(value)),
    );
    expect(read).toHaveLength(60);
    expect(read.filter(({ rank }) => rank === null)).toHaveLength(15);
  });

  it('are listed by board and run', async () => {
    const read: unknown[] = [];
    for await (const page of standingsOfUser(database.sql, configuration, 1))
      read.push(...page.map(({ board, runStart }) => [board, runStart]));
    expect(read).toEqual([
      ['daily', '2026-03-01'],
      ['daily', '2026-03-02'],
      ['daily', '2026-03-03'],
    ]);
  });
});
