import {
  earlierReadings,
  idempotencyKeyIn,
  type MetricEventRequest,
  type RecordMetricEvent,
  type UserFields,
  type UserUpdateRequest,
} from '@laurel/contracts';

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

type EventFields = Pick<MetricEventRequest, 'user' | 'value' | 'attributes'>;
type KeyFields = Pick<RecordMetricEvent, 'idempotencyKey' | 'earlierKeys'>;
type EventContext = Pick<RecordMetricEvent, 'account' | 'metric' | 'occurredAt' | 'importedBy'> & KeyFields;

/** The command that a validated event asks for. */
export function recordMetricEvent(event: EventFields, context: EventContext): RecordMetricEvent {
  return {
    type: 'RecordMetricEvent',
    ...context,
    userId: event.user.id,
    value: event.value,
    user: userFields(event.user),
    attributes: event.attributes ?? NO_ATTRIBUTES,
  };
}

/** The key that a caller wrote, and how earlier releases may have read it; null: none was given. */
export function keyFields(written: string | null): KeyFields {
  if (written === null) return { idempotencyKey: null };
  const earlierKeys = earlierReadings(written);
  return { idempotencyKey: idempotencyKeyIn(written), ...(earlierKeys.length > 0 && { earlierKeys }) };
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
