import type { MetricEventRequest, RecordMetricEvent, UserFields, UserUpdateRequest } from '@laurel/contracts';

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
export function userFields(said: UserUpdateRequest): UserFields {
  const { name, email, tz, attributes, subscribeToEmails, deviceTokens } = said;
  return {
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
    ...(tz !== undefined && { tz }),
    ...(attributes !== undefined && { attributes }),
    ...(subscribeToEmails !== undefined && { subscribeToEmails }),
    ...(deviceTokens !== undefined && { deviceTokens }),
  };
}
