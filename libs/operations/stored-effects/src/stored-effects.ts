import { EFFECT_COLUMNS, type AreaName, type Configuration, type SqlReader, type Subject } from '@laurel/kernel';
import type { EffectsByArea } from '@laurel/ports';
import { lastPointsEffects } from '@laurel/points';

/** The columns of a row of `effects` that hold effects; null: the area caused nothing, or has not applied the event yet. */
export interface EffectsRow {
  readonly occurred_at: Date;
  readonly users: string | null;
  readonly streaks: string | null;
  readonly achievements: string | null;
  readonly points: string | null;
}

/** Where the tables of an area are; the same reader for all areas that share them. */
export type SqlOfArea = (area: AreaName) => SqlReader;

/** An event, as it concerns one user. */
export interface EffectsPlace {
  readonly subject: Subject;
  readonly position: number;
}

const AREAS_WITH_EFFECTS = ['users', 'streaks', 'achievements', 'points'] as const;

/** By the primary key of `effects`, a probe for each. */
const EFFECTS_OF = `
select asked.place, occurred_at, users, streaks, achievements, points
from unnest($1::bigint[], $2::bigint[]) with ordinality as asked (subject, position, place)
join effects on effects.subject = asked.subject and effects.position = asked.position`;

/** Each reader of a table `effects` once: one where all areas are in one process. That of the users area comes first. */
export const readersOfEffects = (sqlOf: SqlOfArea): readonly SqlReader[] => [
  ...new Set(AREAS_WITH_EFFECTS.map((area) => sqlOf(area))),
];

/** Likewise of one user: events that lie close together share what is read. */
const EFFECTS_OF_USER = `
select array_position($2::bigint[], position) as place, occurred_at, users, streaks, achievements, points
from effects where subject = $1 and position = any($2::bigint[])`;

/**
 * What the areas that these readers have stored of each event, in the order asked; undefined: none of them has applied it, or the user
 * was erased. One statement for each reader, however many events there are.
 * @throws StoreUnavailableError
 */
export async function storedEffects(
  readers: readonly SqlReader[],
  asked: readonly EffectsPlace[],
): Promise<readonly (EffectsRow | undefined)[]> {
  if (asked.length === 0) return [];
  const parameters = [asked.map(({ subject }) => subject), asked.map(({ position }) => position)];
  const found = await Promise.all(readers.map((sql) => sql.query<PlacedRow>(EFFECTS_OF, parameters)));
  return mergedRows(asked.length, found.flat());
}

/** The same of one user. @param positions each once */
export async function storedEffectsOfUser(
  readers: readonly SqlReader[],
  subject: Subject,
  positions: readonly number[],
): Promise<readonly (EffectsRow | undefined)[]> {
  const found = await Promise.all(readers.map((sql) => sql.query<PlacedRow>(EFFECTS_OF_USER, [subject, positions])));
  return mergedRows(positions.length, found.flat());
}

function mergedRows(count: number, found: readonly PlacedRow[]): readonly (EffectsRow | undefined)[] {
  const merged: (EffectsRow | undefined)[] = Array.from({ length: count }, () => undefined);
  for (const row of found) {
    const place = Number(row.place) - 1;
    merged[place] = mergedEffects(merged[place], row);
  }
  return merged;
}

type PlacedRow = EffectsRow & { readonly place: string };

/** One row with what either has. */
export function mergedEffects(one: EffectsRow | undefined, other: EffectsRow): EffectsRow {
  const { occurred_at, users, streaks, achievements, points } = one ?? other;
  return {
    occurred_at,
    users: users ?? other.users,
    streaks: streaks ?? other.streaks,
    achievements: achievements ?? other.achievements,
    points: points ?? other.points,
  };
}

/** All but the first of many effects on points. */
export function withoutFirstPoints({ points, ...others }: EffectsByArea): EffectsByArea {
  const pointsLeftOut = Math.max(0, points.length - POINTS_SHOWN);
  return { ...others, points: points.slice(pointsLeftOut), pointsLeftOut };
}

/** Effects on points of one event that are shown: it may have recorded tens of thousands of time awards. */
const POINTS_SHOWN = 100;

/**
 * @param configuration the version under which the event was applied: it names what the row numbers
 * @param most how many of those on points, the last ones
 */
export function effectsByArea(row: EffectsRow, { names }: Configuration, most = POINTS_SHOWN): EffectsByArea {
  const event = { occurredAt: row.occurred_at.getTime() };
  const points = lastPointsEffects(row.points ?? '[]', event.occurredAt, names, most);
  return {
    users: row.users === null ? [] : EFFECT_COLUMNS.users.decode(row.users, event, names),
    streaks: row.streaks === null ? [] : EFFECT_COLUMNS.streaks.decode(row.streaks, event, names),
    achievements: row.achievements === null ? [] : EFFECT_COLUMNS.achievements.decode(row.achievements, event, names),
    points: points.effects,
    pointsLeftOut: points.leftOut,
  };
}
