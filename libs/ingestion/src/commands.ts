import type { MetricEventRequest, NamedUser, RecordMetricEvent, UserFields } from '@laurel/contracts';

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

type EventContext = Pick<RecordMetricEvent, 'account' | 'metric' | 'idempotencyKey' | 'occurredAt'>;

/** The command that a validated event asks for. */
export function recordMetricEvent(event: MetricEventRequest, context: EventContext): RecordMetricEvent {
  return {
    type: 'RecordMetricEvent',
    ...context,
    userId: event.user.id,
    value: event.value,
    user: userFields(event.user),
    attributes: event.attributes ?? NO_ATTRIBUTES,
  };
}

/** The fields that were given: an absent one stays as it was, so it is not even named. */
export function userFields({ name, email, tz, attributes }: Omit<NamedUser, 'id'>): UserFields {
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(tz !== undefined && { tz }),
    ...(attributes !== undefined && { attributes }),
  };
}
