import { formatInstant, type Instant } from '@laurel/calendar';
import { NOBODY, type SqlReader } from '@laurel/contracts';
import type { DueUser } from '@laurel/relay';
import { SCHEMAS } from '../schemas/schemas.ts';

/** Each service's part is cut to the limit by its own index, so that a step reads no more than twice what it answers. */
const DUE_USERS = `
select subject, due_at from (${[SCHEMAS.streak, SCHEMAS.points].map((schema) => `(${dueIn(schema)})`).join(' union all ')}) due
order by due_at, subject limit $5`;

function dueIn(schema: string): string {
  return `select subject, due_at from ${schema}.user_states
    where account = $1 and due_at <= $2 and (due_at, subject) > ($3::timestamptz, $4) order by due_at, subject limit $5`;
}

/** Those for whom a service has something to settle, those who have waited longest first; see `DueSweeperParts.dueUsers`. */
export async function dueUsers(
  sql: SqlReader,
  account: string,
  at: Instant,
  after: DueUser | null,
  limit: number,
): Promise<readonly DueUser[]> {
  const rows = await sql.query<{ subject: string; due_at: Date }>(DUE_USERS, [
    account,
    formatInstant(at),
    after === null ? '-infinity' : formatInstant(after.dueAt),
    after?.subject ?? NOBODY,
    limit,
  ]);
  return rows.map((row) => ({ subject: Number(row.subject), dueAt: row.due_at.getTime() }));
}
