import { formatInstant, type Instant } from '@laurel/calendar';
import { NOBODY, type SqlReader, type Subject } from '@laurel/kernel';

/** A user for whom something falls due, and when. */
export interface DueUser {
  readonly subject: Subject;
  readonly dueAt: Instant;
}

/**
 * Users for whom something falls due up to `at`, after the user `after`, those who have waited longest first. A user
 * with rows in several tables may appear once per table. @throws StoreUnavailableError
 */
export type ReadDueUsers = (
  account: string,
  at: Instant,
  after: DueUser | null,
  limit: number,
) => Promise<readonly DueUser[]>;

/**
 * Reads tables with the columns of `user_states`. Each table's own index applies the limit, so a step reads at most
 * `limit` rows of each table.
 */
export function dueUsersIn(sql: SqlReader, tables: readonly string[]): ReadDueUsers {
  const parts = tables.map(
    (table) => `(select subject, due_at from ${table}
    where account = $1 and due_at <= $2 and (due_at, subject) > ($3::timestamptz, $4) order by due_at, subject limit $5)`,
  );
  const statement = `select subject, due_at from (${parts.join(' union all ')}) due order by due_at, subject limit $5`;
  return async (account, at, after, limit) => {
    const rows = await sql.query<{ subject: string; due_at: Date }>(statement, [
      account,
      formatInstant(at),
      after === null ? '-infinity' : formatInstant(after.dueAt),
      after?.subject ?? NOBODY,
      limit,
    ]);
    return rows.map((row) => ({ subject: Number(row.subject), dueAt: row.due_at.getTime() }));
  };
}
