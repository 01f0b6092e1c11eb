import type { AreaName } from '@laurel/contracts';
import { LRUCache } from 'lru-cache';
import type { Account, Batch, Failure, OriginalEvent } from './batch.ts';
import type { Document } from './document.ts';

/**
 * What the engine keeps in memory of what is committed: bounded, and never ahead of the store. Batches are taken over
 * here after their commit and in their order; a batch that fails never gets here.
 */
export class Committed {
  readonly documents: LRUCache<string, Document>;
  readonly keys: LRUCache<string, OriginalEvent>;
  readonly accounts = new Map<string, Account>();
  #failures: ReadonlyMap<AreaName, Failure> = new Map();
  #head = 0;

  constructor(bounds: { readonly cachedUsers: number; readonly cachedKeys: number }) {
    this.documents = new LRUCache({ max: bounds.cachedUsers });
    this.keys = new LRUCache({ max: bounds.cachedKeys });
  }

  get head(): number {
    return this.#head;
  }

  get failures(): ReadonlyMap<AreaName, Failure> {
    return this.#failures;
  }

  /** Sets where the store stands, at start. */
  restore(head: number, failures: ReadonlyMap<AreaName, Failure>): void {
    this.#head = head;
    this.#failures = failures;
  }

  publish(batch: Batch): void {
    for (const [user, { document }] of batch.documents) this.documents.set(user, document);
    for (const [key, original] of batch.keys) this.keys.set(key, original);
    for (const [name, account] of batch.accounts) this.accounts.set(name, account);
    this.#failures = batch.failures;
    this.#head = batch.head;
    batch.boards.publish();
  }
}
