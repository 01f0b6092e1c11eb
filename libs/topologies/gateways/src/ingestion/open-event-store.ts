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
  /** null: the log is in Postgres. */
  readonly copy: LogCopy | null;
}

/**
 * The log: in EventStoreDB if its URL is given, else in the ingestion gateways' schema.
 * @param onErased see PostgresEventStoreParts and ErasingEventStoreParts
 * @throws StartError if the log of this installation is in the other store, or in the form of 0.1.
 * @throws EventStoreAccessError if EventStoreDB refuses this process reading or appending.
 * @throws Error if that server could lose what it has acknowledged, or cannot be reached.
 */
export async function openEventStore(
  url: string | null,
  { connection, sql, statements }: OpenSchema,
  clock: Clock,
  keys: DataKeys,
  onErased?: (users: readonly UserRef[]) => void,
): Promise<OpenLog> {
  await assertUpgraded(sql);
  await assertLogIsThere(url, sql);
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

/** A gateway that may append and not read would acknowledge what nobody ever publishes. */
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
 * Every log begins with a publication, which is kept in `publications` wherever the log is: a gateway whose environment has lost
 * LAUREL_EVENTSTORE_URL would begin a second log. @throws StartError
 */
export async function assertLogIsThere(url: string | null, sql: SqlReader): Promise<void> {
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

/** The log is read by a few texts, again for every event: each is prepared once per connection. */
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
