import { openRebuild } from '@laurel/rebuild';
import { localDate } from '@laurel/calendar';
import { compileHistory } from '@laurel/configuration';
import { ACCOUNT, type SqlReader } from '@laurel/kernel';
import { clientConfig, type ConnectionOptions } from '@laurel/database';
import type { PostgresDirectory } from '@laurel/directory';
import { newEventId, type LogWriter, type PostgresLogReader } from '@laurel/event-store';
import { Engine, type EngineDependencies, PostgresBatchStore, positionsInPostgres, UserEvents } from '@laurel/engine';
import type { UserQueries } from '@laurel/users';

export interface EngineStorage {
  readonly connection: ConnectionOptions;
  readonly sql: SqlReader;
  readonly writer: LogWriter;
  readonly directory: PostgresDirectory;
  readonly log: PostgresLogReader;
  readonly users: UserQueries;
}

type StoredDependencies =
  'store' | 'log' | 'userEvents' | 'newEventId' | 'originalDates' | 'compileHistory' | 'openRebuild';

/** Starts an engine that keeps everything in one database. Resolves once it has applied the whole log. */
export function startEngine(
  storage: EngineStorage,
  dependencies: Omit<EngineDependencies, StoredDependencies>,
): Promise<Engine> {
  const { connection, sql, writer, directory, log, users } = storage;
  return Engine.start(
    {
      ...dependencies,
      store: new PostgresBatchStore(writer, sql, directory, dependencies.chain.tables),
      log,
      userEvents: new UserEvents(positionsInPostgres(sql), log),
      newEventId,
      originalDates: datesOnClocksOf(users),
      compileHistory,
      openRebuild: (areas) => openRebuild({ config: clientConfig(connection), writer, log }, areas),
    },
    [ACCOUNT],
  );
}

const datesOnClocksOf =
  (users: UserQueries): EngineDependencies['originalDates'] =>
  async (keys) => {
    const zones = await users.zonesAt(keys.map(({ account, subject, position }) => ({ account, subject, position })));
    return keys.map(({ occurredAt }, index) => localDate(occurredAt, zones[index] ?? 'UTC'));
  };
