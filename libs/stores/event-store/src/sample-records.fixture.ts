import { randomUUID } from 'node:crypto';
import { subjectOf } from '@laurel/ports/fixtures';
import type { DomainEvent, RecordedEvent, MetricEventRecorded, NewRecord } from '@laurel/kernel';
import type { AppendOutcome } from './event-store.ts';
import { keyHashOf } from './key-hash.ts';

const AT = Date.parse('2026-03-01T12:00:00.123Z');

export const fact = <F extends DomainEvent>(one: F): NewRecord<F> => ({
  eventId: randomUUID(),
  account: 'default',
  configurationVersion: 1,
  occurredAt: AT,
  recordedAt: AT + 5,
  fact: one,
});

export const event = (
  user: string,
  key: string | null = null,
  attributes = new Map<string, string>(),
): NewRecord<MetricEventRecorded> =>
  fact({
    type: 'MetricEventRecorded',
    subject: subjectOf(user),
    metric: 'words',
    value: 1_000_000n,
    user: {},
    attributes,
    keyHash: key === null ? null : keyHashOf({ account: 'default', subject: subjectOf(user), metric: 'words', key }),
    imported: false,
  });

/** The outcome in one or two words. */
export const summary = (outcome: AppendOutcome): string =>
  outcome.kind === 'failed' ? `failed ${outcome.recorded}` : outcome.kind;

/** @throws Error unless it was recorded */
export function recordOf(outcome: AppendOutcome | undefined): RecordedEvent {
  if (outcome?.kind !== 'recorded') throw new Error(`not recorded, but ${JSON.stringify(outcome)}`);
  return outcome.record;
}
