import type { Instant } from '@laurel/calendar';
import type { SqlReader, Subject } from '@laurel/kernel';
import type { StoredAward } from '@laurel/ports';
import { awardsIn, triggerNumbers, type AwardsRow, type KnownNames, type Recorded } from './stored-awards.ts';

/** An award as an operator's export shows it. */
export interface ExportedAward {
  readonly at: Instant;
  readonly awarded: bigint;
  readonly total: bigint;
}

/** The recorded awards of one user in one system. */
export interface RecordedAwards {
  readonly awards: number;
  /** The newest three awards, oldest first. */
  readonly last: readonly ExportedAward[];
}

/** The number of newest awards in an export. */
export const EXPORTED_AWARDS = 3;

interface ExportRow {
  readonly subject: string;
  readonly system: string;
  readonly awards: string;
  /** Newest awards first. */
  readonly last: readonly (Omit<AwardsRow, 'occurred_at'> & { readonly at_ms: string })[];
}

/**
 * $1 and $2: users and their positions; $3 and $4: systems by key and by number; $5: triggers by number; $6: number of
 * each trigger's system; $7: how many of the newest awards. Reads all rows of a user with awards once.
 */
const EXPORT = `
  with triggers as materialized (
    select * from unnest($5::int[], $6::int[]) as t (trigger, system)
  )
  select asked.subject, systems.key as system, counted.awards, newest.last
  from unnest($1::bigint[], $2::bigint[]) as asked (subject, position)
  cross join lateral (
    select t.system, count(*) as awards
    from effects e
    cross join lateral jsonb_array_elements(e.points::jsonb) award
    join triggers t on jsonb_typeof(award -> 0) = 'number' and t.trigger = (award ->> 0)::int
    where e.subject = asked.subject and e.systems is not null and e.position <= asked.position
    group by t.system
  ) counted
  join unnest($3::text[], $4::int[]) as systems (key, number) on systems.number = counted.system
  cross join lateral (
    select coalesce(json_agg(json_build_object('at_ms', (extract(epoch from occurred_at) * 1000)::bigint::text, 'event_id', event_id,
      'points', points) order by position desc), '[]') as last
    from (
      select position, occurred_at, event_id, points from effects e
      where e.subject = asked.subject and e.position <= asked.position
        and systems.number::text = any (string_to_array(e.systems, ','))
      order by e.position desc limit $7
    ) three
  ) newest`;

const NONE: RecordedAwards = { awards: 0, last: [] };

/** Recorded awards of many users in many systems, by user and system. */
export async function exportedAwards(
  sql: SqlReader,
  users: readonly Pick<Recorded, 'subject' | 'position'>[],
  systems: readonly string[],
  names: KnownNames,
): Promise<(subject: Subject, system: string) => RecordedAwards> {
  const ids = users.map(({ subject }) => subject);
  const positions = users.map(({ position }) => position);
  const numbers = systems.map((system) => names().systems.numberOf(system));
  const triggers = systems.flatMap((system, place) =>
    triggerNumbers(names(), system).map((trigger) => [trigger, numbers[place]] as const),
  );
  const rows = await sql.query<ExportRow>(EXPORT, [
    ...[ids, positions, systems, numbers],
    ...[triggers.map(([trigger]) => trigger), triggers.map(([, system]) => system), EXPORTED_AWARDS],
  ]);
  const byUser = new Map(ids.map((id) => [id, new Map<string, RecordedAwards>()]));
  for (const row of rows) byUser.get(Number(row.subject))?.set(row.system, recordedAwards(row, names));
  return (subject, system) => byUser.get(subject)?.get(system) ?? NONE;
}

function recordedAwards({ system, awards, last }: ExportRow, names: KnownNames): RecordedAwards {
  const oldestFirst = last
    .toReversed()
    .flatMap(({ at_ms, ...row }) => awardsIn({ ...row, occurred_at: new Date(Number(at_ms)) }, system, names()));
  return { awards: Number(awards), last: oldestFirst.slice(-EXPORTED_AWARDS).map(exported) };
}

const exported = ({ at, awarded, total }: StoredAward): ExportedAward => ({ at, awarded, total });
