import { formatInstant } from '@laurel/calendar';
import { effectsOfType, type EventCorrection } from '@laurel/kernel';
import { jsonAmount } from '@laurel/schemas';
import { finalRunFields } from './final-runs.ts';
import type { HappeningsOf } from './occurrence.ts';

export const userCreated: HappeningsOf = ({ effects }) =>
  effectsOfType(effects, 'UserCreated').map(({ at }) => ({ type: 'user.created', subject: '', at, fields: {} }));

export const userCorrected: HappeningsOf = ({ record: { fact, occurredAt: at }, finalRuns }) => {
  if (fact.type !== 'CorrectionRecorded') return [];
  const fields = { corrections: fact.corrections.map(correctionFields), ...finalRunFields(finalRuns) };
  return [{ type: 'user.corrected', subject: '', at, fields }];
};

export const userErased: HappeningsOf = ({ record: { fact, occurredAt: at } }) =>
  fact.type === 'UserErased' ? [{ type: 'user.erased', subject: '', at, fields: {} }] : [];

function correctionFields(correction: EventCorrection) {
  const { eventId } = correction;
  if (correction.retract) return { eventId, retracted: true };
  const { value, occurredAt, tz } = correction;
  return {
    ...{ eventId, retracted: false },
    ...(value !== undefined && { value: jsonAmount(value) }),
    ...(occurredAt !== undefined && { timestamp: formatInstant(occurredAt) }),
    ...(tz !== undefined && { tz }),
  };
}
