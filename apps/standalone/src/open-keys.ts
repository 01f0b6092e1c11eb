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
}

/** The key of the environment, which is held as its hash in memory alone, and those that are stored; if there is neither, one is made. */
export async function openKeys(
  dataSource: DataSource,
  account: string,
  given: string | null,
  clock: Clock,
): Promise<OpenedKeys> {
  const repository = dataSource.getRepository(ApiKeyEntity);
  let stored = await repository.findBy({ account });
  let shownOnce: string | null = null;
  if (given === null && stored.length === 0) {
    shownOnce = generateApiKey();
    const now = clock.now();
    const made = {
      account,
      id: uuidv7({ msecs: now }),
      hash: hashApiKey(shownOnce),
      label: 'first key',
      scopes: [...SCOPES],
      createdAt: new Date(now),
    };
    stored = [await repository.save(repository.create(made))];
  }
  const byHash = new Map(stored.map(({ hash, scopes }) => [hash, { account, scopes: new Set(scopes as Scope[]) }]));
  const known: ApiKeys = { find: (hash) => byHash.get(hash) ?? null };
  return { keys: given === null ? known : firstKnowing(fullScopeKey(given, account), known), shownOnce };
}
