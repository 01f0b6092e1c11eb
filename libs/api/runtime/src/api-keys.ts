import { SCOPES, type Scope } from '@laurel/schemas';
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The caller with a valid key. */
export interface Principal {
  readonly account: string;
  /** The caller's name in the log: the id of the key, or a name listed at `Attribution`. */
  readonly by: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Missing if there is no limit. */
  readonly rateLimit?: RateLimit;
}

/** How often a key may be used. */
export interface RateLimit {
  /** Requests with the same id are counted together. */
  readonly keyId: string;
  readonly requestsPerMinute: number;
}

/** Why a key is refused. */
export type KeyRefusal = 'unknown' | 'expired' | 'revoked';

/** The caller of a key, or why the key is refused. */
export type FoundKey = Principal | KeyRefusal;

/** The known keys, by their hash; the keys themselves are not stored. */
export interface ApiKeys {
  /** Returns synchronously if possible, so that the event route need not wait. */
  find(hash: string): FoundKey | Promise<FoundKey>;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^lrl_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Finds keys in a text, for example in a URL into which somebody put one by mistake. */
export const API_KEY_FORM = /lrl_[0-9A-Za-z]{36}/g;

/**
 * A new key: `lrl_`, 30 random base62 characters (178 bits) and 6 of their CRC-32, which lets scanners recognize leaked
 * keys.
 */
export function generateApiKey(): string {
  const random = Array.from({ length: 30 }, () => ALPHABET.charAt(randomInt(62))).join('');
  return `lrl_${random}${checksum(random)}`;
}

/** Whether a text has the format of {@link generateApiKey}, including the checksum. */
export function hasApiKeyForm(key: string): boolean {
  const [, random, sum] = FORM.exec(key) ?? [];
  return random !== undefined && checksum(random) === sum;
}

/** SHA-256 of the whole key in hexadecimal, which is stored and looked up. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex');
}

/** A caller with every scope in an account and without a limit. */
export function fullScope(account: string, by: string): Principal {
  return { account, by, scopes: new Set(SCOPES) };
}

/** The name of LAUREL_API_KEY in the log. The key is not stored, so it has no id. */
export const ENVIRONMENT_KEY = 'environment';

/** One key with every scope, the key of LAUREL_API_KEY. Only its hash stays in memory. */
export function fullScopeKey(key: string, account: string): ApiKeys {
  const known = hashApiKey(key);
  const principal = fullScope(account, ENVIRONMENT_KEY);
  return { find: (hash) => (hash === known ? principal : 'unknown') };
}

function checksum(text: string): string {
  let rest = crc32(text);
  let digits = '';
  for (let place = 0; place < 6; place++) {
    digits = ALPHABET.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
