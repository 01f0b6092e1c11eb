import type { Instant } from '@laurel/calendar';
import { parse, v5 } from 'uuid';

/** Never to change: ids of awards already answered are derived from it. */
const AWARDS = parse('c31c1f2e-6f0b-5d57-9a63-6a6f0f1f7b1d');

/**
 * The id of a due time award follows from what it is, not from the record that settles it: one that is read before it is
 * recorded already has the id that it will keep.
 */
export function dueAwardId(account: string, userId: string, system: string, triggerId: string, at: Instant): string {
  return idOf([account, userId, system, triggerId, at]);
}

/** The id of the one award that a trigger makes of an event (specification, section 6). */
export function firedAwardId(eventId: string, triggerId: string): string {
  return idOf([eventId, triggerId]);
}

/** Handed over as bytes: the library's own way from text to bytes costs as much as the hash. */
function idOf(name: readonly (string | number)[]): string {
  return v5(Buffer.from(JSON.stringify(name)), AWARDS);
}
