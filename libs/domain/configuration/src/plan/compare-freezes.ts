import type { StreakDocument } from '@laurel/schemas';
import { added, changedFields, removed } from './change.ts';
import type { Change } from './change.ts';

type Freezes = NonNullable<StreakDocument['freezes']>;

export function compareFreezes(before: Freezes | undefined, after: Freezes | undefined): Change[] {
  if (before === undefined)
    return after === undefined ? [] : [added('streak.freezes', after, `${BRIDGED} ${whoHoldsFreezes(after)}`)];
  if (after === undefined) return [removed('streak.freezes', before, WHEN_REMOVED)];
  return changedFields<Freezes, never>('streak.freezes', before, after, {
    initial: (_, initial) =>
      `Users created after publication begin with ${freezes(initial)}. Existing users keep what they hold.`,
    max: (was, is) => (is < was ? LOWERED_MAX : 'From publication, users can hold more freezes.'),
    earnEvery: (_, earnEvery) => rhythm({ ...after, earnEvery }),
    earn: (_, earn) => rhythm({ ...after, earn }),
  });
}

const BRIDGED = 'From publication, a freeze bridges a missed period if the user holds one.';
const WHEN_REMOVED =
  'Freezes no longer bridge missed periods, and users cannot use the freezes that they hold. Periods already bridged stay bridged.';
const LOWERED_MAX =
  'Nobody loses a freeze. Users who hold more than the new maximum keep them, but earn none until they hold fewer.';

/** Terms hold from their publication on (specification, section 4). */
export function whoHoldsFreezes(terms: Freezes): string {
  const { initial, max } = terms;
  return `Users created after publication begin with ${freezes(initial)}; existing users begin with none. ${rhythm(terms)} A user can hold at most ${max}.`;
}

function rhythm({ earnEvery, earn }: Freezes): string {
  if (earnEvery === null || earn === null) return 'From publication, users earn no freezes.';
  return `From publication, each user earns ${freezes(earn)} every ${earnEvery === 1 ? 'day' : `${earnEvery} days`}, counted from their creation.`;
}

function freezes(count: number): string {
  return count === 1 ? '1 freeze' : `${count} freezes`;
}
