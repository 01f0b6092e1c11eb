import {
  EFFECT_COLUMNS,
  type AreaName,
  type Configuration,
  type Effect,
  type SqlReader,
  type Subject,
} from '@laurel/kernel';
import type { EffectsByArea } from '@laurel/ports';
import { lastPointsEffects } from '@laurel/points';

/** Columns of a row of `effects`; null if the area had no effects or has not applied the event yet. */
export interface EffectsRow {
  readonly occurred_at: Date;
  readonly users: string | null;
  readonly streaks: string | null;
  readonly achievements: string | null;
  readonly points: string | null;
}

/** Finds the reader for the tables of an area. Areas in one schema share a reader. */
export type SqlOfArea = (area: AreaName) => SqlReader;

/** An event and one of its users. */
export interface EffectsPlace {
  readonly subject: Subject;
  readonly position: number;
}

const AREAS_WITH_EFFECTS = ['users', 'streaks', 'achievements', 'points'] as const;

/** Probes the primary key of `effects` once for each event. */
const EFFECTS_OF = `
select asked.place, occurred_at, users, streaks, achievements, points
from unnest($1::bigint[], $2::bigint[]) with ordinality as asked (subject, position, place)
join effects on effects.subject = asked.subject and effects.position = asked.position`;

/** The distinct readers of tables `effects`, the one of the users area first. There is only one if all areas share a process. */
export const readersOfEffects = (sqlOf: SqlOfArea): readonly SqlReader[] => [
  ...new Set(AREAS_WITH_EFFECTS.map((area) => sqlOf(area))),
];

/** Reads events of one user; events that are close together share pages. */
const EFFECTS_OF_USER = `
select array_position($2::bigint[], position) as place, occurred_at, users, streaks, achievements, points
from effects where subject = $1 and position = any($2::bigint[])`;

/**
 * The stored effects of each event, in the order of `asked`; undefined if no area has applied the event or the user is erased. Takes one
 * statement for each reader, however many events there are.
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

/** Like {@link storedEffects}, for events of one user. @param positions without duplicates */
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

/** Combines the columns of two rows. */
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

/** Leaves out the first of many points effects. */
export function withoutFirstPoints({ points, ...others }: EffectsByArea): EffectsByArea {
  const pointsLeftOut = Math.max(0, points.length - POINTS_SHOWN);
  return { ...others, points: points.slice(pointsLeftOut), pointsLeftOut };
}

/** Points effects of one event that are shown; it may have recorded tens of thousands of time awards. */
const POINTS_SHOWN = 100;

/**
 * @param configuration the version under which the event was applied, whose names the row numbers
 * @param most how many points effects to return, from the last
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

/** The effects of all areas, in the order in which the areas apply an event. */
export const effectsInOrder = ({ users, streaks, achievements, points }: EffectsByArea): readonly Effect[] => [
  ...users,
  ...streaks,
  ...achievements,
  ...points,
];
