import type { PreparedStatements } from '@laurel/engine';
import type { SqlReader, UserRef } from '@laurel/kernel';
import type { Clock, DataKeys } from '@laurel/ports';
import { StartError, clientConfig } from '@laurel/database';
import { assertDurable } from '@laurel/embedded-postgres';
import { EventStoreDbEventStore, LogCopy, PostgresEventStore, type EventStore } from '@laurel/event-store';
import type { OpenSchema } from '@laurel/processes';
import { ErasingEventStore } from './erasing-event-store.ts';

export interface OpenLog {
  readonly store: EventStore;
  /** null if the log is in Postgres. */
  readonly copy: LogCopy | null;
}

export interface EventStoreOptions {
  /** URL of EventStoreDB, or null if the log is in `schema`. */
  readonly url: string | null;
  /** The ingestion gateways' schema. */
  readonly schema: OpenSchema;
  readonly clock: Clock;
  readonly keys: DataKeys;
  /** See PostgresEventStoreDependencies and ErasingEventStoreDependencies. */
  readonly onErased?: (users: readonly UserRef[]) => void;
}

/**
 * Opens the log in EventStoreDB if its URL is given, else in the ingestion gateways' schema.
 * @throws StartError if the log of this installation is in the other store, or in the form of 0.1.
 * @throws EventStoreAccessError if EventStoreDB refuses this process reading or appending.
 * @throws Error if that server could lose what it has acknowledged, or cannot be reached.
 */
export async function openEventStore({ url, schema, clock, keys, onErased }: EventStoreOptions): Promise<OpenLog> {
  const { connection, sql, statements } = schema;
  await assertUpgraded(sql);
  await assertLogExists(url, sql);
  if (url !== null) {
    const store = await openEventStoreDb(url, clock, keys);
    return {
      store: new ErasingEventStore({ store, sql, clock, onErased: onErased ?? (() => undefined) }),
      copy: new LogCopy({ sql, published: store.openStoredLog(), missed: store, dataKeys: keys }),
    };
  }
  await assertDurable(sql);
  const store = await PostgresEventStore.open({
    config: clientConfig(connection),
    sql: preparing(statements),
    keys,
    clock,
    ...(onErased && { onErased }),
  });
  return { store, copy: null };
}

/** @throws StartError while the log is in the form of 0.1, or copied in part. */
export async function assertUpgraded(sql: SqlReader): Promise<void> {
  const [upgrade] = await sql.query<{ done: boolean }>('select done from log_upgrade', []);
  if (upgrade?.done === false)
    throw new StartError(
      'the log of this installation is in the form of 0.1: stop all its processes, run the ingestion gateway with the argument ' +
        '`upgrade`, and start them when that has ended (docs/guides/upgrade.md)',
    );
}

/** Checks both rights: a gateway that can append but not read would acknowledge events that nobody publishes. */
export async function openEventStoreDb(url: string, clock: Clock, keys: DataKeys): Promise<EventStoreDbEventStore> {
  const store = new EventStoreDbEventStore(url, clock, keys);
  try {
    await store.checkAccess();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/**
 * Every log begins with a publication, which is also stored in `publications`. So this detects a gateway whose
 * environment has lost LAUREL_EVENTSTORE_URL, before it begins a second log. @throws StartError if the log is in the
 * other store
 */
export async function assertLogExists(url: string | null, sql: SqlReader): Promise<void> {
  const [found] = await sql.query<{ published: boolean; recorded: boolean }>(
    'select exists (select from publications) as published, exists (select from events) as recorded',
    [],
  );
  if (url === null && found?.published && !found.recorded)
    throw new StartError(
      'LAUREL_EVENTSTORE_URL is not set, but the log of this installation is not in Postgres: set it',
    );
  if (url !== null && found?.recorded)
    throw new StartError('LAUREL_EVENTSTORE_URL is set, but the log of this installation is in Postgres: unset it');
}

/** Prepares each statement once per connection: a few texts are used again for every event. */
function preparing(statements: PreparedStatements): SqlReader {
  const names = new Map<string, string>();
  return {
    query: async <R extends object>(text: string, parameters: readonly unknown[]) => {
      const name = names.get(text) ?? `log ${names.size}`;
      names.set(text, name);
      return [...(await statements.query<R>(name, text, parameters))];
    },
  };
}
