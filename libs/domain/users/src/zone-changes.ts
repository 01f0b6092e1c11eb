import type { SqlReader, Subject } from '@laurel/kernel';
import type { ZoneChange } from '@laurel/ports';
import { zoneChangeIn } from './user-effects.ts';

/** The newest $2 changes by the primary key of `user_zones`, then each one's effects by theirs. */
const NEWEST_CHANGES = `
select e.occurred_at, e.users from (
  select subject, position from user_zones where subject = $1 order by position desc limit $2
) z join effects e using (subject, position)
 where e.users is not null order by e.position desc`;

/** Newest first, at most `limit`. The clock that a user is created with is no change. */
export async function zoneChanges(sql: SqlReader, subject: Subject, limit: number): Promise<readonly ZoneChange[]> {
  const rows = await sql.query<{ occurred_at: Date; users: string }>(NEWEST_CHANGES, [subject, limit]);
  return rows.flatMap(({ occurred_at: occurredAt, users }) => {
    const change = zoneChangeIn(users);
    return change === null ? [] : [{ at: occurredAt.getTime(), ...change }];
  });
}
