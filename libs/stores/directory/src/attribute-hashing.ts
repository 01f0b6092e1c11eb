import { LRUCache } from 'lru-cache';
import { createHmac } from 'node:crypto';

/** Enough that two attributes of one user never share a hash of their keys. */
const KEY_BYTES = 9;
const VALUE_BYTES = 15;

/** The size of a cached hash without its text. */
const ENTRY_BYTES = 150;

export interface HashedAttribute {
  readonly key: string;
  readonly value: string;
}

/**
 * Hashes attributes by HMAC-SHA256 under a key that never leaves the database. Must never change, because the log holds the hashes. A
 * value is hashed with its key, so that equal values of different attributes have different hashes.
 */
export class AttributeHashing {
  readonly #secret: Uint8Array;
  readonly #cache: LRUCache<string, HashedAttribute>;

  /** @param cachedBytes limit of the memory for hashes of recent attributes */
  constructor(secret: Uint8Array, cachedBytes: number) {
    this.#secret = secret;
    this.#cache = new LRUCache({
      maxSize: cachedBytes,
      sizeCalculation: (_, text) => ENTRY_BYTES + Buffer.byteLength(text),
    });
  }

  hashed(key: string, value: string): HashedAttribute {
    const text = `${key.length}:${key}${value}`;
    const cached = this.#cache.get(text);
    if (cached !== undefined) return cached;
    const hashed = { key: this.#hash(`key:${key}`, KEY_BYTES), value: this.#hash(`value:${text}`, VALUE_BYTES) };
    this.#cache.set(text, hashed);
    return hashed;
  }

  /** The hashes in the order of the attributes; null, which removes an attribute, stays null. */
  all<Value extends string | null>(
    attributes: Iterable<readonly [string, Value]>,
  ): readonly (readonly [string, Value])[] {
    return Array.from(attributes, ([key, value]) => {
      const hashed = this.hashed(key, value ?? '');
      return [hashed.key, value === null ? value : (hashed.value as Value)] as const;
    });
  }

  #hash(text: string, bytes: number): string {
    return createHmac('sha256', this.#secret).update(text).digest().subarray(0, bytes).toString('base64url');
  }
}
