import { createHash } from 'node:crypto';

/** The hash of the log as `laurel log head` printed it. */
export interface EarlierHead {
  /** Number of records that it covers. */
  readonly size: number;
  /** In hexadecimal. */
  readonly root: string;
}

/**
 * Whether the proof shows that the log of `later` begins with the log of `earlier`: RFC 9162, section 2.1.4.2, which verifies the proofs of RFC 6962.
 * Shares no code with the maker of the proof.
 */
export function continues(earlier: EarlierHead, later: EarlierHead, proof: readonly string[]): boolean {
  if (earlier.size === later.size) return proof.length === 0 && earlier.root === later.root;
  if (earlier.size > later.size) return false;
  if (earlier.size === 0) return proof.length === 0 && earlier.root === sha256();
  const [first, ...rest] = isPowerOfTwo(earlier.size) ? [earlier.root, ...proof] : proof;
  if (first === undefined) return false;
  let [place, last] = [BigInt(earlier.size - 1), BigInt(later.size - 1)];
  while (place % 2n === 1n) [place, last] = [place >> 1n, last >> 1n];
  let [older, newer] = [first, first];
  for (const hash of rest) {
    if (last === 0n) return false;
    if (place % 2n === 1n || place === last) {
      [older, newer] = [parent(hash, older), parent(hash, newer)];
      while (place % 2n === 0n && place !== 0n) [place, last] = [place >> 1n, last >> 1n];
    } else newer = parent(newer, hash);
    [place, last] = [place >> 1n, last >> 1n];
  }
  return last === 0n && older === earlier.root && newer === later.root;
}

const isPowerOfTwo = (size: number): boolean => Number.isInteger(Math.log2(size));

const sha256 = (...parts: readonly Buffer[]): string => createHash('sha256').update(Buffer.concat(parts)).digest('hex');

const parent = (left: string, right: string): string =>
  sha256(Buffer.of(1), Buffer.from(left, 'hex'), Buffer.from(right, 'hex'));
