import type { Instant, Zone } from '@laurel/calendar';
import { EFFECT_COLUMNS, NO_NAMES, type SqlReader, type Subject } from '@laurel/kernel';
import type { ZoneChange } from '@laurel/ports';

/** The newest $2 changes by the primary key of `user_zones`, then the effects of each by their primary key. */
const NEWEST_CHANGES = `
select e.occurred_at, e.users from (
  select subject, position from user_zones where subject = $1 order by position desc limit $2
) z join effects e using (subject, position)
 where e.users is not null order by e.position desc`;

/** Newest first, at most `limit`. The first clock of a user does not count as a change. */
export async function zoneChanges(sql: SqlReader, subject: Subject, limit: number): Promise<readonly ZoneChange[]> {
  const rows = await sql.query<{ occurred_at: Date; users: string }>(NEWEST_CHANGES, [subject, limit]);
  return rows.flatMap(({ occurred_at: occurredAt, users }) => {
    const change = zoneChangeIn(users, occurredAt.getTime());
    return change === null ? [] : [{ at: occurredAt.getTime(), ...change }];
  });
}

/** The change of a user's zone by an event, or null if there was none or the event created the user. */
function zoneChangeIn(users: string, occurredAt: Instant): { readonly from: Zone; readonly to: Zone } | null {
  const column = EFFECT_COLUMNS.users;
  const stored = column.parse(users);
  if (stored.some((one) => column.typeOf(one) === 'UserCreated')) return null;
  const changed = stored.find((one) => column.typeOf(one) === 'ZoneChanged');
  if (changed === undefined) return null;
  const effect = column.read(changed, { occurredAt }, NO_NAMES);
  return effect.type === 'ZoneChanged' ? { from: effect.from, to: effect.to } : null;
}
