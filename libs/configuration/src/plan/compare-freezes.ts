import type { StreakDocument } from '@laurel/contracts';
import { added, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';

type Freezes = NonNullable<StreakDocument['freezes']>;

export function compareFreezes(before: Freezes | undefined, after: Freezes | undefined): Change[] {
  if (before === undefined)
    return after === undefined ? [] : [added('streak.freezes', after, `${BRIDGED} ${whoHoldsFreezes(after)}`)];
  if (after === undefined) return [removed('streak.freezes', before, WHEN_REMOVED)];
  return changedFields<Freezes, never>('streak.freezes', before, after, {
    initial: (_, initial) =>
      `Users created from then on begin with ${freezes(initial)}. Those who exist keep what they hold.`,
    max: (was, is) => (is < was ? LOWERED_MAX : 'From then on more can be held.'),
    earnEvery: (_, earnEvery) => rhythm({ ...after, earnEvery }),
    earn: (_, earn) => rhythm({ ...after, earn }),
  });
}

const BRIDGED = 'From then on a missed period is bridged by a freeze, if one is held.';
const WHEN_REMOVED =
  'Missed periods are not bridged any more, and freezes that are held cannot be used. Periods that were bridged stay so.';
const LOWERED_MAX = 'Nobody loses a freeze: who holds more keeps them, but earns none until they hold less.';

/** Terms hold from their publication on (specification, section 4). */
export function whoHoldsFreezes(terms: Freezes): string {
  const { initial, max } = terms;
  return `Users created from then on begin with ${freezes(initial)}; those who exist get none to begin with. ${rhythm(terms)} At most ${max} can be held.`;
}

function rhythm({ earnEvery, earn }: Freezes): string {
  if (earnEvery === null || earn === null) return 'None are earned from then on.';
  return `From then on ${freezes(earn)} ${earn === 1 ? 'is' : 'are'} earned every ${earnEvery === 1 ? 'day' : `${earnEvery} days`}, counted from each user's creation.`;
}

function freezes(count: number): string {
  return count === 1 ? '1 freeze' : `${count} freezes`;
}
