import { hash, randomBytes } from 'node:crypto';

/** A token that nobody guesses: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** SHA-256 of a token, hexadecimal. Only the hash is stored. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');

/**
 * The hash of an API key so that only the session's token reveals it: it is hidden by a pad that is made of the token. The key of
 * LAUREL_API_KEY may be any text, and its hash is stored nowhere else; a reader of the table gets none to try guesses on.
 */
export const sealKey = (keyHash: string, token: string): string => xor(Buffer.from(keyHash, 'hex'), padOf(token));

/** The hash that {@link sealKey} was given. */
export const revealKey = sealKey;

const padOf = (token: string): Buffer => hash('sha256', `key of ${token}`, 'buffer');

const xor = (left: Buffer, right: Buffer): string =>
  Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0))).toString('hex');
