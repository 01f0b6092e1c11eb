import type { Instant } from '@laurel/calendar';
import type { AreaName } from '@laurel/kernel';
import { LRUCache } from 'lru-cache';
import type { Account } from './account.ts';
import type { Batch, Failure, OriginalEvent } from './batch.ts';
import { DocumentCache } from '../folding/document-cache.ts';

export interface CommittedBounds {
  /** Of the users' documents in memory, as they are stored. */
  readonly cachedUserBytes: number;
  /** Of the idempotency keys in memory, with the events that used them. */
  readonly cachedKeyBytes: number;
}

/**
 * What the engine keeps in memory of what is committed: bounded, and never ahead of the store. Batches are taken over
 * here after their commit and in their order; a batch that fails never gets here.
 */
export class Committed {
  readonly documents: DocumentCache;
  readonly keys: LRUCache<string, OriginalEvent>;
  readonly accounts = new Map<string, Account>();
  #failures: ReadonlyMap<AreaName, Failure> = new Map();
  #head = 0;
  #recordedAt: Instant = -Infinity;

  constructor({ cachedUserBytes, cachedKeyBytes }: CommittedBounds) {
    this.documents = new DocumentCache(cachedUserBytes);
    this.keys = new LRUCache({ maxSize: cachedKeyBytes, sizeCalculation: bytesOfKey });
  }

  get head(): number {
    return this.#head;
  }

  /** When the record at the head was recorded. */
  get recordedAt(): Instant {
    return this.#recordedAt;
  }

  get failures(): ReadonlyMap<AreaName, Failure> {
    return this.#failures;
  }

  /** Sets where the store stands, at start. */
  restore(head: number, failures: ReadonlyMap<AreaName, Failure>, recordedAt: Instant): void {
    this.#head = head;
    this.#recordedAt = recordedAt;
    this.#failures = failures;
  }

  publish(batch: Batch): void {
    for (const [user, { document }] of batch.users.byKey)
      this.documents.keep(user, document, batch.documentBytes.get(user));
    for (const [key, original] of batch.keys) this.keys.set(key, original);
    for (const [name, account] of batch.accounts) this.accounts.set(name, account);
    this.#failures = batch.failures;
    this.#head = batch.head;
    this.#recordedAt = batch.recordedAt;
    batch.boards.publish();
  }
}

const bytesOfKey = ({ eventId, date }: OriginalEvent, key: string): number =>
  Buffer.byteLength(key) + eventId.length + date.length;
