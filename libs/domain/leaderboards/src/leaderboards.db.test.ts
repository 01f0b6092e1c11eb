import { addDays } from '@laurel/calendar';
import type { ChainMessage, SqlReader, Subject } from '@laurel/kernel';
import { subjectOf } from '@laurel/testing/subjects';
import { CountedBuffers, openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import fc from 'fast-check';
import { LeaderboardQueries, LeaderboardsArea, leaderboardsMigrations } from './index.ts';
import { configurationOf, historyOf, metricBoard, pointsBoard } from './testing/configuration.ts';
import { award, metricEvent, NOON, whole } from './testing/messages.ts';
import { commitBatch } from './testing/stored-boards.ts';

const configuration = configurationOf([
  metricBoard('all', { maxParticipants: 4 }),
  metricBoard('daily', { run: { unit: 'day', interval: 1 } }),
  pointsBoard('xp', 'xp', { end: '2026-12-31' }),
]);
const ALL_RUNS = { start: '2026-01-01', end: null };

let database: TestDatabase;
let sql: SqlReader;

beforeAll(async () => {
  database = await openTestDatabase(leaderboardsMigrations);
  sql = database.sql;
});
afterAll(() => database.close());
beforeEach(() => sql.query('truncate board_standings, rank_changes, final_run_changes', []));

const setUp = (reader: SqlReader = sql, capacityBytes?: number) => {
  const area = new LeaderboardsArea(reader, { capacityBytes });
  const reads = new LeaderboardQueries(area, reader, () => historyOf(configuration));
  const commit = (...messages: ChainMessage[]) => commitBatch(area, sql, messages, configuration);
  return { area, reads, commit };
};
type SetUp = ReturnType<typeof setUp>;

let position = 0;
const event = (subject: Subject, value: number, fields: Partial<Parameters<typeof metricEvent>[0]> = {}) =>
  metricEvent({ position: ++position, subject, value: whole(value), ...fields });

/** Everything that the area can be asked, for these dates and users. */
async function contents({ reads }: SetUp, dates: readonly string[], users: readonly string[]): Promise<unknown[]> {
  const read: unknown[] = [];
  for (const board of ['all', 'daily', 'xp']) {
    for (const date of dates) {
      const run = reads.run('default', board, NOON, date);
      if (run === null) continue;
      read.push(await reads.rankings('default', board, run, { offset: 0, limit: 100 }));
      for (const user of users) read.push(await reads.standing('default', board, run, subjectOf(user)));
    }
  }
  return read;
}

describe('changedAt of a final run', () => {
  const [at, run] = [NOON, { start: '2026-01-10', end: '2026-01-10' }];
  const FINAL = Date.parse('2026-01-11T12:00:00Z');
  const changedAt = ({ reads }: SetUp) => reads.changedAt('default', 'daily', run);

  it('is the instant of the newest change recorded since the run became final', async () => {
    const area = setUp();
    await area.commit(event(subjectOf('ada'), 1, { at, recordedAt: FINAL - 1 }));
    expect(await changedAt(area)).toBeNull();
    await area.commit(
      event(subjectOf('ada'), 1, { at, recordedAt: FINAL }),
      event(subjectOf('bob'), 1, { at, recordedAt: FINAL + 2 }),
    );
    expect(await changedAt(area)).toBe(FINAL + 2);
    await area.commit(event(subjectOf('ada'), 0, { at, recordedAt: FINAL + 3 }));
    await area.commit(event(subjectOf('ada'), 1, { at: FINAL, recordedAt: FINAL + 4 }));
    expect(await changedAt(area)).toBe(FINAL + 2);
    expect(await area.reads.runs('default', 'daily', FINAL, { before: '2026-01-12', limit: 2 })).toEqual([
      { start: '2026-01-11', end: '2026-01-11', participants: 1, isFinal: false, changedAt: null },
      { ...run, participants: 2, isFinal: true, changedAt: FINAL + 2 },
    ]);
    expect(await area.reads.changedAt('default', 'all', ALL_RUNS)).toBeNull();
  });

  it('is the same in whatever order the changes arrive', async () => {
    const area = setUp();
    for (const recordedAt of [FINAL + 9, FINAL + 5]) await area.commit(event(subjectOf('ada'), 1, { at, recordedAt }));
    expect(await changedAt(area)).toBe(FINAL + 9);
  });
});

describe('standings', () => {
  const events = fc.record({
    subject: fc.constantFrom('ada', 'bob', 'é', '\u{FFFD}', '\u{1F600}', '__proto__').map(subjectOf),
    value: fc.oneof(
      fc.constantFrom(-1_000_000n, 300_000n, 1_000_000n),
      fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
    ),
    at: fc.constantFrom(NOON, NOON + 1, -1),
    date: fc.constantFrom('2026-01-31', '2026-02-01'),
    points: fc.bigInt({ min: -5n, max: 5n }).filter((points) => points !== 0n),
  });

  it('are the same whether they are read from the database or from memory', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(events, { maxLength: 6 }), { maxLength: 4 }), async (batches) => {
        await sql.query('truncate board_standings, rank_changes', []);
        const live = setUp();
        for (const batch of batches) {
          const messages = batch.map(({ points, ...given }) =>
            metricEvent({
              position: ++position,
              ...given,
              awards: [award('xp', points, { at: given.at, date: given.date })],
            }),
          );
          await live.commit(...messages);
        }
        const dates = ['2026-01-31', '2026-02-01'];
        const users = ['ada', 'bob', 'é', '\u{FFFD}', '\u{1F600}', '__proto__'];
        const expected = await contents(live, dates, users);
        expect(await contents(setUp(), dates, users)).toEqual(expected);
        expect(await contents(setUp(sql, 0), dates, users)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });

  it('survive eviction from memory between and within batches', async () => {
    const roomy = setUp();
    const cramped = setUp(sql, 0);
    for (let day = 0; day < 30; day++) {
      const date = addDays('2026-01-01', day % 5);
      await cramped.commit(event(subjectOf('ada'), 1, { date }), event(subjectOf('bob'), 2, { date: '2026-01-01' }));
      await cramped.reads.rankings(
        'default',
        'daily',
        { start: '2026-01-02', end: '2026-01-02' },
        { offset: 0, limit: 1 },
      );
    }
    expect(cramped.area.bytes).toBeLessThan(10_000);
    const dates = ['2026-01-01', '2026-01-02', '2026-01-05', '2026-01-06'];
    expect(await contents(cramped, dates, ['ada', 'bob'])).toEqual(await contents(roomy, dates, ['ada', 'bob']));
    expect(await cramped.reads.standing('default', 'all', ALL_RUNS, subjectOf('ada'))).toEqual({
      rank: 2,
      value: whole(30),
    });
  });

  it('stay in memory for a run that is read repeatedly, even if the capacity is 0', async () => {
    await setUp().commit(event(subjectOf('ada'), 1));
    let asked = 0;
    const counting: SqlReader = { query: (text, parameters) => (asked++, sql.query(text, parameters)) };
    const { reads } = setUp(counting, 0);
    for (let i = 0; i < 3; i++) await reads.standing('default', 'all', ALL_RUNS, subjectOf('ada'));
    expect(asked).toBe(2);
  });

  it('are read in pages for a run with many participants', async () => {
    const count = 55_003;
    await sql.query(
      `insert into board_standings
       select 'default', i, to_timestamp(i % 7), i, '2026-01-01', 0, 1, i % 1000 - 10 from generate_series(1, $1::int) i`,
      [count],
    );
    const wide = configurationOf([metricBoard('all', { maxParticipants: 1_000_000 })]);
    const area = new LeaderboardsArea(sql);
    const reads = new LeaderboardQueries(area, sql, () => historyOf(wide));
    const rankings = await reads.rankings('default', 'all', ALL_RUNS, { offset: 0, limit: count });
    const sorted = await sql.query<{ subject: string }>(
      `select subject from board_standings where value > 0 order by value desc, reached_at, reached_position`,
      [],
    );
    expect(rankings.map(({ subject }) => subject)).toEqual(sorted.map(({ subject }) => Number(subject)));
    expect(area.bytes).toBeGreaterThanOrEqual(50 * count);
    expect(area.bytes).toBeLessThan(100 * count);
  });

  it('stay within the memory limit in bytes', async () => {
    const bound = 200_000;
    const { area, commit } = setUp(sql, bound);
    for (let day = 0; day < 30; day++)
      await commit(...Array.from({ length: 60 }, (_, n) => event(n + 1, 1, { date: addDays('2026-01-01', day) })));
    // The runs of the last two batches come on top.
    expect(area.bytes).toBeLessThan(bound + 3 * 15_000);
    expect(area.bytes).toBeGreaterThan(bound / 2);
  });

  it('of many runs are read with a few statements', async () => {
    let asked = 0;
    const counting: SqlReader = { query: (text, parameters) => (asked++, sql.query(text, parameters)) };
    const first = setUp();
    const dates = Array.from({ length: 120 }, (_, day) => addDays('2026-01-01', day));
    await first.commit(...dates.map((date) => event(subjectOf('ada'), 1, { date })));
    const { area } = setUp(counting);
    const daily = { account: 'default', board: 'daily', boardNumber: 2 };
    await area.load(dates.map((start) => ({ ...daily, start })));
    expect(asked).toBe(3);
    await area.load([{ ...daily, start: '2030-01-01' }]);
    expect(asked).toBe(3);
  });
});

describe('a read in progress', () => {
  /** Holds the answers of the database back until they are released. */
  const held = () => {
    const waiting: (() => void)[] = [];
    const reader: SqlReader = {
      query: async <R extends object>(text: string, parameters: readonly unknown[]) => {
        const rows = await sql.query<R>(text, parameters);
        await new Promise<void>((resolve) => waiting.push(resolve));
        return rows;
      },
    };
    const turn = () => new Promise(setImmediate);
    const answered = async () => {
      while (waiting.length === 0) await turn();
    };
    /** Releases whatever is held until `work` is done. */
    const finish = async <T>(work: Promise<T>): Promise<T> => {
      let done = false;
      void work.finally(() => (done = true)).catch(() => undefined);
      for (; !done; await turn()) waiting.shift()?.();
      return work;
    };
    return { reader, answered, finish };
  };
  const rankingsOf = ({ reads }: SetUp) => reads.rankings('default', 'all', ALL_RUNS, { offset: 0, limit: 10 });

  it('is awaited by the writer, whose commit is then counted exactly once', async () => {
    await setUp().commit(event(subjectOf('ada'), 1));
    const { reader, answered, finish } = held();
    const boards = setUp(reader);
    const reading = rankingsOf(boards);
    await answered();
    const committing = boards.commit(event(subjectOf('bob'), 2));
    expect(await sql.query('select 1 from board_standings where subject = $1', [subjectOf('bob')])).toEqual([]);
    await finish(Promise.all([reading, committing]));
    expect(await finish(rankingsOf(boards))).toEqual([
      { subject: subjectOf('bob'), rank: 1, value: whole(2) },
      { subject: subjectOf('ada'), rank: 2, value: whole(1) },
    ]);
  });

  it('is repeated if the memory is cleared meanwhile', async () => {
    const writer = setUp();
    await writer.commit(event(subjectOf('ada'), 1));
    const { reader, answered, finish } = held();
    const boards = setUp(reader);
    const reading = rankingsOf(boards);
    await answered();
    boards.area.forget();
    await writer.commit(event(subjectOf('ada'), 2));
    expect(await finish(reading)).toEqual([{ subject: subjectOf('ada'), rank: 1, value: whole(3) }]);
  });
});

describe('a rank history', () => {
  it("has an entry for each of the user's newest changes, oldest first", async () => {
    const { reads, commit } = setUp();
    await commit(
      event(subjectOf('ada'), 1),
      event(subjectOf('bob'), 5),
      event(subjectOf('ada'), 0),
      event(subjectOf('ada'), 6, { at: NOON + 1 }),
      event(subjectOf('ada'), -7),
    );
    const history = (limit: number) =>
      reads.history({ account: 'default', subject: subjectOf('ada') }, 'all', ALL_RUNS, limit);
    expect(await history(10)).toEqual([
      { at: NOON, previousRank: null, rank: 1, previousValue: null, value: whole(1) },
      { at: NOON + 1, previousRank: 2, rank: 1, previousValue: whole(1), value: whole(7) },
      { at: NOON, previousRank: 1, rank: null, previousValue: whole(7), value: 0n },
    ]);
    expect((await history(2)).map(({ previousValue, value }) => [previousValue, value])).toEqual([
      [whole(1), whole(7)],
      [whole(7), 0n],
    ]);
    expect(await history(0)).toEqual([]);
  });

  it('lists due time awards at their own instants, before the changes of the event itself', async () => {
    const { reads, commit } = setUp();
    const due = [1, 2].map((hours) => award('xp', 2n, { due: true, at: NOON - 3_600_000 * (3 - hours) }));
    await commit(event(subjectOf('ada'), 1, { awards: [...due, award('xp', 10n), award('xp', 50n)] }));
    const history = await reads.history({ account: 'default', subject: subjectOf('ada') }, 'xp', ALL_RUNS, 10);
    expect(history.map(({ at, previousValue, value }) => [at - NOON, previousValue, value])).toEqual([
      [-7_200_000, null, whole(2)],
      [-3_600_000, whole(2), whole(4)],
      [0, whole(4), whole(64)],
    ]);
  });
});

describe("200,000 rank changes, half of them one user's", () => {
  beforeEach(async () => {
    // 50 of the user's own are of a second run.
    await sql.query(
      `insert into rank_changes (subject, position, "timestamp", run_start, previous_rank, rank, ordinal, board, value)
       select case when n % 2 = 0 then $2::bigint else n end, n, to_timestamp(n),
         case when n % 4000 = 0 then '2020-01-01' else $1::date end, 2, 1, 0, 1, n
       from generate_series(1, 200000) as n`,
      [ALL_RUNS.start, subjectOf('ada')],
    );
    await sql.query("select brin_summarize_new_values('rank_changes_position')", []);
    await sql.query('analyze rank_changes', []);
  });

  it.each([
    ['often', ALL_RUNS.start, 199_998],
    ['rarely', '2020-01-01', 200_000],
  ])('are queried for a history with at most 300 shared buffers, if the run changed %s', async (_, start, newest) => {
    const counted = new CountedBuffers(sql);
    const { reads } = setUp(counted);
    const history = await reads.history(
      { account: 'default', subject: subjectOf('ada') },
      'all',
      { ...ALL_RUNS, start },
      100,
    );
    expect(history.at(-1)?.value).toBe(whole(newest));
    expect(counted.buffers).toBeGreaterThan(3);
    expect(counted.buffers).toBeLessThanOrEqual(300);
  });

  it('are read by position in ranges that touch at most 300 shared buffers each', async () => {
    const counted = new CountedBuffers(sql);
    const stretch = await counted.query<{ position: string }>(
      `select position from rank_changes
       where board = 1 and run_start = $1 and position between $2 and $3 order by position, subject, ordinal`,
      [ALL_RUNS.start, 100_001, 101_000],
    );
    expect(stretch.map(({ position }) => Number(position))).toEqual(
      Array.from({ length: 1_000 }, (_, index) => 100_001 + index).filter((n) => n % 4_000 !== 0),
    );
    expect(counted.buffers).toBeGreaterThan(3);
    expect(counted.buffers).toBeLessThanOrEqual(300);
  });
});

describe('exportRankings', () => {
  it('returns the ranked rows of every run, by board in configuration order and by start', async () => {
    const { reads, commit } = setUp();
    const users = ['ada', 'bob', 'eve', 'kim', 'lee'];
    await commit(
      ...users.map((user, i) => event(subjectOf(user), i + 1)),
      event(subjectOf('ada'), 4, { at: NOON - 1 }),
    );
    await commit(
      event(subjectOf('ada'), 1, { date: '2026-01-02' }),
      event(subjectOf('bob'), -9, { date: '2026-01-03' }),
    );
    const exported = [];
    for await (const run of reads.exportRankings('default')) exported.push(run);
    const expected = [];
    for (const [board, date] of [
      ['all', '2026-01-01'],
      ['daily', '2026-01-02'],
      ['daily', '2026-01-10'],
    ] as const) {
      const run = reads.run('default', board, NOON, date) ?? ALL_RUNS;
      expected.push({
        board,
        runStart: run.start,
        rankings: await reads.rankings('default', board, run, { offset: 0, limit: 1000 }),
      });
    }
    expect(exported).toEqual(expected);
    expect(exported[0]?.rankings.map(({ subject }) => subject)).toEqual(['ada', 'lee', 'kim', 'eve'].map(subjectOf));
  });
});
