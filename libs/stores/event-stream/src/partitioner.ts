import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/**
 * The partition of a user (key: the subject) or of a leaderboard (key: the board): the first 48 bits, big endian, of SHA-256 over the UTF-8
 * of account, U+0000 and key, modulo the number of partitions. An account cannot contain U+0000, so no two pairs give the same bytes.
 *
 * The function must never change, because written messages stay in their partitions: with another result, later events of a user would go to
 * another partition than earlier ones.
 *
 * @param partitions at least 1; 48 bits and not 64 because a number holds them exactly
 */
export function partitionOf(account: string, key: string | number, partitions: number): number {
  return hashOf(`${account}\0${key}`) % partitions;
}

/** About 15,000 usual keys, in 4 MB. */
const MOST_CHARACTERS = 1_000_000;
/** The size of an entry without its name. */
const CHARACTERS_OF_AN_ENTRY = 50;

const hashes = new LRUCache<string, number>({
  maxSize: MOST_CHARACTERS,
  sizeCalculation: (_hash, name) => name.length + CHARACTERS_OF_AN_ENTRY,
});

function hashOf(name: string): number {
  const known = hashes.get(name);
  if (known !== undefined) return known;
  const hash = createHash('sha256').update(name, 'utf8').digest().readUIntBE(0, 6);
  hashes.set(name, hash);
  return hash;
}
