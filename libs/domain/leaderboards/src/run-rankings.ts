import { exactOf, parseAmount, type Exact } from '@laurel/amounts';
import type { RunKey, SqlReader, Subject } from '@laurel/kernel';

/**
 * For a standing that was reached after the position, takes the user's last change up to the position instead, if there
 * is one.
 */
const RANKED_AT = `
select subject, value::text as value from (
  select s.subject, s.value, s.reached_at, s.reached_position, s.reached_ordinal from board_standings s
  where s.account = $1 and s.board = $2 and s.run_start = $3::date and s.reached_position <= $4
  union all
  select s.subject, before.value, before."timestamp", before.position, before.ordinal from board_standings s
  cross join lateral (
    select value, "timestamp", position, ordinal from rank_changes
    where subject = s.subject and board = $2 and run_start = $3::date and position >> 10 <= $4::bigint >> 10 and position <= $4
    order by position >> 10 desc, position desc, ordinal desc limit 1
  ) before
  where s.account = $1 and s.board = $2 and s.run_start = $3::date and s.reached_position > $4
) standing
where value > 0
order by standing.value desc, reached_at, reached_position, reached_ordinal, subject
limit $5`;

/** A user on a board at an earlier position. */
export interface RankedThen {
  readonly subject: Subject;
  readonly value: Exact;
}

/**
 * The top `most` users of a run after the record at a position, best first. Leaves out users erased since. A user who
 * was corrected since, and has no later change, appears with the corrected value.
 */
export async function rankingsAt(
  sql: SqlReader,
  { account, boardNumber, start }: RunKey,
  position: number,
  most: number,
): Promise<readonly RankedThen[]> {
  const asked = [account, boardNumber, start, position, most];
  const rows = await sql.query<{ subject: string; value: string }>(RANKED_AT, asked);
  return rows.map(({ subject, value }) => ({ subject: Number(subject), value: exactOf(parseAmount(value)) }));
}
