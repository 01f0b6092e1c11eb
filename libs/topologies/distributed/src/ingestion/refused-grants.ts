import type { Command, Refused } from '@laurel/kernel';
import { refused } from '@laurel/engine';
import { byKeyHash, type EventStore } from '@laurel/event-store';
import { findKeys } from './earlier-originals.ts';
import type { Imports } from './imports.ts';

export interface RefusedGrantsParts {
  readonly imports: Pick<Imports, 'isOpen'>;
  readonly store: Pick<EventStore, 'findKeys'>;
}

/**
 * The grants among the commands that an open import keeps from being recorded (specification, section 10). A grant whose key was used is
 * a replay and changes nothing, so it is not among them.
 * @throws StoreUnavailableError
 */
export async function refusedGrants(
  commands: readonly Command[],
  { imports, store }: RefusedGrantsParts,
): Promise<ReadonlyMap<Command, Refused>> {
  const grants = commands.filter((command) => command.type === 'GiveGrant');
  const open = new Set<string>();
  for (const account of new Set(grants.map((grant) => grant.account)))
    if (await imports.isOpen(account)) open.add(account);
  const waiting = grants.filter(({ account }) => open.has(account));
  if (waiting.length === 0) return NONE;
  const keys = waiting.flatMap(({ keyHash }) => keyHash ?? []);
  const used = byKeyHash(keys.length === 0 ? [] : await findKeys(keys, store));
  const fresh = waiting.filter(({ keyHash }) => keyHash === null || !used.has(keyHash));
  return new Map(fresh.map((grant) => [grant, refused('import_open', null)]));
}

const NONE: ReadonlyMap<Command, Refused> = new Map();
