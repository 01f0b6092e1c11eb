import type { KeyHash, UserRef } from '@laurel/kernel';
import { hash } from 'node:crypto';

/** What an idempotency key is unique within, and the key. */
export interface IdempotencyScope extends UserRef {
  readonly metric: string;
  readonly key: string;
}

/** Never to change: keys that are used are known by it. Lengths first, so that no two scopes are hashed alike. */
export function keyHashOf({ account, subject, metric, key }: IdempotencyScope): KeyHash {
  const hex = hash('sha256', `${account.length}:${metric.length}:${account}${subject}:${metric}${key}`, 'hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
