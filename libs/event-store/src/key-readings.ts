import type { KeyHash, RecordMetricEvent } from '@laurel/contracts';
import type { UsedKey } from './event-store.ts';

type KeyFields = Pick<RecordMetricEvent, 'keyHash' | 'earlierKeyHashes'>;

/** Where the original of an event may stand: under its key, then as earlier releases may have read it. Empty without a key. */
export const keyHashesOf = ({ keyHash, earlierKeyHashes = [] }: KeyFields): readonly KeyHash[] =>
  keyHash === null ? [] : [keyHash, ...earlierKeyHashes];

/** The first of these keys that has been used, with what used it. */
export const originalAmong = <Used>(hashes: readonly KeyHash[], used: ReadonlyMap<KeyHash, Used>): Used | undefined =>
  hashes.map((hash) => used.get(hash)).find((original) => original !== undefined);

/** Used keys by their hash. */
export const byKeyHash = (used: readonly UsedKey[]): ReadonlyMap<KeyHash, UsedKey> =>
  new Map(used.map((key) => [key.keyHash, key]));
