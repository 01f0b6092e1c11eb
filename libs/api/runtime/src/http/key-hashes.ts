import type { IncomingMessage } from 'node:http';
import { hashApiKey } from '../api-keys.ts';
import { headerText } from './header-text.ts';

/** Longer keys are hashed each time: they cannot be ours, and a connection must not keep much. */
const LONGEST_KEPT = 256;

interface KeptHash {
  readonly header: string;
  readonly hash: string;
}

/**
 * Hashes the keys of requests. Keeps the last hash per connection, because a client sends the same key with every
 * request; it is dropped with the connection. Keys are stored nowhere else. A kept hash admits nobody: its caller,
 * revocation and expiry are looked up for every request.
 */
export class KeyHashes {
  readonly #kept = new WeakMap<object, KeptHash>();
  readonly #hash: (key: string) => string;

  constructor(hash = hashApiKey) {
    this.#hash = hash;
  }

  /** null if the request has no key. */
  hashOf({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string | null {
    const header = headers['x-api-key'];
    if (typeof header !== 'string' || header === '') return null;
    const kept = this.#kept.get(socket);
    if (kept?.header === header) return kept.hash;
    const hash = this.#hash(headerText(header));
    if (header.length <= LONGEST_KEPT) this.#kept.set(socket, { header, hash });
    return hash;
  }
}
