import {
  earlierReadings,
  idempotencyKeyIn,
  type KeyHash,
  type MetricEventRequest,
  type RecordMetricEvent,
  type Subject,
  type UserFields,
  type UserUpdateRequest,
} from '@laurel/contracts';
import { keyHashOf } from '@laurel/event-store';

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

type EventFields = Pick<MetricEventRequest, 'user' | 'value' | 'attributes'>;

interface KeyFields {
  /** null: none was given. */
  readonly idempotencyKey: string | null;
  /** How earlier releases may have read it. */
  readonly earlierKeys: readonly string[];
}

/** An event as the request names it: its user by their id, its key as it was written. */
export interface RequestedEvent
  extends Omit<RecordMetricEvent, 'type' | 'subject' | 'keyHash' | 'earlierKeyHashes'>, KeyFields {
  readonly userId: string;
}

/** A validated event. Field by field, here and below: spreads cost ten times as much, for each event. */
export const requestedEvent = (
  event: EventFields,
  {
    account,
    metric,
    occurredAt,
    importedBy,
    idempotencyKey,
    earlierKeys,
  }: Pick<RequestedEvent, 'account' | 'metric' | 'occurredAt' | 'importedBy' | keyof KeyFields>,
): RequestedEvent => ({
  account,
  metric,
  occurredAt,
  ...(importedBy !== undefined && { importedBy }),
  idempotencyKey,
  earlierKeys,
  userId: event.user.id,
  value: event.value,
  user: userFields(event.user),
  attributes: event.attributes ?? NO_ATTRIBUTES,
});

/** The command that it asks for, once its user has a subject. */
export function recordMetricEvent(event: RequestedEvent, subject: Subject): RecordMetricEvent {
  const { account, metric, value, user, attributes, occurredAt, importedBy, idempotencyKey, earlierKeys } = event;
  const hashOf = (key: string): KeyHash => keyHashOf({ account, subject, metric, key });
  return {
    type: 'RecordMetricEvent',
    account,
    subject,
    metric,
    value,
    user,
    attributes,
    keyHash: idempotencyKey === null ? null : hashOf(idempotencyKey),
    ...(earlierKeys.length > 0 && { earlierKeyHashes: earlierKeys.map(hashOf) }),
    occurredAt,
    ...(importedBy !== undefined && { importedBy }),
  };
}

/** The key that a caller wrote; null: none was given. */
export const keyFields = (written: string | null): KeyFields =>
  written === null
    ? { idempotencyKey: null, earlierKeys: [] }
    : { idempotencyKey: idempotencyKeyIn(written), earlierKeys: earlierReadings(written) };

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
