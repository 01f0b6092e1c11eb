import { levelReached, type Firing, type Occasion, type Sink } from '@laurel/kernel';
import { systemAt, type PointsPlan, type SystemPlan } from './points-plan.ts';
import type { PointsState } from './points.ts';

/** Another version may have other levels: the next event of the user tells, whether or not it gives points. */
export function noteLevels(state: PointsState, { position }: Occasion, plan: PointsPlan, sink: Sink): void {
  let due: readonly Firing<'PointsAwarded'>[] | null = null;
  for (let place = 0; place < plan.systems.length; place++) {
    const system = state.systems[place];
    if (system === undefined) continue;
    const { total, settledTo, level, otherSums } = system;
    const key = levelReached(systemAt(plan, place).levels, total)?.key ?? null;
    const isSame = key === (level?.key ?? null);
    if (isSame && key !== null) due ??= dueAwards(plan, sink);
    if (!isSame || (key !== null && isReachedAnew(key, systemAt(plan, place), due ?? NONE)))
      state.systems[place] = { total, settledTo, level: { key, position }, otherSums };
  }
}

const dueAwards = ({ timed }: PointsPlan, sink: Sink): readonly Firing<'PointsAwarded'>[] =>
  timed.length === 0 ? NONE : sink.firings('PointsAwarded').filter((firing) => firing.due);

const NONE: readonly Firing<'PointsAwarded'>[] = [];

/** Whether a due award led away from a level to which the user is back: so it is too if a sweep settles that award alone. */
const isReachedAnew = (level: string, { key, levels }: SystemPlan, due: readonly Firing<'PointsAwarded'>[]): boolean =>
  due.some(({ effect: { system, total } }) => system === key && levelReached(levels, total)?.key !== level);
