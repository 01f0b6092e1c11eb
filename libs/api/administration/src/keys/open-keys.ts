import type { Clock } from '@laurel/ports';
import { SCOPES } from '@laurel/schemas';
import {
  fullScopeKey,
  hashApiKey,
  lastingFailure,
  type ApiKeys,
  type Environment,
  type Logger,
  type Shutdown,
} from '@laurel/runtime';
import type { DataSource } from 'typeorm';
import type { KeyRing } from '../ports.ts';
import { FollowedKeys } from './followed-keys.ts';
import { KeyEvents, type KeyLog } from './key-events.ts';
import { StoredKeys } from './stored-keys.ts';

export interface KeysDependencies {
  readonly dataSource: DataSource;
  readonly account: string;
  /** The key of the environment, or null if there is none. */
  readonly given: string | null;
  readonly clock: Clock;
  /** Records changes; null if this process does not change keys. */
  readonly log: KeyLog | null;
  /** Called when the table could not be read, or a change could not be recorded; both are retried. */
  readonly onTrouble: (error: unknown) => void;
}

export interface Keys {
  /** All keys that admit a caller. */
  readonly known: ApiKeys;
  /** The stored keys. */
  readonly ring: KeyRing;
}

/**
 * The stored keys, and the key of the environment, of which only the hash is kept, in memory. If that key is stored, too, the stored one
 * counts: a revoked key does not work again because of a variable. Events of keys that the log lacks are recorded first. `stop` ends
 * background work.
 */
export async function openKeys(dependencies: KeysDependencies): Promise<Keys & { stop(): Promise<void> }> {
  const { ring, events } = await openRing(dependencies);
  return { ring, known: withGiven(ring, ring, dependencies), stop: () => events.stop() };
}

interface KeysFrame {
  readonly environment: Pick<Environment, 'apiKey'>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}

/** As {@link openKeys}, until the process stops, which is not the only one to change the stored keys. */
export async function openFollowedKeys(
  { environment, clock, logger, shutdown }: KeysFrame,
  stored: Pick<KeysDependencies, 'dataSource' | 'account' | 'log'>,
): Promise<Keys> {
  const trouble = stored.log === null ? UNREAD : UNREAD_OR_UNRECORDED;
  const dependencies = {
    ...stored,
    given: environment.apiKey,
    clock,
    onTrouble: lastingFailure(logger, clock, trouble),
  };
  const { ring, events } = await openRing(dependencies);
  const followed = new FollowedKeys(ring, clock, dependencies.onTrouble);
  followed.start();
  shutdown.register('key refresh', () => {
    followed.stop();
    return events.stop();
  });
  return { ring, known: withGiven(followed, ring, dependencies) };
}

const UNREAD = 'API keys could not be read';
const UNREAD_OR_UNRECORDED = `${UNREAD}, or a change of them not be recorded; retrying`;

const NO_EVENTS: Pick<KeyEvents, 'record' | 'recordStart' | 'stop'> = {
  record: () => Promise.resolve(),
  recordStart: () => Promise.resolve(),
  stop: () => Promise.resolve(),
};

async function openRing({ log, given, ...parts }: KeysDependencies) {
  const events = log === null ? NO_EVENTS : new KeyEvents({ ...parts, log });
  const ring = await StoredKeys.open(parts.dataSource, [parts.account], parts.clock, events);
  await events.recordStart(given !== null && !ring.knows(hashApiKey(given)));
  return { ring, events };
}

function withGiven(stored: ApiKeys, ring: StoredKeys, { given, account }: KeysDependencies): ApiKeys {
  if (given === null) return stored;
  const environment = fullScopeKey(given, account);
  const known = hashApiKey(given);
  return { find: (hash) => (hash === known && !ring.knows(hash) ? environment : stored).find(hash) };
}

/**
 * Creates a key with every scope if none was given and none was ever stored, because nobody could get in otherwise.
 * Call it only when the service can be reached: the key is shown once, and a failing start would lose it.
 *
 * @returns the key, to be shown once; null if none was created.
 */
export async function makeFirstKey(ring: KeyRing, account: string, given: string | null): Promise<string | null> {
  if (given !== null || (await ring.list(account)).length > 0) return null;
  return (await ring.create(account, { label: 'first key', scopes: [...SCOPES] }, { by: 'start' })).key;
}
