import type { Instant } from '@laurel/calendar';
import { v5 as uuidv5 } from 'uuid';

/** Never to change: ids of awards already answered are derived from it. */
const AWARDS = 'c31c1f2e-6f0b-5d57-9a63-6a6f0f1f7b1d';

/** The user whom a request names, and a points system. */
export interface AwardOwner {
  readonly account: string;
  readonly userId: string;
  readonly system: string;
}

/**
 * The id of a time award follows from what it is, not from the event that settles it: so an award that is read before it is recorded
 * has the id that it will keep, and nothing stored has to hold the user's id.
 */
export const dueAwardId = ({ account, userId, system }: AwardOwner, triggerId: string, at: Instant): string =>
  uuidv5(JSON.stringify([account, userId, system, triggerId, at]), AWARDS);
