import type { Clock } from '@laurel/contracts';
import { SCOPES, fullScopeKey, hashApiKey, type ApiKeys } from '@laurel/runtime';
import type { DataSource } from 'typeorm';
import type { KeyRing } from '../ports.ts';
import { FollowedKeys } from './followed-keys.ts';
import { StoredKeys } from './stored-keys.ts';

export interface Keys {
  /** Those that let a caller in. */
  readonly known: ApiKeys;
  /** Those that are stored. */
  readonly ring: KeyRing;
}

/**
 * The keys that are stored, and the one of the environment, which is held as its hash in memory alone. If that one is stored
 * as well, it is what is stored: whoever has revoked it does not find it working because of a variable.
 */
export async function openKeys(
  dataSource: DataSource,
  account: string,
  given: string | null,
  clock: Clock,
): Promise<Keys> {
  const ring = await StoredKeys.open(dataSource, [account], clock);
  return { ring, known: withGiven(ring, ring, given, account) };
}

/** As {@link openKeys}, in a process that is not the only one to change the stored keys. `stop` ends the following. */
export async function openFollowedKeys(
  dataSource: DataSource,
  account: string,
  given: string | null,
  clock: Clock,
  onTrouble: (error: unknown) => void,
): Promise<Keys & { readonly stop: () => void }> {
  const ring = await StoredKeys.open(dataSource, [account], clock);
  const followed = new FollowedKeys(ring, clock, onTrouble);
  followed.start();
  return { ring, known: withGiven(followed, ring, given, account), stop: () => followed.stop() };
}

function withGiven(stored: ApiKeys, ring: StoredKeys, given: string | null, account: string): ApiKeys {
  if (given === null) return stored;
  const environment = fullScopeKey(given, account);
  const known = hashApiKey(given);
  return { find: (hash) => (hash === known && !ring.knows(hash) ? environment : stored).find(hash) };
}

/**
 * Where no key was given and none was ever stored there is no way in: makes one with every scope.
 * Not before the service can be reached: a start that fails must not use up the one showing.
 *
 * @returns the key, to be shown now and never again; null if none was made.
 */
export async function makeFirstKey(ring: KeyRing, account: string, given: string | null): Promise<string | null> {
  if (given !== null || (await ring.list(account)).length > 0) return null;
  return (await ring.create(account, { label: 'first key', scopes: [...SCOPES] })).key;
}
