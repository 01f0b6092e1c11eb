import type { Instant } from '@laurel/calendar';
import type { KeyHash, RecordMetricEvent, Subject, UserFields } from '@laurel/kernel';
import { earlierReadings, idempotencyKeyIn, type MetricEventRequest, type UserUpdateRequest } from '@laurel/schemas';
import { keyHashOf } from '@laurel/event-store';

const NONE: readonly string[] = [];
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** What a body says of an event, checked. */
export type EventFields = Pick<MetricEventRequest, 'user' | 'value' | 'attributes'>;

interface KeyFields {
  /** null: none was given. */
  readonly idempotencyKey: string | null;
  /** It in the quotes that it came in, as earlier releases recorded it. */
  readonly quotedKeys: readonly string[];
  /** How earlier releases may have read it. */
  readonly earlierKeys: readonly string[];
}

/** What is known of an event beside its body. */
export interface EventOrigin extends KeyFields {
  readonly account: string;
  /** Its key. */
  readonly metric: string;
  /** The instant that an import brings; null: the instant at which it is received. */
  readonly occurredAt: Instant | null;
  /** Who imports it. */
  readonly importedBy?: string;
}

/** The command that a body asks for, once its user has a subject. Field by field: spreads cost ten times as much, for each event. */
export function recordMetricEvent(event: EventFields, origin: EventOrigin, subject: Subject): RecordMetricEvent {
  const { account, metric, occurredAt, importedBy, idempotencyKey, quotedKeys, earlierKeys } = origin;
  const hashOf = (key: string): KeyHash => keyHashOf({ account, subject, metric, key });
  return {
    type: 'RecordMetricEvent',
    account,
    subject,
    metric,
    value: event.value,
    user: userFields(event.user),
    attributes: event.attributes ?? NO_ATTRIBUTES,
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
