import type { Instant } from '@laurel/calendar';
import type { Clock } from '@laurel/contracts';
import { ApiKeyEntity } from '@laurel/database';
import {
  SCOPES,
  firstKnowing,
  fullScopeKey,
  generateApiKey,
  hashApiKey,
  type ApiKeys,
  type Scope,
} from '@laurel/runtime';
import type { DataSource } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

export interface OpenedKeys {
  readonly keys: ApiKeys;
  /** The key that was made because there was none: shown now and never again. */
  readonly shownOnce: string | null;
  /** Stores the key that was made. Not before the service can be reached: a start that fails must not use up the one showing. */
  keep(): Promise<void>;
}

/** The key of the environment, which is held as its hash in memory alone, and those that are stored; if there is neither, one is made. */
export async function openKeys(
  dataSource: DataSource,
  account: string,
  given: string | null,
  clock: Clock,
): Promise<OpenedKeys> {
  const repository = dataSource.getRepository(ApiKeyEntity);
  const stored = await repository.findBy({ account });
  const made = given === null && stored.length === 0 ? generateApiKey() : null;
  const entities = made === null ? stored : [repository.create(entityOf(made, account, clock.now()))];
  const byHash = new Map(entities.map(({ hash, scopes }) => [hash, { account, scopes: new Set(scopes as Scope[]) }]));
  const known: ApiKeys = { find: (hash) => byHash.get(hash) ?? null };
  return {
    keys: given === null ? known : firstKnowing(fullScopeKey(given, account), known),
    shownOnce: made,
    keep: async () => void (made === null || (await repository.save(entities))),
  };
}

const entityOf = (key: string, account: string, now: Instant) => ({
  account,
  id: uuidv7({ msecs: now }),
  hash: hashApiKey(key),
  label: 'first key',
  scopes: [...SCOPES],
  createdAt: new Date(now),
});
