import type { RequestPoints } from '../commands.ts';
import type { PointsRequest } from '../points-requests.ts';
import { accepted, refusal, type Decision } from './decision.ts';
import type { UserState } from './user-state.ts';

/**
 * Records the request. Whether the points are there is not decided here: only the fold knows, at the place of the request
 * (specification, section 6.12). An open import does not hinder it.
 */
export function requestPoints(
  { request }: RequestPoints,
  { now, original, user, isRecorded }: UserState,
): Decision<PointsRequest> {
  if (original !== null) return { kind: 'replay', eventId: original.eventId };
  if (!isRecorded) return refusal('unknown_user');
  if (user.isErased) return refusal('erased');
  return accepted({ occurredAt: now, event: request });
}
