import { NOBODY, type DecidedRequest, type KeyHash, type UserRef } from '@laurel/kernel';
import { hash } from 'node:crypto';

/** An idempotency key with the scope in which it is unique. */
export interface IdempotencyScope extends UserRef {
  readonly metric: string;
  readonly key: string;
}

/** The key of the event that decides a request for points. No other scope has an empty subject. */
export const decisionKeyOf = (account: string, { eventId }: Pick<DecidedRequest, 'eventId'>): KeyHash =>
  keyHashOf({ account, subject: NOBODY, metric: 'decision:', key: eventId });

/** Must never change, because used keys are stored as hashes. Lengths come first, so that no two scopes have the same text. */
export function keyHashOf({ account, subject, metric, key }: IdempotencyScope): KeyHash {
  const hex = hash('sha256', `${account.length}:${metric.length}:${account}${subject}:${metric}${key}`, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
