import { hash, randomBytes } from 'node:crypto';

/** An unguessable token: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url');

/** SHA-256 of a token, hexadecimal. Only the hash is stored. */
export const hashToken = (token: string): string => hash('sha256', token, 'hex');

/**
 * Hides the hash of an API key, so that only the session's token reveals it: the hash is combined with a pad derived
 * from the token. The key of LAUREL_API_KEY may be any text, and its hash is not stored anywhere else; a reader of the
 * table must not be able to test guesses against it.
 */
export const sealKey = (keyHash: string, token: string): string => xor(Buffer.from(keyHash, 'hex'), padOf(token));

/** Restores the hash that {@link sealKey} has hidden. */
export const revealKey = sealKey;

const padOf = (token: string): Buffer => hash('sha256', `key of ${token}`, 'buffer');

const xor = (left: Buffer, right: Buffer): string =>
  Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0))).toString('hex');
