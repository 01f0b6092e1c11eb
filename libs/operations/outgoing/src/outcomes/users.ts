import { formatInstant } from '@laurel/calendar';
import { effectsOfType, type EventCorrection } from '@laurel/kernel';
import { jsonAmount } from '@laurel/schemas';
import type { Composer } from './composer.ts';
import { finalRunFields } from './final-runs.ts';

export const userCreated: Composer<'user.created'> = ({ effects }) =>
  effectsOfType(effects, 'UserCreated').map(({ at }) => ({ subject: '', at, fields: {} }));

export const userCorrected: Composer<'user.corrected'> = ({ record: { fact, occurredAt: at }, finalRuns }) => {
  const corrections = fact.corrections.map(correctionFields);
  return [{ subject: '', at, fields: { corrections, ...finalRunFields(finalRuns) } }];
};

export const userErased: Composer<'user.erased'> = ({ record }) => [{ subject: '', at: record.occurredAt, fields: {} }];

function correctionFields(correction: EventCorrection) {
  const { eventId } = correction;
  if (correction.retract) return { eventId, retracted: true };
  const { value, occurredAt, tz } = correction;
  return {
    eventId,
    retracted: false,
    ...(value !== undefined && { value: jsonAmount(value) }),
    ...(occurredAt !== undefined && { timestamp: formatInstant(occurredAt) }),
    ...(tz !== undefined && { tz }),
  };
}
