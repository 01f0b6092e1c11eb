import { subtract, type Exact } from '@laurel/amounts';
import type { PointsAwarded } from '@laurel/kernel';
import type { SystemPlan } from './points-plan.ts';
import type { SystemState } from './points-state.ts';
import { earnedBy } from './award/earned-by.ts';

/**
 * The points that the levels of a system follow after each of its awards.
 * @param awards all awards of an event in the system
 * @param after the system after them
 */
export function followedAfter(
  awards: readonly PointsAwarded[],
  { levelsBy }: Pick<SystemPlan, 'levelsBy'>,
  after: Pick<SystemState, 'earned'>,
): readonly Exact[] {
  if (levelsBy === 'total') return awards.map(({ total }) => total);
  const followed: Exact[] = [];
  let earned = after.earned;
  for (const { awarded, triggerId } of awards.toReversed()) {
    followed.unshift(earned);
    earned = subtract(earned, earnedBy(awarded, triggerId));
  }
  return followed;
}
