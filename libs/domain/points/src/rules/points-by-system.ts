import { exactOf, type Exact } from '@laurel/amounts';
import type { PointsPlan } from './points-plan.ts';
import type { LevelSince, PointsState } from './points-state.ts';

export const totalOf = ({ systems }: PointsState, system: number): Exact => systems[system]?.total ?? 0;

export const totalsOf = (state: PointsState, plan: PointsPlan): readonly Exact[] =>
  plan.systems.map((_, system) => totalOf(state, system));

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
