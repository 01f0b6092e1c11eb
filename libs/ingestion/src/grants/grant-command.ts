import { attributionOf, type GiveGrant, type Grant, type Subject } from '@laurel/contracts';
import { keyHashOf } from '@laurel/event-store';

export interface GrantToUser {
  readonly account: string;
  readonly subject: Subject;
  readonly grant: Grant;
  readonly by: string;
  readonly reason: string | null | undefined;
  /** The idempotency key; null: none. */
  readonly key: string | null;
}

export const grantCommand = ({ account, subject, grant, by, reason, key }: GrantToUser): GiveGrant => ({
  type: 'GiveGrant',
  account,
  subject,
  grant,
  keyHash: key === null ? null : keyHashOf({ account, subject, metric: scopeOf(grant), key }),
  attribution: attributionOf(by, reason),
});

/** What stands in the place of the metric in the scope of a key. No metric's key has a colon. */
const scopeOf = ({ kind }: Grant): string => `grant:${kind}`;
