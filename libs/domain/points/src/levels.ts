import type { Exact } from '@laurel/amounts';
import { formatInstant, type Instant } from '@laurel/calendar';
import {
  effectsOfType,
  levelReached,
  type AreaTable,
  type Configuration,
  type Occasion,
  type PointsAwarded,
  type Row,
  type SqlReader,
  type Step,
  type Subject,
} from '@laurel/kernel';
import type { LevelReached } from '@laurel/ports';
import type { PointsCorrection } from './correct-points.ts';
import { followedAfter } from './rules/followed-after.ts';
import type { PointsPlan, SystemPlan } from './rules/points-plan.ts';
import { levelsByKey } from './rules/points-by-system.ts';
import type { PointsState } from './rules/points-state.ts';

/**
 * The level of each user as of the user's last event; null if the user fell below all levels. Users who never reached a
 * level have no row.
 */
export const POINTS_LEVELS: AreaTable = {
  name: 'points_levels',
  onConflict: `on conflict (subject, system) do update
    set level = excluded.level, reached_at = excluded.reached_at, position = excluded.position`,
  merge: {
    keyOf: ({ subject, system }) => `${subject as number} ${system as number}`,
    combine: (_earlier, later) => later,
  },
  digest: ({ ofUsers, name }) => `
    select row($1::text, user_id, ${name('systems', 'system')}, level, reached_at, position)::text as value
    from points_levels ${ofUsers}`,
};

/** A row for each system in which an event changed the user's level. */
export function levelRows(
  { occasion, effects, configuration }: Step,
  state: PointsState,
  plan: PointsPlan,
): readonly Row[] {
  const { position } = occasion;
  return plan.systems.flatMap((system, place) => {
    const after = state.systems[place];
    if (after?.level?.position !== position) return [];
    const awards = effectsOfType(effects, 'PointsAwarded').filter((award) => award.system === system.key);
    const level = after.level.key;
    const at = reachedAt(awards, followedAfter(awards, system, after), system.levels, level) ?? occasion.occurredAt;
    return [levelRow(occasion, configuration, { system: system.key, level, at })];
  });
}

/**
 * The instant of the award that reached the level and kept it. Each due award counts alone; the event's own awards
 * count together.
 */
function reachedAt(
  awards: readonly PointsAwarded[],
  followed: readonly Exact[],
  levels: SystemPlan['levels'],
  level: string | null,
): Instant | null {
  let at: Instant | null = null;
  for (const [index, award] of awards.entries()) {
    if (!award.due && award !== awards.at(-1)) continue;
    const key = levelReached(levels, followed[index] ?? 0)?.key ?? null;
    at = key === level ? (at ?? award.at) : null;
  }
  return at;
}

/** A row for each system in which a correction changes the user's level. */
export function correctedLevelRows({ before, after, plan, occasion, configuration }: PointsCorrection): readonly Row[] {
  const [was, is] = [levelsByKey(before, plan), levelsByKey(after, plan)];
  return [...new Set([...is.keys(), ...was.keys()])].flatMap((system) => {
    const level = is.get(system)?.key ?? null;
    if (level === (was.get(system)?.key ?? null)) return [];
    return [levelRow(occasion, configuration, { system, level, at: occasion.occurredAt })];
  });
}

interface Reached {
  readonly system: string;
  readonly level: string | null;
  readonly at: Instant;
}

const levelRow = ({ subject, position }: Occasion, { names }: Configuration, { system, level, at }: Reached): Row => ({
  subject,
  system: names.systems.numberOf(system),
  level,
  reached_at: formatInstant(at),
  position,
});

export interface LevelPage {
  /** The last user of the previous page; null for the first page. */
  readonly after: LevelReached | null;
  readonly limit: number;
}

/**
 * Users on a level, newest first, then by subject. Includes users of other accounts: the directory knows the account of a subject.
 * @param system its number
 */
export async function usersOnLevel(
  sql: SqlReader,
  system: number,
  level: string,
  { after, limit }: LevelPage,
): Promise<readonly LevelReached[]> {
  const rows = await sql.query<{ subject: string; reached_at: Date }>(
    `select subject, reached_at from points_levels
     where system = $1 and level = $2 ${after === null ? '' : 'and (reached_at, subject) < ($4::timestamptz, $5::bigint)'}
     order by reached_at desc, subject desc limit $3`,
    [system, level, limit, ...(after === null ? [] : [formatInstant(after.reachedAt), after.subject])],
  );
  return rows.map((row) => ({ subject: Number(row.subject) as Subject, reachedAt: row.reached_at.getTime() }));
}
