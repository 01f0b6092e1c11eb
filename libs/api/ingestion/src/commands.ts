import type { KeyHash, RecordMetricEvent, Subject, UserFields } from '@laurel/kernel';
import { earlierReadings, idempotencyKeyIn, type MetricEventRequest, type UserUpdateRequest } from '@laurel/schemas';
import { keyHashOf } from '@laurel/event-store';

const NONE: readonly string[] = [];
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

type EventFields = Pick<MetricEventRequest, 'user' | 'value' | 'attributes'>;

interface KeyFields {
  /** null: none was given. */
  readonly idempotencyKey: string | null;
  /** It in the quotes that it came in, as earlier releases recorded it. */
  readonly quotedKeys: readonly string[];
  /** How earlier releases may have read it. */
  readonly earlierKeys: readonly string[];
}

/** An event as the request names it: its user by their id, its key as it was written. */
export interface RequestedEvent
  extends Omit<RecordMetricEvent, 'type' | 'subject' | 'keyHash' | 'quotedKeyHashes' | 'earlierKeyHashes'>, KeyFields {
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
    quotedKeys,
    earlierKeys,
  }: Pick<RequestedEvent, 'account' | 'metric' | 'occurredAt' | 'importedBy' | keyof KeyFields>,
): RequestedEvent => ({
  account,
  metric,
  occurredAt,
  ...(importedBy !== undefined && { importedBy }),
  idempotencyKey,
  quotedKeys,
  earlierKeys,
  userId: event.user.id,
  value: event.value,
  user: userFields(event.user),
  attributes: event.attributes ?? NO_ATTRIBUTES,
});

/** The command that it asks for, once its user has a subject. */
export function recordMetricEvent(event: RequestedEvent, subject: Subject): RecordMetricEvent {
  const { account, metric, value, user, attributes, occurredAt, importedBy } = event;
  const { idempotencyKey, quotedKeys, earlierKeys } = event;
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
    ...(quotedKeys.length > 0 && { quotedKeyHashes: quotedKeys.map(hashOf) }),
    ...(earlierKeys.length > 0 && { earlierKeyHashes: earlierKeys.map(hashOf) }),
    occurredAt,
    ...(importedBy !== undefined && { importedBy }),
  };
}

/** The key that a caller wrote; null: none was given. @param quotedKeys it in the quotes that it came in */
export const keyFields = (written: string | null, quotedKeys: readonly string[] = NONE): KeyFields =>
  written === null
    ? { idempotencyKey: null, quotedKeys: NONE, earlierKeys: NONE }
    : { idempotencyKey: idempotencyKeyIn(written), quotedKeys, earlierKeys: earlierReadings(written) };

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
