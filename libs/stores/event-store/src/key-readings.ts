import type { KeyHash, RecordMetricEvent } from '@laurel/kernel';
import type { UsedKey } from './event-store.ts';

type KeyFields = Pick<RecordMetricEvent, 'keyHash' | 'quotedKeyHashes' | 'earlierKeyHashes'>;

/**
 * The keys that a command may be a replay of, the first that was used before the others: each with the hashes under which its original
 * may stand, which are its own and those of how earlier releases may have read it. Empty without a key.
 */
export const keysOf = ({
  keyHash,
  quotedKeyHashes = [],
  earlierKeyHashes = [],
}: KeyFields): readonly (readonly [KeyHash, ...KeyHash[]])[] =>
  keyHash === null ? [] : [...quotedKeyHashes.map((quoted): [KeyHash] => [quoted]), [keyHash, ...earlierKeyHashes]];

/** All hashes under which the original of a command may stand, in the order in which they are looked up. */
export const keyHashesOf = (command: KeyFields): readonly KeyHash[] => keysOf(command).flat();

/** The first of these keys that has been used, with what used it. */
export const originalAmong = <Used>(hashes: readonly KeyHash[], used: ReadonlyMap<KeyHash, Used>): Used | undefined =>
  hashes.map((hash) => used.get(hash)).find((original) => original !== undefined);

/** Used keys by their hash. */
export const byKeyHash = (used: readonly UsedKey[]): ReadonlyMap<KeyHash, UsedKey> =>
  new Map(used.map((key) => [key.keyHash, key]));
