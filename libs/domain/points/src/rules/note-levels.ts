import { levelReached, type Firing, type Occasion, type Emitter } from '@laurel/kernel';
import { systemAt, type PointsPlan, type SystemPlan } from './points-plan.ts';
import type { PointsState } from './points-state.ts';

/** Updates the levels with every event, even without an award, because another version may have other levels. */
export function noteLevels(state: PointsState, { position }: Occasion, plan: PointsPlan, out: Emitter): void {
  let due: readonly Firing<'PointsAwarded'>[] | null = null;
  for (let place = 0; place < plan.systems.length; place++) {
    const system = state.systems[place];
    if (system === undefined) continue;
    const { total, earned, settledTo, level, otherSums } = system;
    const key = levelReached(systemAt(plan, place).levels, total)?.key ?? null;
    const isSame = key === (level?.key ?? null);
    if (isSame && key !== null) due ??= dueAwards(plan, out);
    if (!isSame || (key !== null && isReachedAnew(key, systemAt(plan, place), due ?? NONE)))
      state.systems[place] = { total, earned, settledTo, level: { key, position }, otherSums };
  }
}

const dueAwards = ({ timed }: PointsPlan, out: Emitter): readonly Firing<'PointsAwarded'>[] =>
  timed.length === 0 ? NONE : out.firings('PointsAwarded').filter((firing) => firing.due);

const NONE: readonly Firing<'PointsAwarded'>[] = [];

/**
 * Whether a due award left a level and the user has returned to it. A sweep that settles only this award has the same
 * result.
 */
const isReachedAnew = (level: string, { key, levels }: SystemPlan, due: readonly Firing<'PointsAwarded'>[]): boolean =>
  due.some(({ effect: { system, total } }) => system === key && levelReached(levels, total)?.key !== level);
