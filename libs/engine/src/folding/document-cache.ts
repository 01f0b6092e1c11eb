import { LRUCache } from 'lru-cache';
import type { Document } from './document.ts';

/** Recently used documents of users in memory, by `userKey`. */
export class DocumentCache extends LRUCache<string, Document> {
  /** @param maxBytes limit for all documents, in their stored form */
  constructor(maxBytes: number) {
    super({ maxSize: maxBytes });
  }

  /**
   * Replaces a user's document. If the new one exceeds the limit or has an unknown size, the old one is dropped and the
   * new one is not cached.
   * @param bytes stored size of the document, or undefined if unknown
   */
  keep(user: string, document: Document, bytes: number | undefined): void {
    if (bytes === undefined) this.delete(user);
    else this.set(user, document, { size: bytes + Buffer.byteLength(user) });
  }
}
