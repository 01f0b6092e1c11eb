import { exactOf, type Exact } from '@laurel/amounts';
import { pointsFollowed, type PointsStanding } from '@laurel/kernel';
import type { PointsPlan, SystemPlan } from './points-plan.ts';
import type { LevelSince, PointsState } from './points-state.ts';

export const totalOf = ({ systems }: PointsState, system: number): Exact => systems[system]?.total ?? 0;

/** The points that the levels of a system follow. */
export const followedOf = ({ systems }: PointsState, { levelsBy }: SystemPlan, system: number): Exact =>
  pointsFollowed(levelsBy, systems[system] ?? NOTHING);

const NOTHING = { total: 0, earned: 0 };

export const allFollowed = (state: PointsState, plan: PointsPlan): readonly Exact[] =>
  plan.systems.map((system, place) => followedOf(state, system, place));

/** The recorded points in a system, also if the plan's version lacks it. */
export function standingByKey({ systems, others }: PointsState, plan: PointsPlan, system: string): PointsStanding {
  const place = plan.systemByKey.get(system);
  if (place !== undefined) return systems[place] ?? NOTHING;
  const [, total, , , , earned = total] = others.find(([key]) => key === system) ?? [system, '0', 0, []];
  return { total: exactOf(BigInt(total)), earned: exactOf(BigInt(earned)) };
}

/** All totals of a state by the system's key. */
export const totalsByKey = (state: PointsState, { systems }: PointsPlan): readonly (readonly [string, Exact])[] => [
  ...systems.map(({ key }, place) => [key, totalOf(state, place)] as const),
  ...state.others.map(([key, total]) => [key, exactOf(BigInt(total))] as const),
];

/** All levels of a state by the system's key. */
export const levelsByKey = (state: PointsState, { systems }: PointsPlan): ReadonlyMap<string, LevelSince | null> =>
  new Map([
    ...systems.map(({ key }, place) => [key, state.systems[place]?.level ?? null] as const),
    ...state.others.map(([key, , , , level]) => [key, level ?? null] as const),
  ]);
