import type { IncomingMessage } from 'node:http';
import { hashApiKey } from '../api-keys.ts';
import { headerText } from './header-text.ts';

/** Longer ones are hashed each time: they are none of ours, and a connection must not hold much. */
const LONGEST_KEPT = 256;

interface KeptHash {
  readonly header: string;
  readonly hash: string;
}

/**
 * The hash of the key that a request brings. The last one of each connection is kept with the connection and goes with it: a client
 * sends the same key with every request. Nothing else holds a key. What is kept lets nobody in: whom a hash stands for, and whether
 * it was revoked or has expired, is asked for every request.
 */
export class KeyHashes {
  readonly #kept = new WeakMap<object, KeptHash>();
  readonly #hash: (key: string) => string;

  constructor(hash = hashApiKey) {
    this.#hash = hash;
  }

  /** null: the request brings none. */
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
