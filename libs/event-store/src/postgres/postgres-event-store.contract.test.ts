import { describeEventStoreContract, openTestDatabase } from '@laurel/testing';
import { eventStoreMigrations } from '../migrations.ts';
import { LogInUseError } from '../event-store.ts';
import { LogWriter } from './log-writer.ts';
import { PostgresEventStore } from './postgres-event-store.ts';
import { FIND_KEYS } from './postgres-log-reader.ts';

describeEventStoreContract('Postgres', async () => {
  const database = await openTestDatabase(eventStoreMigrations);
  const writers: LogWriter[] = [];
  return {
    open: async () => {
      // The lock of the writer before is gone with its session, as after a cut connection; its epoch is what fences it.
      await database.sql.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'laurel-writer' and datname = current_database()`,
        [],
      );
      const writer = await openWhenFree(database.connection);
      writers.push(writer);
      return new PostgresEventStore(writer, database.sql);
    },
    close: async () => {
      for (const writer of writers) await writer.close();
      await database.close();
    },
  };
});

describe('a log in Postgres', () => {
  it('refuses a second writer while the first one lives', async () => {
    const database = await openTestDatabase(eventStoreMigrations);
    const first = await LogWriter.open(database.connection);
    await expect(LogWriter.open(database.connection)).rejects.toThrow(LogInUseError);
    await first.close();
    const second = await openWhenFree(database.connection);
    await second.close();
    await database.close();
  });
});

describe('looking up idempotency keys', () => {
  it.each([false, true])(
    'probes the index whatever the planner believes of the table (analysed: %s)',
    async (analysed) => {
      const database = await openTestDatabase(eventStoreMigrations);
      await database.sql.query(
        `insert into events select n, 'default', gen_random_uuid(), 'MetricEventRecorded', 1, 1, 'user-' || n % 50, 'words', 'key-' || n, now(), now(), '{}'
         from generate_series(1, 20000) n`,
        [],
      );
      if (analysed) await database.sql.query('analyze events', []);
      const keys = JSON.stringify([{ account: 'default', userId: 'user-1', metric: 'words', key: 'key-1' }]);
      const plan = await database.sql.query<{ 'QUERY PLAN': string }>(
        `explain ${FIND_KEYS.replace('$1', `'${keys}'`)}`,
        [],
      );
      expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toContain('events_idempotency');
      await database.close();
    },
  );
});

async function openWhenFree(connection: Parameters<typeof LogWriter.open>[0]): Promise<LogWriter> {
  for (;;) {
    try {
      return await LogWriter.open(connection);
    } catch (error) {
      if (!(error instanceof LogInUseError)) throw error;
    }
  }
}
