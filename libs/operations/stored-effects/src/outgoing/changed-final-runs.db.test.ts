import { compileHistory } from '@laurel/configuration';
import type { RecordedEvent } from '@laurel/kernel';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { MIGRATIONS } from '@laurel/all-areas';
import { changedFinalRuns } from './changed-final-runs.ts';

const ACCOUNT = 'default';
const board = (key: string, rest: object = { runUnit: 'day', runInterval: 1 }) => ({
  key,
  name: key,
  rankBy: 'metric',
  metric: 'lessons',
  start: '2026-01-01',
  ...rest,
});
const documentOf = (...leaderboards: readonly object[]) => ({
  version: 1,
  metrics: [{ key: 'lessons', name: 'Lessons' }],
  leaderboards,
});
/** The second version lacks a board, and another has other runs. */
const HISTORY = compileHistory(ACCOUNT, [
  {
    version: 1,
    publishedAt: 0,
    document: documentOf(
      board('daily'),
      board('weekly', { runUnit: 'day', runInterval: 7 }),
      board('ever', {}),
      board('gone'),
    ),
  },
  {
    version: 2,
    publishedAt: 0,
    document: documentOf(board('daily'), board('weekly', { runUnit: 'month', runInterval: 1 }), board('ever', {})),
  },
]);

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase(MIGRATIONS);
});
afterAll(() => database.close());
beforeEach(() => database.sql.query('truncate rank_changes, final_run_changes', []));

/** A run of a board that a user changed at a position. Rows of runs that were not final yet say so by `isLate`. */
async function changed(key: string, start: string, position: number, { subject = 1, isLate = true } = {}) {
  const { boards } = HISTORY.current.names;
  await database.sql.query(
    `insert into rank_changes (subject, position, "timestamp", run_start, previous_rank, rank, ordinal, board, value)
     values ($1, $2, now(), $3, 0, 1, 0, $4, 1)`,
    [subject, position, start, boards.numberOf(key)],
  );
  if (!isLate) return;
  await database.sql.query('insert into final_run_changes values ($1, $2, $3, 0) on conflict do nothing', [
    ...[ACCOUNT, boards.numberOf(key), start],
  ]);
}

const at = (position: number, recordedAt: string, fact: object = { type: 'ImportClosed' }, configurationVersion = 2) =>
  ({ account: ACCOUNT, position, recordedAt: Date.parse(recordedAt), configurationVersion, fact }) as RecordedEvent;

const imported = (opened: RecordedEvent, closed: RecordedEvent) => ({ record: closed, since: opened }) as never;
const corrected = (record: RecordedEvent) =>
  ({ record, since: { position: record.position - 1, recordedAt: record.recordedAt } }) as never;

async function found(asked: readonly never[], records: readonly RecordedEvent[] = [], goesOn = () => true) {
  const log = {
    readAt: async (positions: readonly number[]) => records.filter(({ position }) => positions.includes(position)),
  };
  const parts = { sqlOf: () => database.sql, log, configurations: () => HISTORY };
  const runs = await changedFinalRuns(parts, ACCOUNT, asked, goesOn);
  return runs?.map((some) => some.map(({ board: key, start, end }) => `${key} ${start} ${end}`)) ?? null;
}

describe('the final runs that an import changed', () => {
  it('are those that its own events changed, whatever changed them later', async () => {
    await changed('daily', '2026-01-02', 10);
    await changed('daily', '2026-01-03', 11);
    await changed('daily', '2026-01-03', 21, { subject: 2 });
    await changed('daily', '2026-01-04', 21);
    await changed('daily', '2026-01-05', 30);
    const first = imported(at(10, '2026-03-01'), at(20, '2026-03-01'));
    const second = imported(at(20, '2026-03-02'), at(29, '2026-03-02'));
    expect(await found([first, second])).toEqual([
      ['daily 2026-01-03 2026-01-03'],
      ['daily 2026-01-04 2026-01-04', 'daily 2026-01-03 2026-01-03'],
    ]);
    expect(await found([second])).toEqual([['daily 2026-01-04 2026-01-04', 'daily 2026-01-03 2026-01-03']]);
  });

  it('exclude runs that became final during the import, unless its events changed them afterwards', async () => {
    await changed('daily', '2026-03-01', 11);
    await changed('daily', '2026-03-02', 11);
    await changed('daily', '2026-03-02', 12);
    const opened = at(10, '2026-03-01T12:00:00Z');
    const events = [at(11, '2026-03-01T13:00:00Z'), at(12, '2026-03-03T12:00:00Z')];
    expect(await found([imported(opened, at(20, '2026-03-05'))], events)).toEqual([['daily 2026-03-02 2026-03-02']]);
    // A millisecond before it is final.
    const early = [events[0] as RecordedEvent, at(12, '2026-03-03T11:59:59.999Z')];
    expect(await found([imported(opened, at(20, '2026-03-05'))], early)).toEqual([[]]);
  });

  it('exclude live runs, runs without an end, and runs that the closing version does not have', async () => {
    await changed('daily', '2026-01-02', 11, { isLate: false });
    await changed('daily', '2026-03-01', 11);
    await changed('ever', '2026-01-01', 11);
    await changed('gone', '2026-01-02', 11);
    await changed('weekly', '2026-01-08', 11);
    await changed('weekly', '2026-01-01', 11);
    const opened = at(10, '2026-03-02');
    const closed = at(20, '2026-03-02');
    expect(await found([imported(opened, closed)])).toEqual([['weekly 2026-01-01 2026-01-31']]);
    expect(await found([imported(opened, at(20, '2026-03-02', closed.fact, 1))])).toEqual([
      ['weekly 2026-01-08 2026-01-14', 'gone 2026-01-02 2026-01-02', 'weekly 2026-01-01 2026-01-07'],
    ]);
  });

  it('are read in ranges of positions, until reading is cancelled', async () => {
    for (const [place, position] of [11, 65_546, 65_547, 200_000, 200_001].entries())
      await changed('daily', `2026-01-0${place + 1}`, position);
    const asked = imported(at(10, '2026-03-02'), at(200_000, '2026-03-02'));
    expect((await found([asked]))?.map((runs) => runs.length)).toEqual([4]);
    let statements = 0;
    expect(await found([asked], [], () => ++statements < 3)).toBeNull();
  });
});

it('the final runs that corrections changed are those of their own users', async () => {
  await changed('daily', '2026-01-02', 11);
  await changed('daily', '2026-01-03', 11);
  await changed('daily', '2026-01-04', 11, { subject: 2 });
  await changed('daily', '2026-03-02', 11);
  await changed('daily', '2026-01-05', 12, { subject: 2 });
  const asked = [1, 2].map((subject) =>
    corrected(at(10 + subject, '2026-03-02', { type: 'CorrectionRecorded', subject })),
  );
  expect(await found(asked)).toEqual([
    ['daily 2026-01-03 2026-01-03', 'daily 2026-01-02 2026-01-02'],
    ['daily 2026-01-05 2026-01-05'],
  ]);
});
