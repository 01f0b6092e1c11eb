import { parseMillionths } from '@laurel/amounts';
import type { LocalDate } from '@laurel/calendar';
import { boardNameOf, type BoardRef } from '@laurel/contributions';
import { NOBODY, type RunKey, type SqlReader } from '@laurel/kernel';
import { RunBuilder } from './rules/run-builder.ts';
import type { RunStandings } from './rules/run-standings.ts';
import type { Standing } from './rules/standing.ts';

export interface StandingRow {
  readonly subject: string;
  readonly value: string;
  readonly reached_at: Date;
  readonly reached_position: string;
  readonly reached_ordinal: number;
}

/** Runs that one statement reads, and rows of each run; the remaining rows of a larger run follow in pages. */
const RUNS_PER_READ = 100;
const FIRST_ROWS = 5_000;
const PAGE_ROWS = 50_000;

/** Finds the starts of runs with stored standings by one index probe each. */
const SELECT_RUN_STARTS = `
with recursive starts as (
  select wanted.account, wanted.board, (
    select min(s.run_start) from board_standings s where s.account = wanted.account and s.board = wanted.board
  ) as run_start
  from unnest($1::text[], $2::smallint[]) as wanted (account, board)
  union all
  select starts.account, starts.board, (
    select min(s.run_start) from board_standings s
    where s.account = starts.account and s.board = starts.board and s.run_start > starts.run_start
  )
  from starts where starts.run_start is not null
)
select account, board, run_start::text from starts where run_start is not null`;

const SELECT_RUNS = `
select wanted.place::int, s.*
from unnest($1::text[], $2::smallint[], $3::date[]) with ordinality as wanted (account, board, run_start, place)
cross join lateral (
  select subject, value::text, reached_at, reached_position::text, reached_ordinal
  from board_standings
  where account = wanted.account and board = wanted.board and run_start = wanted.run_start
  order by subject limit $4
) s`;

const SELECT_PAGE = `
select subject, value::text, reached_at, reached_position::text, reached_ordinal
from board_standings
where account = $1 and board = $2 and run_start = $3::date and subject > $4
order by subject limit $5`;

/** The starts of the stored runs of each of these distinct boards, in their order. */
export async function readRunStarts(sql: SqlReader, boards: readonly BoardRef[]): Promise<Set<LocalDate>[]> {
  const rows = await sql.query<{ account: string; board: number; run_start: string }>(SELECT_RUN_STARTS, [
    boards.map(({ account }) => account),
    boards.map(({ boardNumber }) => boardNumber),
  ]);
  const starts = new Map(boards.map((board) => [boardNameOf(board), new Set<LocalDate>()]));
  for (const { account, board, run_start } of rows)
    starts.get(boardNameOf({ account, boardNumber: board }))?.add(run_start);
  return [...starts.values()];
}

/**
 * The stored standings of these runs, in the order of the runs. Large runs are read in pages and sorted page by page
 * while the next page is read, so that the process keeps answering.
 */
export async function readRuns(sql: SqlReader, runs: readonly RunKey[]): Promise<RunStandings[]> {
  const read: RunStandings[] = [];
  for (let i = 0; i < runs.length; i += RUNS_PER_READ) {
    const some = runs.slice(i, i + RUNS_PER_READ);
    const beginnings = await readBeginnings(sql, some);
    for (const [place, run] of some.entries()) read.push(await readRest(sql, run, beginnings[place] ?? []));
  }
  return read;
}

async function readBeginnings(sql: SqlReader, runs: readonly RunKey[]): Promise<StandingRow[][]> {
  const rows = await sql.query<StandingRow & { place: number }>(SELECT_RUNS, [
    runs.map(({ account }) => account),
    runs.map(({ boardNumber }) => boardNumber),
    runs.map(({ start }) => start),
    FIRST_ROWS,
  ]);
  const byRun = runs.map((): StandingRow[] => []);
  for (const row of rows) byRun[row.place - 1]?.push(row);
  return byRun;
}

/** A page may be older than a concurrent commit without harm, because a run is written only while it is in memory. */
async function readRest(sql: SqlReader, run: RunKey, beginning: readonly StandingRow[]): Promise<RunStandings> {
  const builder = new RunBuilder();
  let page = beginning;
  for (let size = FIRST_ROWS; ; size = PAGE_ROWS) {
    builder.add(standingsOf(page));
    if (page.length < size) return builder.build();
    page = await readPage(sql, run, page.at(-1)?.subject ?? String(NOBODY));
  }
}

function readPage(sql: SqlReader, run: RunKey, after: string): Promise<readonly StandingRow[]> {
  return sql.query<StandingRow>(SELECT_PAGE, [run.account, run.boardNumber, run.start, after, PAGE_ROWS]);
}

function* standingsOf(rows: Iterable<StandingRow>): Generator<Standing, void> {
  for (const row of rows) yield standingOf(row);
}

function standingOf(row: StandingRow): Standing {
  return {
    subject: Number(row.subject),
    score: parseMillionths(row.value),
    reachedAt: row.reached_at.getTime(),
    position: Number(row.reached_position),
    ordinal: row.reached_ordinal,
  };
}
