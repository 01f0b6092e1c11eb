import type { LocalDate } from '@laurel/calendar';
import type { SqlReader, Subject } from '@laurel/kernel';

/** A run in which ranks changed. */
export interface ChangedRun {
  readonly boardNumber: number;
  /** First date of the run. */
  readonly start: LocalDate;
  /** Position of the last record that changed a rank. */
  readonly position: number;
}

interface Row {
  readonly board: number;
  readonly start: LocalDate;
  readonly position: string;
}

/** Uses the users' entries of the index `rank_changes_run`. */
const OF_USERS = `
select q.place, c.board, c.run_start::text as start, q.position
from unnest($1::bigint[], $2::bigint[]) with ordinality as q (subject, position, place)
cross join lateral (
  select distinct board, run_start from rank_changes
  where subject = q.subject and position >> 10 = q.position >> 10 and position = q.position
) c`;

/** The runs in which each of these records changed its user's rank, in the order of the records. One statement. */
export async function runsChangedAt(
  sql: SqlReader,
  records: readonly { readonly subject: Subject; readonly position: number }[],
): Promise<readonly (readonly ChangedRun[])[]> {
  const changed = records.map((): ChangedRun[] => []);
  if (records.length === 0) return changed;
  const columns = [records.map(({ subject }) => subject), records.map(({ position }) => position)];
  const rows = await sql.query<Row & { readonly place: string }>(OF_USERS, columns);
  for (const row of rows) changed[Number(row.place) - 1]?.push(changedRun(row));
  return changed;
}

/** Uses the index `rank_changes_position`. */
const BETWEEN = `
select c.board, c.run_start::text as start, c.position
from (
  select board, run_start, max(position) as position from rank_changes where position > $2 and position <= $3 group by board, run_start
) c
join final_run_changes f on f.account = $1 and f.board = c.board and f.run_start = c.run_start`;

/** Small, so that a statement takes a fraction of a second. */
const POSITIONS_AT_A_TIME = 65_536;

/**
 * Finds the runs in which a record after `after`, up to `upTo`, changed a rank, among the runs that were ever changed
 * after they were final.
 *
 * @param goesOn called between two statements
 * @returns null if `goesOn` returns false
 */
export async function lateRunsChangedBetween(
  sql: SqlReader,
  account: string,
  { after, upTo }: { readonly after: number; readonly upTo: number },
  goesOn: () => boolean,
): Promise<readonly ChangedRun[] | null> {
  const changed = new Map<string, ChangedRun>();
  for (let from = after; from < upTo; from += POSITIONS_AT_A_TIME) {
    if (!goesOn()) return null;
    const rows = await sql.query<Row>(BETWEEN, [account, from, Math.min(from + POSITIONS_AT_A_TIME, upTo)]);
    for (const row of rows) changed.set(`${row.board} ${row.start}`, changedRun(row));
  }
  return [...changed.values()];
}

const changedRun = ({ board, start, position }: Row): ChangedRun => ({
  boardNumber: board,
  start,
  position: Number(position),
});
