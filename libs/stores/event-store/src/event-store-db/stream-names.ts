import { createHash } from 'node:crypto';
import type { KeyHash, NewRecord } from '@laurel/kernel';
import { keyHashIn } from '../event-store.ts';

/** The stream names of one log. All have its prefix, and no other stream may have it. */
export class StreamNames {
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** A stream that stays empty, to check whether this process may append. */
  get probe(): string {
    return `${this.prefix}probe`;
  }

  isOurs(stream: string): boolean {
    return stream.startsWith(this.prefix);
  }

  /** The stream of the event that used the key. */
  ofKey(keyHash: KeyHash): string {
    return `${this.prefix}key-${keyHash}`;
  }

  /** The stream of the account's events that concern no single user and have no key. */
  ofAccount(account: string): string {
    return `${this.prefix}account-${hash(account)}`;
  }

  /** The stream of an event that has its own, see {@link hasOwnStream}. */
  ofSingleEvent(record: NewRecord): string {
    const keyHash = keyHashIn(record);
    return keyHash === null ? `${this.prefix}event-${record.eventId}` : this.ofKey(keyHash);
  }
}

/** Whether a stream holds this event alone: it concerns a user, or its key must be unique. */
export const hasOwnStream = (record: NewRecord): boolean => 'subject' in record.fact || keyHashIn(record) !== null;

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
