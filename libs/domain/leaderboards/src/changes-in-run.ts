import { parseAmount, type Amount } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import type { SqlReader } from '@laurel/kernel';
import type { ChangePlace } from '@laurel/ports';
import type { RunOfUser } from './rank-effects.ts';

/** A stored change of a user's value in a run. */
export interface ChangeInRun extends ChangePlace {
  readonly at: Instant;
  /** null if the user was not ranked. */
  readonly previousRank: number | null;
  readonly rank: number | null;
  readonly change: Amount;
  readonly value: Amount;
}

interface Row {
  readonly position: string;
  readonly ordinal: number;
  readonly timestamp: Date;
  readonly previous_rank: number;
  readonly rank: number;
  readonly value: string;
  readonly change: string;
}

/**
 * Follows the order of the index `rank_changes_run`. Also reads the change before a page, to compute what the page's
 * last change added.
 */
const BELOW = `
select position, ordinal, "timestamp", previous_rank, rank, value::text,
  (value - coalesce(lag(value) over (order by position, ordinal), 0))::text as change
from (
  select * from rank_changes
  where subject = $1 and board = $2 and run_start = $3::date
    and position >> 10 <= $4::bigint >> 10 and (position, ordinal) < ($4::bigint, $5::integer)
  order by position >> 10 desc, position desc, ordinal desc limit $6 + 1
) below_and_one_before
order by position desc, ordinal desc limit $6`;

const NEWEST: ChangePlace = { position: Number.MAX_SAFE_INTEGER, ordinal: 0 };

/** A user's changes in a run, newest first, at most `limit` before a place in the log. One statement. */
export async function changesInRun(
  sql: SqlReader,
  { subject, boardNumber, start }: Omit<RunOfUser, 'board'>,
  before: ChangePlace | null,
  limit: number,
): Promise<readonly ChangeInRun[]> {
  const { position, ordinal } = before ?? NEWEST;
  const rows = await sql.query<Row>(BELOW, [subject, boardNumber, start, position, ordinal, limit]);
  return rows.map((row) => ({
    position: Number(row.position),
    ordinal: row.ordinal,
    at: row.timestamp.getTime(),
    previousRank: row.previous_rank || null,
    rank: row.rank || null,
    change: parseAmount(row.change),
    value: parseAmount(row.value),
  }));
}
