import type { Composer } from './composer.ts';
import { finalRunFields } from './final-runs.ts';

export const configurationPublished: Composer<'configuration.published'> = ({ record: { fact, occurredAt: at } }) => [
  { subject: '', at, fields: { version: fact.version } },
];

export const importFinished: Composer<'import.finished'> = ({ record, finalRuns }) => [
  { subject: '', at: record.occurredAt, fields: finalRunFields(finalRuns) },
];

export const endpointDisabled: Composer<'endpoint.disabled'> = ({ record: { fact, occurredAt: at } }) => {
  if (fact.change !== 'disabled') return [];
  const { id, origin, by, reason, failure = null } = fact;
  const fields = { endpoint: { id, origin }, reason: by === 'process' ? (reason ?? null) : null, failure };
  return [{ subject: id, at, fields }];
};
