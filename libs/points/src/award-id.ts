import { CORRECTION_TRIGGER } from '@laurel/contracts';
import { hash } from 'node:crypto';
import { parse } from 'uuid';

/** Never to change: ids of awards already answered are derived from it. */
const AWARDS = parse('c31c1f2e-6f0b-5d57-9a63-6a6f0f1f7b1d');

/**
 * The id of the one award that a trigger makes of an event (specification, section 6): a UUID of version 5 (RFC 9562). As the
 * library's `v5` gives it, at a third of the cost: an event has several awards, and this was a tenth of all that is computed for it.
 */
export function firedAwardId(eventId: string, triggerId: string, system: string): string {
  // A correction makes one award for each system.
  const name = triggerId === CORRECTION_TRIGGER ? [eventId, triggerId, system] : [eventId, triggerId];
  const hex = hash('sha1', Buffer.concat([AWARDS, Buffer.from(JSON.stringify(name))]), 'hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
