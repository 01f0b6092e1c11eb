import type { Instant } from '@laurel/calendar';
import type { SqlReader, Subject } from '@laurel/contracts';
import type { Recorded } from './stored-awards.ts';

/** An award as an operator's export shows it. */
export interface ExportedAward {
  readonly at: Instant;
  readonly awarded: bigint;
  readonly total: bigint;
}

/** What is recorded of one user in one system. */
export interface RecordedAwards {
  readonly awards: number;
  /** The newest three, oldest first. */
  readonly last: readonly ExportedAward[];
}

/** How many of the newest awards an export shows. */
export const EXPORTED_AWARDS = 3;

interface ExportRow {
  readonly subject: string;
  readonly system: string;
  readonly awards: string;
  readonly last: readonly (readonly [atMs: string, awarded: string, total: string])[];
}

/** One look at the primary key for each user and system, however many awards they have for the newest; a count beside it. */
const EXPORT = `
  select asked.subject, systems.system, counted.awards, newest.last
  from unnest($2::bigint[], $3::bigint[]) as asked(subject, position)
  cross join unnest($4::text[]) as systems(system)
  cross join lateral (
    select count(*) as awards
    from point_awards a
    where a.account = $1 and a.subject = asked.subject and a.system = systems.system and a.position <= asked.position
  ) counted
  cross join lateral (
    select coalesce(
      json_agg(json_build_array(round(extract(epoch from awarded_at) * 1000)::text, awarded::text, total::text)
               order by position, ordinal), '[]') as last
    from (
      select awarded_at, awarded, total, position, ordinal
      from point_awards a
      where a.account = $1 and a.subject = asked.subject and a.system = systems.system and a.position <= asked.position
      order by a.position desc, a.ordinal desc
      limit $5
    ) three
  ) newest`;

const NONE: RecordedAwards = { awards: 0, last: [] };

/** Recorded awards of many users in many systems at once, to be asked for user and system. */
export async function exportedAwards(
  sql: SqlReader,
  account: string,
  users: readonly Pick<Recorded, 'subject' | 'position'>[],
  systems: readonly string[],
): Promise<(subject: Subject, system: string) => RecordedAwards> {
  const ids = users.map(({ subject }) => subject);
  const positions = users.map(({ position }) => position);
  const rows = await sql.query<ExportRow>(EXPORT, [account, ids, positions, systems, EXPORTED_AWARDS]);
  const byUser = new Map(ids.map((id) => [id, new Map<string, RecordedAwards>()]));
  for (const row of rows) byUser.get(Number(row.subject))?.set(row.system, recordedAwards(row));
  return (subject, system) => byUser.get(subject)?.get(system) ?? NONE;
}

function recordedAwards({ awards, last }: ExportRow): RecordedAwards {
  return {
    awards: Number(awards),
    last: last.map(([atMs, awarded, total]) => ({ at: Number(atMs), awarded: BigInt(awarded), total: BigInt(total) })),
  };
}
