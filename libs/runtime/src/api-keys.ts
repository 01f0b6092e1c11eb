import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

export const SCOPES = ['ingest', 'read', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who is calling: what a valid key stands for. */
export interface Principal {
  readonly account: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** The keys that are known, by their hash: the key itself is stored nowhere. */
export interface ApiKeys {
  /** null: unknown, expired or revoked. Answers at once where it can, so that the event route need not wait. */
  find(hash: string): Principal | null | Promise<Principal | null>;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const FORM = /^lrl_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

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

/** One key with every scope: that of LAUREL_API_KEY. Only its hash stays in memory. */
export function fullScopeKey(key: string, account: string): ApiKeys {
  const known = hashApiKey(key);
  const principal: Principal = { account, scopes: new Set(SCOPES) };
  return { find: (hash) => (hash === known ? principal : null) };
}

/** The first of them that knows the key. */
export function firstKnowing(...all: readonly ApiKeys[]): ApiKeys {
  const findFrom = (index: number, hash: string): Principal | null | Promise<Principal | null> => {
    const keys = all[index];
    if (keys === undefined) return null;
    const found = keys.find(hash);
    if (found instanceof Promise) return found.then((principal) => principal ?? findFrom(index + 1, hash));
    return found ?? findFrom(index + 1, hash);
  };
  return { find: (hash) => findFrom(0, hash) };
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
