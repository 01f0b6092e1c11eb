import { formatInstant } from '@laurel/calendar';
import type { CorrectionRecorded, EventCorrection, RecordedEvent, RecordedUserEvent } from '@laurel/kernel';
import type { CorrectionsOfEvent } from '@laurel/ports';
import {
  jsonAmount,
  SHOWN_CORRECTED_EVENTS,
  type CorrectedEventAnswer,
  type CorrectionsOfEventAnswer,
  type RecordedCorrection,
} from '@laurel/schemas';

/** A correction without its author. */
export function recordedCorrection({ corrections, achievements, finalRuns }: CorrectionRecorded): RecordedCorrection {
  const events = corrections.slice(0, SHOWN_CORRECTED_EVENTS).map(correctedEvent);
  return { count: corrections.length, events, achievements, finalRuns };
}

function correctedEvent(correction: EventCorrection): CorrectedEventAnswer {
  const { eventId } = correction;
  if (correction.retract) return { eventId, retract: true };
  const { value, occurredAt, tz } = correction;
  return {
    eventId,
    ...(value !== undefined && { value: jsonAmount(value) }),
    ...(occurredAt !== undefined && { occurredAt: formatInstant(occurredAt) }),
    ...(tz !== undefined && { tz }),
  };
}

/** @param record the event that was corrected */
export function correctedAnswer(
  record: Pick<RecordedEvent | RecordedUserEvent, 'occurredAt' | 'fact'>,
  corrected: CorrectionsOfEvent | null,
): CorrectionsOfEventAnswer | null {
  if (corrected === null) return null;
  const { retracted, value, occurredAt, tz, corrections } = corrected;
  const { fact } = record;
  return {
    retracted,
    ...(value !== undefined &&
      fact.type === 'MetricEventRecorded' && {
        value: { original: jsonAmount(fact.value), present: jsonAmount(value) },
      }),
    ...(occurredAt !== undefined && {
      occurredAt: { original: formatInstant(record.occurredAt), present: formatInstant(occurredAt) },
    }),
    ...(tz !== undefined &&
      fact.type === 'MetricEventRecorded' && { tz: { original: fact.user.tz ?? null, present: tz } }),
    corrections: corrections.map(({ eventId, recordedAt, fact: { by, reason } }) => ({
      eventId,
      at: formatInstant(recordedAt),
      by: by ?? null,
      reason: reason ?? null,
    })),
  };
}
