import type { Exact } from '@laurel/amounts';

/** What an award of a trigger or a grant adds to the points earned: nothing if it takes points. */
export const earnedBy = (awarded: Exact): Exact => (awarded > 0 ? awarded : 0);
