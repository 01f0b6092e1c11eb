import { createHash } from 'node:crypto';

/**
 * The partition of all that happens to one user (key: the user's subject) or in one leaderboard (key: the board's): the first
 * 48 bits, big endian, of SHA-256 over the UTF-8 of account, U+0000 and key, modulo the number of partitions. An account
 * cannot contain U+0000, so no two pairs give the same bytes.
 *
 * It is our own and never changes, because whatever has been written stays where it is: another result for a user would put
 * their later events beside, not behind, their earlier ones.
 *
 * @param partitions at least 1; 48 bits and not 64 because a number holds them exactly
 */
export function partitionOf(account: string, key: string | number, partitions: number): number {
  const digest = createHash('sha256').update(`${account}\0${key}`, 'utf8').digest();
  return digest.readUIntBE(0, 6) % partitions;
}
