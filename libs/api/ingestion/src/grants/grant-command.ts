import type { GiveGrant, Grant, KeyHash, Subject } from '@laurel/kernel';
import { attributionOf } from '@laurel/schemas';
import { keyHashOf } from '@laurel/event-store';
import type { HeaderKey } from '../idempotency-header.ts';

export interface GrantToUser {
  readonly account: string;
  readonly subject: Subject;
  readonly grant: Grant;
  readonly by: string;
  readonly reason: string | null | undefined;
  /** The idempotency key, or null if there is none. */
  readonly key: HeaderKey | null;
}

export function grantCommand({ account, subject, grant, by, reason, key }: GrantToUser): GiveGrant {
  const hashOf = (text: string): KeyHash => keyHashOf({ account, subject, metric: scopeOf(grant), key: text });
  return {
    type: 'GiveGrant',
    account,
    subject,
    grant,
    keyHash: key === null ? null : hashOf(key.key),
    ...(key !== null && key.quoted.length > 0 && { quotedKeyHashes: key.quoted.map(hashOf) }),
    attribution: attributionOf(by, reason),
  };
}

/** Takes the place of the metric in the scope of an idempotency key. Keys of metrics have no colon. */
const scopeOf = ({ kind }: Grant): string => `grant:${kind}`;
