import type { Exact } from '@laurel/amounts';
import { REFUND_TRIGGER } from '@laurel/kernel';

/** What an award of a trigger or a grant adds to the points earned. What takes points adds nothing, nor does a refund. */
export const earnedBy = (awarded: Exact, triggerId?: string): Exact =>
  awarded > 0 && triggerId !== REFUND_TRIGGER ? awarded : 0;
