import { parseAmount, type Amount } from '@laurel/amounts';
import type { Instant, LocalDate } from '@laurel/calendar';
import type { Configuration, SqlReader, Subject } from '@laurel/kernel';
import type { ChangeInRun } from './changes-in-run.ts';
import { readRunStarts } from './stored-standings.ts';

/** A user's standing in a run. */
export interface StandingOfUser {
  readonly board: string;
  readonly runStart: LocalDate;
  readonly value: Amount;
  readonly reachedAt: Instant;
}

/** A change of a user's value in a run. */
export interface RankChangeOfUser extends Pick<ChangeInRun, 'at' | 'previousRank' | 'rank' | 'value'> {
  readonly board: string;
  readonly runStart: LocalDate;
}

const RUNS_PER_READ = 1_000;
const CHANGES_PER_READ = 1_000;

const SELECT_STANDINGS = `
select s.board, s.run_start::text, s.value::text, s.reached_at
from unnest($3::smallint[], $4::date[]) with ordinality as run (board, run_start, place)
join board_standings s on s.account = $1 and s.board = run.board and s.run_start = run.run_start and s.subject = $2
order by place`;

/** A user's values in every run of all boards that any version has named, by board and run. */
export async function* standingsOfUser(
  sql: SqlReader,
  { account, names }: Configuration,
  subject: Subject,
): AsyncGenerator<readonly StandingOfUser[], void> {
  const boards = names.boards.all.map((key) => ({ account, boardNumber: names.boards.numberOf(key) }));
  const starts = await readRunStarts(sql, boards);
  const runs = boards.flatMap(({ boardNumber }, place) =>
    [...(starts[place] ?? [])].sort().map((start) => [boardNumber, start] as const),
  );
  for (let first = 0; first < runs.length; first += RUNS_PER_READ) {
    const some = runs.slice(first, first + RUNS_PER_READ);
    const rows = await sql.query<{ board: number; run_start: string; value: string; reached_at: Date }>(
      SELECT_STANDINGS,
      [account, subject, some.map(([board]) => board), some.map(([, start]) => start)],
    );
    yield rows.map(({ board, run_start, value, reached_at }) => ({
      board: names.boards.nameOf(board),
      runStart: run_start,
      value: parseAmount(value),
      reachedAt: reached_at.getTime(),
    }));
  }
}

interface ChangeRow {
  readonly board: number;
  readonly run_start: string;
  readonly position: string;
  readonly ordinal: number;
  readonly timestamp: Date;
  readonly previous_rank: number | null;
  readonly rank: number | null;
  readonly value: string;
}

/**
 * $1: subject; $2 to $5: last row of the previous page; $6: number of rows. Follows the order of the index
 * `rank_changes_run`.
 */
const SELECT_CHANGES = `
select board, run_start::text, position, ordinal, "timestamp", nullif(previous_rank, 0) as previous_rank, nullif(rank, 0) as rank, value::text
from rank_changes
where subject = $1 and (board, run_start, position >> 10) >= ($2::smallint, $3::date, $4::bigint >> 10)
  and (board, run_start, position, ordinal) > ($2::smallint, $3::date, $4::bigint, $5::int)
order by board, rank_changes.run_start, position >> 10, position, ordinal limit $6`;

/** Every change of a user's value, by board, run and position. Holds one page in memory. */
export async function* rankChangesOfUser(
  sql: SqlReader,
  { names }: Pick<Configuration, 'names'>,
  subject: Subject,
  pageRows = CHANGES_PER_READ,
): AsyncGenerator<readonly RankChangeOfUser[], void> {
  for (let after: readonly (string | number)[] = [0, '0001-01-01', 0, 0]; ;) {
    const rows = await sql.query<ChangeRow>(SELECT_CHANGES, [subject, ...after, pageRows]);
    if (rows.length > 0)
      yield rows.map(({ board, run_start, timestamp, previous_rank, rank, value }) => ({
        board: names.boards.nameOf(board),
        runStart: run_start,
        at: timestamp.getTime(),
        previousRank: previous_rank,
        rank,
        value: parseAmount(value),
      }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = [last.board, last.run_start, last.position, last.ordinal];
  }
}
