import { formatInstant } from '@laurel/calendar';
import {
  jsonAmount,
  SHOWN_CORRECTED_EVENTS,
  type CorrectedEventAnswer,
  type CorrectionRecorded,
  type EventCorrection,
  type RecordedCorrection,
} from '@laurel/contracts';

/** What a correction says, without its author. */
export function recordedCorrection({ corrections, achievements, finalRuns }: CorrectionRecorded): RecordedCorrection {
  const events = corrections.slice(0, SHOWN_CORRECTED_EVENTS).map(correctedEvent);
  return { count: corrections.length, events, achievements, finalRuns };
}

function correctedEvent(correction: EventCorrection): CorrectedEventAnswer {
  const { eventId } = correction;
  if (correction.retract) return { eventId, retract: true };
  const { value, occurredAt } = correction;
  return {
    eventId,
    ...(value !== undefined && { value: jsonAmount(value) }),
    ...(occurredAt !== undefined && { occurredAt: formatInstant(occurredAt) }),
  };
}
