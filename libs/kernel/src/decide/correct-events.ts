import type { CorrectionRecorded, UsersSwept } from '../events.ts';
import { accepted, refusal, type Decision, type NewEvent } from './decision.ts';
import type { UserState } from './user-state.ts';

export interface CorrectionState extends UserState {
  /** Whether something is due for the user and not settled yet. */
  readonly isDue: boolean;
  /** Whether the user has a correction that the caller has not seen. */
  readonly hasConflict: boolean;
}

/**
 * Decides on a correction. Due changes of the present user are not part of the correction, so they are settled first.
 * Whether the user's events allow the correction is not decided here: folding them with the correction shows it (ADR
 * 0033).
 */
export function correctEvents(
  correction: CorrectionRecorded,
  { now, original, user, isRecorded, openImport, areaStopped, isDue, hasConflict }: CorrectionState,
): Decision<UsersSwept | CorrectionRecorded> {
  if (original !== null) return { kind: 'replay', eventId: original.eventId };
  if (!isRecorded) return refusal('unknown_user');
  if (user.isErased) return refusal('erased');
  if (openImport !== null) return refusal('import_open');
  if (areaStopped) return refusal('area_stopped');
  if (hasConflict) return refusal('corrected_meanwhile');
  const recorded: NewEvent<CorrectionRecorded> = { occurredAt: now, event: correction };
  const swept: UsersSwept = { type: 'UsersSwept', subjects: [correction.subject] };
  if (!isDue) return accepted(recorded);
  return accepted<UsersSwept | CorrectionRecorded>({ occurredAt: now, event: swept }, recorded);
}
