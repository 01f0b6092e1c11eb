import { SCOPES, type Scope } from '@laurel/schemas';
import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** The caller that a valid key stands for. */
export interface Principal {
  readonly account: string;
  /** The caller in the log: the id of the key, or as `Attribution` says. */
  readonly by: string;
  readonly scopes: ReadonlySet<Scope>;
  /** Absent: none. */
  readonly rateLimit?: RateLimit;
}

/** How often a key may be used. */
export interface RateLimit {
  /** Whose requests are counted together. */
  readonly keyId: string;
  readonly requestsPerMinute: number;
}

/** Why a key lets nobody in. */
export type KeyRefusal = 'unknown' | 'expired' | 'revoked';

/** The caller that a key stands for, or why it is refused. */
export type FoundKey = Principal | KeyRefusal;

/** The keys that are known, by their hash: the key itself is stored nowhere. */
export interface ApiKeys {
  /** Answers at once where it can, so that the event route need not wait. */
  find(hash: string): FoundKey | Promise<FoundKey>;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^lrl_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** Finds keys in a text, such as a URL that somebody put one into by mistake. */
export const API_KEY_FORM = /lrl_[0-9A-Za-z]{36}/g;

/** A new key: `lrl_`, 30 random base62 characters (178 bits) and 6 of their CRC-32, by which scanners know a leaked one. */
export function generateApiKey(): string {
  const random = Array.from({ length: 30 }, () => ALPHABET.charAt(randomInt(62))).join('');
  return `lrl_${random}${checksum(random)}`;
}

/** True for the form that {@link generateApiKey} gives, checksum included. */
export function hasApiKeyForm(key: string): boolean {
  const [, random, sum] = FORM.exec(key) ?? [];
  return random !== undefined && checksum(random) === sum;
}

/** SHA-256 of the whole key, in hex: what is stored and looked up. */
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
