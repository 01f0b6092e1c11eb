import type { Instant } from '@laurel/calendar';
import type { KeyHash, RecordMetricEvent, Subject, UserFields } from '@laurel/kernel';
import { earlierReadings, idempotencyKeyIn, type MetricEventRequest, type UserUpdateRequest } from '@laurel/schemas';
import { keyHashOf } from '@laurel/event-store';

const NONE: readonly string[] = [];
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** The validated fields of an event's body. */
export type EventFields = Pick<MetricEventRequest, 'user' | 'value' | 'attributes'>;

interface KeyFields {
  /** null if none was given. */
  readonly idempotencyKey: string | null;
  /** The key including the quotes around it, as earlier releases recorded it. */
  readonly quotedKeys: readonly string[];
  /** Other texts under which earlier releases may have recorded the key. */
  readonly earlierKeys: readonly string[];
}

/** The data of an event besides its body. */
export interface EventOrigin extends KeyFields {
  readonly account: string;
  /** The metric's key. */
  readonly metric: string;
  /** The instant of an import, or null to use the instant of receipt. */
  readonly occurredAt: Instant | null;
  /** The actor of an import. */
  readonly importedBy?: string;
}

/**
 * The command for a body whose user has a subject. Lists the fields individually: spreading objects would cost ten
 * times as much for each event.
 */
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

/** The fields for a key that a caller sent, or null. @param quotedKeys the key including the quotes around it */
export const keyFields = (written: string | null, quotedKeys: readonly string[] = NONE): KeyFields =>
  written === null
    ? { idempotencyKey: null, quotedKeys: NONE, earlierKeys: NONE }
    : { idempotencyKey: idempotencyKeyIn(written), quotedKeys, earlierKeys: earlierReadings(written) };

/** The given fields. A missing field does not change the user, so it is left out. */
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
