import { subtract, type Exact } from '@laurel/amounts';
import type { PointsAwarded, Row, SqlReader } from '@laurel/kernel';
import { counterTable } from '@laurel/ports';
import { markOfTotal } from './rules/total-marks.ts';

/** The number of users by the mark of their total in a system. Users without points have no row. */
export const POINT_TOTAL_COUNTS = counterTable({
  name: 'point_total_counts',
  key: ['account', 'system', 'mark'],
  counts: ['users'],
});

type TotalAfter = Pick<PointsAwarded, 'system' | 'awarded' | 'total'>;

/** Moves users between marks after a record's awards: at most two rows for each system. */
export function totalRows(account: string, awards: readonly TotalAfter[]): readonly Row[] {
  const moves = new Map<string, { readonly from: Exact; to: Exact }>();
  for (const { system, awarded, total } of awards) {
    const move = moves.get(system);
    if (move) move.to = total;
    else moves.set(system, { from: subtract(total, awarded), to: total });
  }
  const rows: Row[] = [];
  for (const [system, { from, to }] of moves) {
    const [left, reached] = [markOfTotal(from), markOfTotal(to)];
    if (left === reached) continue;
    if (left !== 0) rows.push(markRow(account, system, left, -1));
    if (reached !== 0) rows.push(markRow(account, system, reached, 1));
  }
  return rows;
}

/** A row that adds `users` at a total; none for the total 0. */
export function totalRowsOf(account: string, system: string, total: Exact, users: number): readonly Row[] {
  const mark = markOfTotal(total);
  return mark === 0 ? [] : [markRow(account, system, mark, users)];
}

const markRow = (account: string, system: string, mark: Exact, users: number): Row => ({
  account,
  system,
  mark: String(mark),
  partition: 0,
  users,
});

/** The number of users with a recorded total at a mark. */
export interface UsersAt {
  readonly mark: bigint;
  readonly users: number;
}

const BY_MARK = `
  select mark::text as mark, sum(users) as users from point_total_counts
  where account = $1 and system = $2 group by mark having sum(users) <> 0`;

/** In no particular order. Users without points in the system are left out. */
export async function usersByMark(sql: SqlReader, account: string, system: string): Promise<readonly UsersAt[]> {
  const rows = await sql.query<{ readonly mark: string; readonly users: string }>(BY_MARK, [account, system]);
  return rows.map(({ mark, users }) => ({ mark: BigInt(mark), users: Number(users) }));
}
