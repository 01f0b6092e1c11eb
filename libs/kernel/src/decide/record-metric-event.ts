import { MOST_OWED_AWARDS, type RecordMetricEvent } from '../commands.ts';
import type { ImportOpened, MetricEventRecorded } from '../events.ts';
import { accepted, type Decision, type NewEvent } from './decision.ts';
import { importOpened, WITHOUT_OPTIONS } from './open-import.ts';
import { recordedFields, refusalOfFields, type UserState } from './user-state.ts';

/**
 * If no import is open, an imported event opens one without options. An imported event that creates its user in the
 * past is refused if it would owe the user more than {@link MOST_OWED_AWARDS} time awards, unless the import was opened
 * without this limit.
 */
export function recordMetricEvent(
  command: RecordMetricEvent,
  { now, original, user, owed, openImport }: UserState,
): Decision<ImportOpened | MetricEventRecorded> {
  if (original !== null) return { kind: 'replay', eventId: original.eventId };
  const refused = refusalOfFields(user, command.user);
  if (refused !== null) return refused;
  const recorded = { occurredAt: command.occurredAt ?? now, event: metricEventRecorded(command) };
  if (command.occurredAt === null) return accepted(recorded);
  if (owed > MOST_OWED_AWARDS && openImport?.unboundedAwards !== true)
    return { kind: 'refusal', reason: 'too_many_awards', owed };
  if (openImport !== null) return accepted(recorded);
  return accepted<ImportOpened | MetricEventRecorded>(importOpenedBy(command, now), recorded);
}

const importOpenedBy = ({ importedBy: by }: RecordMetricEvent, now: number): NewEvent<ImportOpened> => ({
  occurredAt: now,
  event: importOpened(WITHOUT_OPTIONS, by === undefined ? {} : { by }),
});

export function metricEventRecorded(command: RecordMetricEvent): MetricEventRecorded {
  const { subject, metric, value, user, attributes, attributeHashes, keyHash, occurredAt } = command;
  return {
    type: 'MetricEventRecorded',
    subject,
    metric,
    value,
    user: recordedFields(user),
    attributes,
    attributeHashes,
    keyHash,
    imported: occurredAt !== null,
  };
}
