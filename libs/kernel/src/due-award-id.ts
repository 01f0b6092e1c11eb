import type { Instant } from '@laurel/calendar';
import { v5 as uuidv5 } from 'uuid';

/** Must never change: ids of awards that clients know are derived from it. */
const AWARDS = 'c31c1f2e-6f0b-5d57-9a63-6a6f0f1f7b1d';

/** A user, by the id in a request, and a points system. */
export interface AwardOwner {
  readonly account: string;
  readonly userId: string;
  readonly system: string;
}

/**
 * The id of a time award. It does not depend on the event that settles the award, so an award that is read before it is recorded already
 * has its final id, and no stored row has to hold the user's id.
 */
export const dueAwardId = ({ account, userId, system }: AwardOwner, triggerId: string, at: Instant): string =>
  uuidv5(JSON.stringify([account, userId, system, triggerId, at]), AWARDS);
