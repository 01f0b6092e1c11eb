import type { KeyHash, RecordMetricEvent } from '@laurel/kernel';
import type { UsedKey } from './event-store.ts';

type KeyFields = Pick<RecordMetricEvent, 'keyHash' | 'quotedKeyHashes' | 'earlierKeyHashes'>;

/**
 * The keys of which a command may be a replay, in order of precedence. Each has the hashes under which the original may be stored: its own
 * hash, and the hashes by which earlier releases may have read the key. Empty without a key.
 */
export const keysOf = ({
  keyHash,
  quotedKeyHashes = [],
  earlierKeyHashes = [],
}: KeyFields): readonly (readonly [KeyHash, ...KeyHash[]])[] =>
  keyHash === null ? [] : [...quotedKeyHashes.map((quoted): [KeyHash] => [quoted]), [keyHash, ...earlierKeyHashes]];

/** All hashes under which the original of a command may be stored, in the order of look-up. */
export const keyHashesOf = (command: KeyFields): readonly KeyHash[] => keysOf(command).flat();

/** The original of the first of these keys that has been used. */
export const originalAmong = <Used>(hashes: readonly KeyHash[], used: ReadonlyMap<KeyHash, Used>): Used | undefined =>
  hashes.map((hash) => used.get(hash)).find((original) => original !== undefined);

/** Used keys by their hash. */
export const byKeyHash = (used: readonly UsedKey[]): ReadonlyMap<KeyHash, UsedKey> =>
  new Map(used.map((key) => [key.keyHash, key]));
