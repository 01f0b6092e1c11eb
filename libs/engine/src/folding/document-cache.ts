import { LRUCache } from 'lru-cache';
import type { Document } from './document.ts';

/** Users' documents in memory, by `userKey`: those used last, as many as fit. */
export class DocumentCache extends LRUCache<string, Document> {
  /** @param maxBytes of the documents, as they are stored */
  constructor(maxBytes: number) {
    super({ maxSize: maxBytes });
  }

  /**
   * Keeps a document in place of the one before, unless it is larger than the bound: then neither is kept.
   * @param bytes how long it is as it is stored; undefined: not known, and it is not kept either
   */
  keep(user: string, document: Document, bytes: number | undefined): void {
    if (bytes === undefined) this.delete(user);
    else this.set(user, document, { size: bytes + Buffer.byteLength(user) });
  }
}
