import { createHash } from 'node:crypto';
import type { NewRecord } from '@laurel/contracts';
import { scopeKey, scopeOf, type IdempotencyScope } from '../event-store.ts';

/** Every stream of ours begins so; whatever else the server holds is not read. */
export const STREAM_PREFIX = 'laurel-';

/** The one event that has used the key. A hash: a stream's name is limited, and keys may hold anything. */
export const keyStream = (scope: IdempotencyScope): string => `${STREAM_PREFIX}key-${hash(scopeKey(scope))}`;

/** The facts of an account that concern no single user, in order. */
export const accountStream = (account: string): string => `${STREAM_PREFIX}account-${hash(account)}`;

/** Where an event of a user goes: to a stream that holds nothing else, ever. */
export function streamOfUserFact(record: NewRecord): string {
  const scope = scopeOf(record);
  return scope === null ? `${STREAM_PREFIX}event-${record.eventId}` : keyStream(scope);
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
