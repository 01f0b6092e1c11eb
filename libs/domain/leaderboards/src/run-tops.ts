import { exactOf, parseAmount } from '@laurel/amounts';
import type { LeaderboardsPlan, PlannedRun } from '@laurel/contributions';
import { groupBy, type RankChanged, type Row, type SqlReader, type Subject } from '@laurel/kernel';
import type { RunStandings } from './rules/run-standings.ts';
import type { Standing } from './rules/standing.ts';
import type { RankedThen } from './run-rankings.ts';
import { runTopRow } from './tables.ts';

/** A row for each run in which an event moved its user to or from one of the top ranks. */
export function runTopRows(
  changes: readonly RankChanged[],
  cause: { readonly subject: Subject; readonly position: number },
  { announced, boards }: LeaderboardsPlan,
  standingsOf: (run: PlannedRun) => RunStandings,
): readonly Row[] {
  if (announced === 0) return [];
  const byRun = groupBy(changes, ({ board, run }) => `${run} ${board}`);
  return [...byRun.values()].flatMap((moves) => {
    const { board: key, run: day } = moves[0] as RankChanged;
    const run = boards.find((board) => board.key === key)?.runOn(day) ?? null;
    if (run === null || !moves.some((move) => movesAmong(announced, move))) return [];
    return [runTopRow(cause, run.key, firstOf(standingsOf(run), Math.min(announced, run.board.maxParticipants) + 1))];
  });
}

/** Whether one of the top ranks belongs to another user after the change. */
export const movesAmong = (
  first: number,
  { previousRank, rank }: Pick<RankChanged, 'previousRank' | 'rank'>,
): boolean => previousRank !== rank && Math.min(previousRank ?? Infinity, rank ?? Infinity) <= first;

function firstOf(standings: RunStandings, count: number): readonly Standing[] {
  const first: Standing[] = [];
  for (const standing of standings.from(0)) {
    if (first.length === count) break;
    first.push(standing);
  }
  return first;
}

/** The top ranks of a run after a record: one user more than are announced. */
export interface TopOfRecord {
  readonly subject: Subject;
  readonly position: number;
  readonly board: number;
  /** First date of the run. */
  readonly start: string;
  /** Users, best first. */
  readonly top: readonly RankedThen[];
}

interface TopRow {
  readonly subject: string;
  readonly position: string;
  readonly board: number;
  readonly start: string;
  readonly top: readonly (readonly [Subject, string])[];
}

/** Probes the primary key once for each record. */
const OF_RECORDS = `
select t.subject, t.position, t.board, t.run_start::text as start, t.top
from unnest($1::bigint[], $2::bigint[]) as q (subject, position)
cross join lateral (select * from run_tops where subject = q.subject and position = q.position) t`;

/**
 * The top ranks of all runs in which a record changed them. Not stored for records that were applied while no outcome
 * needed them.
 */
export async function topsOfRecords(
  sql: SqlReader,
  records: readonly { readonly subject: Subject; readonly position: number }[],
): Promise<readonly TopOfRecord[]> {
  const columns = [records.map(({ subject }) => subject), records.map(({ position }) => position)];
  const rows = await sql.query<TopRow>(OF_RECORDS, columns);
  return rows.map(({ subject, position, board, start, top }) => ({
    subject: Number(subject),
    position: Number(position),
    board,
    start,
    top: top.map(([ranked, value]) => ({ subject: ranked, value: exactOf(parseAmount(value)) })),
  }));
}

const DELETED_AT_A_TIME = 1_000;

const deleteNotified = (cursors: string): string => `
with gone as (
  delete from run_tops where ctid = any(array(
    select ctid from run_tops where position <= (select min(position) from ${cursors}) order by position limit ${DELETED_AT_A_TIME}
  )) returning 1
)
select count(*) as rows from gone`;

/**
 * Deletes the top ranks of runs after records that every outcome cursor has passed: no outcome needs them. Takes no
 * lock, because concurrent deletions are harmless and readers never read before their cursor.
 * @param cursors the table of the cursors, schema-qualified if necessary; nothing is deleted while it is empty
 * @param goesOn called between two batches
 * @returns the number of deleted rows
 */
export async function deleteNotifiedTops(
  sql: SqlReader,
  cursors: string,
  goesOn: () => boolean = () => true,
): Promise<number> {
  for (let deleted = 0; ;) {
    const [gone] = await sql.query<{ rows: string }>(deleteNotified(cursors), []);
    const rows = Number(gone?.rows ?? 0);
    deleted += rows;
    if (rows < DELETED_AT_A_TIME || !goesOn()) return deleted;
  }
}
