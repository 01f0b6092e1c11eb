import type { Instant } from '@laurel/calendar';
import {
  BUILT_IN_TRIGGERS,
  builtInNumber,
  EFFECT_COLUMNS,
  StoreUnavailableError,
  type ConfiguredNames,
  type PointsAwarded,
  type SqlReader,
  type Subject,
} from '@laurel/kernel';
import type { StoredAward } from '@laurel/ports';
import { firedAwardId } from './award-id.ts';
import { awardsInSystem } from './points-effects.ts';

/** A user's awards in a system, up to the position of the state that was read. */
export interface Recorded {
  readonly subject: Subject;
  readonly system: string;
  readonly position: number;
}

/** The names of all known versions. Call it after the read: a version is published before any row uses the names that it adds. */
export type KnownNames = () => ConfiguredNames;

/** A row of `effects` with awards. */
export interface AwardsRow {
  readonly position: string;
  readonly occurred_at: Date;
  readonly event_id: string | null;
  readonly points: string;
}

/**
 * $1: subject; $2: number of the system; $3: last position; $4: number of rows. Walks the distinct sets of systems in
 * which events of the user awarded points. Of each set that contains the system, takes the newest rows in the order of
 * the index `effects_systems`.
 */
const NEWEST = `
  with recursive sets as (
    (select systems from effects where subject = $1 and systems is not null order by systems limit 1)
    union all
    select (
      select e.systems from effects e where e.subject = $1 and e.systems > s.systems order by e.systems limit 1
    ) from sets s where s.systems is not null
  )
  select newest.* from sets s cross join lateral (
    select e.position, e.occurred_at, e.event_id, e.points from effects e
    where e.subject = $1 and e.systems = s.systems and e.position <= $3
    order by e.position >> 10 desc, e.position desc limit $4
  ) newest
  where $2 = any (string_to_array(s.systems, ','))
  order by newest.position desc limit $4`;

/** The newest awards, newest recorded first. */
export async function newestAwards(
  sql: SqlReader,
  { subject, system, position }: Recorded,
  limit: number,
  names: KnownNames,
): Promise<readonly StoredAward[]> {
  const number = String(names().systems.numberOf(system));
  const rows = await sql.query<AwardsRow>(NEWEST, [subject, number, position, limit]);
  const newest: StoredAward[] = [];
  for (const row of rows) newest.push(...newestIn(row, system, limit - newest.length, names()));
  return newest;
}

/** At most `most` awards of a row, newest first. */
const newestIn = (row: AwardsRow, system: string, most: number, names: ConfiguredNames): readonly StoredAward[] =>
  most === 0
    ? []
    : lastPlaced(row, system, names, { end: Infinity, most }).map(({ award }) => storedAward(award, row.event_id));

/** A stored award and its index among the awards of its record in this system. */
export interface PlacedAward {
  readonly position: number;
  readonly index: number;
  readonly award: PointsAwarded;
}

export interface AwardsPage {
  /** Returns only awards before this place; null for the newest. */
  readonly before: Pick<PlacedAward, 'position' | 'index'> | null;
  readonly limit: number;
}

/** A page of awards, newest recorded first. */
export async function awardsBefore(
  sql: SqlReader,
  { subject, system, position }: Recorded,
  { before, limit }: AwardsPage,
  names: KnownNames,
): Promise<readonly PlacedAward[]> {
  const number = String(names().systems.numberOf(system));
  // Reads one row more: the row of the given place may have no earlier award.
  const parameters = [subject, number, Math.min(position, before?.position ?? position), limit + 1];
  const rows = await sql.query<AwardsRow>(NEWEST, parameters);
  const newest: PlacedAward[] = [];
  for (const row of rows) {
    const end = Number(row.position) === before?.position ? before.index : Infinity;
    if (newest.length < limit) newest.push(...lastPlaced(row, system, names(), { end, most: limit - newest.length }));
  }
  return newest;
}

/** The last `most` awards of a row before index `end`, newest first. */
function lastPlaced(
  { position, occurred_at, points }: AwardsRow,
  system: string,
  names: ConfiguredNames,
  { end, most }: { readonly end: number; readonly most: number },
): readonly PlacedAward[] {
  const awards = known(() => awardsInSystem(points, occurred_at.getTime(), names, system));
  const behind = Math.min(end, awards.count);
  return Array.from({ length: Math.min(most, behind) }, (_, place): PlacedAward => {
    const index = behind - 1 - place;
    return { position: Number(position), index, award: awards.at(index) };
  });
}

/** The awards of a row in a system, in order. */
export function awardsIn({ occurred_at, event_id, points }: AwardsRow, system: string, names: ConfiguredNames) {
  return effectsIn(points, occurred_at.getTime(), names).flatMap((effect) =>
    effect.type === 'PointsAwarded' && effect.system === system ? [storedAward(effect, event_id)] : [],
  );
}

/** The awards of a row in every system, in order. */
export const awardEffectsIn = (points: string, event: Instant, names: ConfiguredNames): readonly PointsAwarded[] =>
  effectsIn(points, event, names).filter((effect) => effect.type === 'PointsAwarded');

const effectsIn = (points: string, event: Instant, names: ConfiguredNames) =>
  known(() => EFFECT_COLUMNS.points.decode(points, { occurredAt: event }, names));

/** A query gateway may not yet know the version under which a service already writes; a retry succeeds then. */
function known<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new StoreUnavailableError('awards of a version that is not known here yet', { cause });
    throw cause;
  }
}

const storedAward = (
  { system, triggerId, awarded, total, at, due, boosts }: PointsAwarded,
  eventId: string | null,
): StoredAward => ({
  id: due || eventId === null ? null : firedAwardId(eventId, triggerId, system),
  triggerId,
  awarded: BigInt(awarded),
  total: BigInt(total),
  at,
  ...(boosts && { boosts }),
});

/** The numbers of a system's triggers, including removed ones, and of the built-in ones in it. */
export const triggerNumbers = (
  { triggers, systems, systemOfTrigger }: ConfiguredNames,
  system: string,
): readonly number[] => [
  ...triggers.all.flatMap((id, place) => (systemOfTrigger.get(id) === system ? [place + 1] : [])),
  ...BUILT_IN_TRIGGERS.map((trigger) => builtInNumber(trigger, systems.numberOf(system))),
];
