import { MOST_OWED_AWARDS, type EventCorrection, type Refused } from '@laurel/kernel';
import type { CorrectionRefused, CorrectionRequest } from '@laurel/ports';

export const NO_SUCH_EVENT = 'there is no such event';

/** The refusal of a call, from the refusal of one user's correction. @param corrections of this user */
export function refusedOf(
  outcome: Refused,
  corrections: readonly EventCorrection[],
  request: CorrectionRequest,
): CorrectionRefused {
  const { reason, eventId, retryAfterMs, damage } = outcome;
  const tried = reason === 'unknown' && eventId !== null && { eventId };
  return { ...refusedFor(outcome, corrections, request), ...tried, retryAfterMs, ...(damage && { damage }) };
}

export function refusedFor(
  { reason, owed = 0, eventId = null }: Pick<Refused, 'reason' | 'owed'> & { readonly eventId?: string | null },
  corrections: readonly EventCorrection[],
  request: CorrectionRequest,
): CorrectionRefused {
  switch (reason) {
    case 'corrected_meanwhile':
      return { kind: 'refused', reason: 'stale_preview' };
    case 'unknown_user':
    case 'unknown_event':
      return {
        kind: 'refused',
        reason: 'unknown_event',
        events: corrections.map((correction) => ({ eventId: correction.eventId, because: NO_SUCH_EVENT })),
      };
    case 'erased':
    case 'too_many_runs':
    case 'area_stopped':
    case 'import_open':
    case 'overloaded':
    case 'unavailable':
    case 'unknown':
    case 'rejected':
    case 'damaged':
      return { kind: 'refused', reason };
    case 'not_active':
      throw new Error(`the engine refused a correction: ${reason}`);
    case 'unknown_metric':
    case 'too_many_awards': {
      const because =
        reason === 'unknown_metric'
          ? 'would move the event to where the configuration version has no such metric'
          : `would owe the user ${owed} time awards at once, more than ${MOST_OWED_AWARDS}`;
      const place = request.corrections.findIndex(
        (one) => one.eventId === eventId && !one.retract && one.occurredAt !== undefined,
      );
      return {
        kind: 'refused',
        reason,
        events: [{ eventId: eventId ?? '', because, ...(place >= 0 && { instantAt: place }) }],
      };
    }
    case 'too_many_attributes':
    case 'too_many_boosts':
      throw new Error(`the engine refused a correction: ${reason}`);
  }
}
