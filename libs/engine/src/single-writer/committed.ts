import type { Instant } from '@laurel/calendar';
import type { AreaName } from '@laurel/kernel';
import { LRUCache } from 'lru-cache';
import type { Account } from './account.ts';
import type { Batch, Failure, OriginalEvent } from './batch.ts';
import { DocumentCache } from '../folding/document-cache.ts';

export interface CommittedBounds {
  /** Limit of the users' documents in memory, in stored bytes. */
  readonly cachedUserBytes: number;
  /** Limit of the idempotency keys in memory, with their events. */
  readonly cachedKeyBytes: number;
}

/**
 * The engine's memory of committed data: bounded, and never ahead of the store. Batches are added in order, after their
 * commit. Batches that fail are never added.
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

  /** Sets the state of the store when the engine starts. */
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
