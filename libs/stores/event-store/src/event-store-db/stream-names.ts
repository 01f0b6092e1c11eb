import { createHash } from 'node:crypto';
import type { KeyHash, NewRecord } from '@laurel/kernel';
import { keyHashIn } from '../event-store.ts';

/** The names of the streams of one log. All begin with its prefix, and no other stream of the server may. */
export class StreamNames {
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** Nothing is ever appended here; it serves to try whether this process may append. */
  get probe(): string {
    return `${this.prefix}probe`;
  }

  isOurs(stream: string): boolean {
    return stream.startsWith(this.prefix);
  }

  /** Where the one event stands that has used the key. */
  ofKey(keyHash: KeyHash): string {
    return `${this.prefix}key-${keyHash}`;
  }

  /** Where the facts of an account stand that concern no single user. */
  ofAccount(account: string): string {
    return `${this.prefix}account-${hash(account)}`;
  }

  /** Where a fact of a user stands, alone for ever. */
  ofUserFact(record: NewRecord): string {
    const keyHash = keyHashIn(record);
    return keyHash === null ? `${this.prefix}event-${record.eventId}` : this.ofKey(keyHash);
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('base64url');
