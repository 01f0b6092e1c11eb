import { exactOf } from '@laurel/amounts';
import type { Configuration } from './configuration.ts';
import type { MetricEventRecorded } from './events.ts';
import type { ChainMessage, RecordedUserEvent } from './message.ts';
import type { Occasion, ReportedMetric, UserOnOccasion } from './occasion.ts';
import { perConfiguration } from './per-configuration.ts';

/**
 * A record as the occasion that areas apply. The occasion has its own copy of the user, which the users area fills in.
 * @param known the user on the record; null if the users area has yet to apply it
 * @throws Error if the version lacks the metric
 */
export function occasionOf(
  record: RecordedUserEvent,
  known: ChainMessage['user'],
  configuration: Configuration,
): Occasion {
  const { account, position, eventId, occurredAt, recordedAt, fact: event } = record;
  return {
    account,
    subject: event.subject,
    position,
    eventId,
    occurredAt,
    recordedAt,
    event,
    reported: event.type === 'MetricEventRecorded' ? reportedBy(event, configuration) : null,
    user: known === null ? nobody() : { ...known },
  };
}

function reportedBy({ metric: key, value }: MetricEventRecorded, configuration: Configuration): ReportedMetric {
  const metric = metricIndices(configuration).get(key);
  if (metric === undefined) throw new Error(`version ${configuration.version} has no metric "${key}"`);
  return { metric, value: exactOf(value) };
}

const metricIndices = perConfiguration(({ metrics }) => new Map(metrics.map(({ key }, index) => [key, index])));

const nobody = (): UserOnOccasion => ({ createdAt: 0, zone: 'UTC', previousZone: 'UTC', day: 0, total: null });
