import { parseAmount } from '@laurel/amounts';
import type { Instant, LocalDate } from '@laurel/calendar';
import { runHolding } from '@laurel/contributions';
import type { Configuration, LeaderboardDefinition, SqlReader, BoardRanking, BoardRun } from '@laurel/kernel';
import { readRunStarts, type StandingRow } from './stored-standings.ts';

/** A ranked row and the instant at which its value was reached. */
export interface ReachedRanking extends BoardRanking {
  readonly reachedAt: Instant;
}

/** Consecutive ranked rows of a run, by rank. */
export interface RunPage {
  readonly board: string;
  readonly run: BoardRun;
  readonly rankings: readonly ReachedRanking[];
}

/** From `from` up to, but not including, `to`; null means no bound. */
export interface DatesOfRuns {
  readonly from: LocalDate | null;
  readonly to: LocalDate | null;
}

/** Rows read by one statement, after sorting the run. A run with at most this many rows is read in one snapshot. */
const PAGE = 10_000;

/** $4: number of rows; $5 to $9: last row of the previous page, null for the first page. */
const SELECT = `
select subject, value::text, reached_at, reached_position, reached_ordinal
from board_standings
where account = $1 and board = $2 and run_start = $3::date and value > 0 and ($5::numeric is null or value < $5 or (
  value = $5 and (reached_at, reached_position, reached_ordinal, subject) > ($6::timestamptz, $7::bigint, $8::int, $9::bigint)))
order by board_standings.value desc, reached_at, reached_position, reached_ordinal, subject limit $4`;

/** The runs that overlap these dates: boards in configuration order, runs by start, rows by rank. Holds one page in memory. */
export async function* exportRuns(
  sql: SqlReader,
  configuration: Configuration,
  { from, to }: DatesOfRuns,
): AsyncGenerator<RunPage, void> {
  const { account, leaderboards, names } = configuration;
  for (const board of leaderboards) {
    const boardNumber = names.boards.numberOf(board.key);
    const [starts = new Set<LocalDate>()] = await readRunStarts(sql, [{ account, boardNumber }]);
    for (const start of [...starts].sort()) {
      const run = storedRun(board, start);
      if ((to !== null && run.start >= to) || (from !== null && run.end !== null && run.end < from)) continue;
      yield* exportRun(sql, configuration, { board, run, limit: board.maxParticipants });
    }
  }
}

/** The first `limit` rows of a run. */
export async function* exportRun(
  sql: SqlReader,
  { account, names }: Configuration,
  { board, run, limit }: { readonly board: LeaderboardDefinition; readonly run: BoardRun; readonly limit: number },
  pageRows = PAGE,
): AsyncGenerator<RunPage, void> {
  const place = [account, names.boards.numberOf(board.key), run.start];
  let last: StandingRow | undefined;
  for (let shown = 0; shown < limit;) {
    const size = Math.min(pageRows, limit - shown);
    const below = last
      ? [last.value, last.reached_at, last.reached_position, last.reached_ordinal, last.subject]
      : [null, null, null, null, null];
    const rows = await sql.query<StandingRow>(SELECT, [...place, size, ...below]);
    const first = shown + 1;
    const rankings = rows.map((row, index) => rankingOf(row, first + index));
    if (rankings.length > 0) yield { board: board.key, run, rankings };
    if (rows.length < size) return;
    shown += rows.length;
    last = rows.at(-1);
  }
}

/** If the board's dates have changed since, the run is assumed to be as long as the board's present runs. */
const storedRun = (board: LeaderboardDefinition, start: LocalDate): BoardRun => {
  const run = runHolding(board, start);
  return run?.start === start ? run : { start, end: run?.end ?? start };
};

const rankingOf = ({ subject, value, reached_at }: StandingRow, rank: number): ReachedRanking => ({
  subject: Number(subject),
  rank,
  value: parseAmount(value),
  reachedAt: reached_at.getTime(),
});
