import type { Instant } from '@laurel/calendar';
import { parse, v5 } from 'uuid';

/** Never to change: ids of awards already answered are derived from it. */
const AWARDS = parse('c31c1f2e-6f0b-5d57-9a63-6a6f0f1f7b1d');

/**
 * The id of a due time award follows from what it is, not from the record that settles it: one that is read before it is
 * recorded already has the id that it will keep.
 */
export function dueAwardId(account: string, userId: string, system: string, triggerId: string, at: Instant): string {
  return v5(JSON.stringify([account, userId, system, triggerId, at]), AWARDS);
}

/** The id of the one award that a trigger makes of an event (specification, section 6). */
export function firedAwardId(eventId: string, triggerId: string): string {
  return v5(JSON.stringify([eventId, triggerId]), AWARDS);
}
