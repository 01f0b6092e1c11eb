import { MOST_BOOSTS_HELD } from '../boost.ts';
import type { GiveGrant } from '../commands.ts';
import type { GrantRecorded } from '../events.ts';
import { accepted, refusal, type Decision } from './decision.ts';
import type { UserState } from './user-state.ts';

/**
 * Refused for a user whom the log does not know, and while an import is open: the grant could then precede events that
 * are imported later (specification, section 10). A boost is refused if the user has as many as one may have.
 */
export function giveGrant(
  { subject, grant, keyHash, attribution }: GiveGrant,
  { now, original, user, isRecorded, openImport, boostsHeld = 0 }: UserState,
): Decision<GrantRecorded> {
  if (original !== null) return { kind: 'replay', eventId: original.eventId };
  if (!isRecorded) return refusal('unknown_user');
  if (user.isErased) return refusal('erased');
  if (openImport !== null) return refusal('import_open');
  if (grant.kind === 'boost' && boostsHeld >= MOST_BOOSTS_HELD) return refusal('too_many_boosts');
  const event: GrantRecorded = { type: 'GrantRecorded', subject, grant, keyHash, ...attribution };
  return accepted({ occurredAt: now, event });
}
