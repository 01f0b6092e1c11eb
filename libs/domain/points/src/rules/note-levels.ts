import { levelOf, levelReached, type Firing, type Occasion, type Emitter } from '@laurel/kernel';
import { followedAfter } from './followed-after.ts';
import { systemAt, type PointsPlan, type SystemPlan } from './points-plan.ts';
import type { PointsState, SystemState } from './points-state.ts';

/** Updates the levels with every event, even without an award, because another version may have other levels. */
export function noteLevels(state: PointsState, { position }: Occasion, plan: PointsPlan, out: Emitter): void {
  let awards: Awards | null = null;
  for (let place = 0; place < plan.systems.length; place++) {
    const system = state.systems[place];
    if (system === undefined) continue;
    const { total, earned, settledTo, level, otherSums, left, boosts, boostsEndedTo } = system;
    const key = levelOf(systemAt(plan, place), system)?.key ?? null;
    const isSame = key === (level?.key ?? null);
    if (isSame && key !== null) awards ??= awardsIfDue(plan, out);
    if (!isSame || (key !== null && isReachedAnew(key, systemAt(plan, place), system, awards ?? NONE)))
      state.systems[place] = {
        total,
        earned,
        settledTo,
        level: { key, position },
        otherSums,
        left,
        boosts,
        boostsEndedTo,
      };
  }
}

type Awards = readonly Firing<'PointsAwarded'>[];

/** The awards of an event; none unless one of them was due. */
function awardsIfDue({ timed }: PointsPlan, out: Emitter): Awards {
  if (timed.length === 0) return NONE;
  const awards = out.firings('PointsAwarded');
  return awards.some(({ due }) => due) ? awards : NONE;
}

const NONE: Awards = [];

/**
 * Whether a due award left a level and the user has returned to it. A sweep that settles only this award has the same
 * result.
 */
function isReachedAnew(level: string, plan: SystemPlan, after: SystemState, awards: Awards): boolean {
  if (awards.length === 0) return false;
  const own = awards.filter(({ effect }) => effect.system === plan.key);
  const followed = followedAfter(
    own.map(({ effect }) => effect),
    plan,
    after,
  );
  return own.some(({ due }, index) => due && levelReached(plan.levels, followed[index] ?? 0)?.key !== level);
}
