import { CORRECTION_TRIGGER } from '@laurel/kernel';
import { uuidsIn } from '@laurel/ports/name-uuid';

/** Must never change: ids of awards that clients know are derived from it. */
const awardIdOf = uuidsIn('c31c1f2e-6f0b-5d57-9a63-6a6f0f1f7b1d');

/** The id of the award that a trigger gives for an event (specification, section 6). */
export const firedAwardId = (eventId: string, triggerId: string, system: string): string =>
  // A correction makes one award per system, so the system is part of its id.
  awardIdOf(JSON.stringify(triggerId === CORRECTION_TRIGGER ? [eventId, triggerId, system] : [eventId, triggerId]));
