import type { PreparedStatements } from '@laurel/engine';
import type { Migration, SqlReader } from '@laurel/kernel';
import {
  assertTextIsSafe,
  clientConfig,
  dataSourceOf,
  migrate,
  sqlReader,
  whileReachable,
  type ConnectionOptions,
} from '@laurel/database';
import pg from 'pg';
import type { DataSource } from 'typeorm';
import type { SchemaName } from './schemas.ts';

/** A schema, opened by its owner. */
export interface OpenSchema {
  readonly connection: ConnectionOptions;
  readonly dataSource: DataSource;
  /** Reads. */
  readonly sql: SqlReader;
  /** The writes of projections, one prepared statement each. */
  readonly statements: PreparedStatements;
  close(): Promise<void>;
}

/** Migrates a schema and opens it. @throws StartError, or the driver's error */
export async function openSchema(
  server: ConnectionOptions,
  schema: SchemaName,
  migrations: readonly Migration[],
): Promise<OpenSchema> {
  const connection = { ...server, schema };
  const dataSource = await dataSourceOf(connection, migrations).initialize();
  try {
    await migrate(dataSource, connection);
    const sql = sqlReader(dataSource);
    await assertTextIsSafe(sql);
    const pool = statementPool(connection);
    return {
      connection,
      dataSource,
      sql,
      statements: preparedStatements(pool),
      close: async () => {
        await pool.end();
        await dataSource.destroy();
      },
    };
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

/** A server that takes longer for one statement counts as unreachable. */
const STATEMENT_LIMIT_MS = 8_000;

/**
 * A commit of a projection does not wait for the disk: a crash of the database loses the last commits together with their checkpoints, and
 * the stream replays them. (The log has its own connections, which do wait.)
 *
 * Postgres plans each statement once per connection. By default it would plan a read of the log again each time, because a generic
 * plan looks more expensive than a plan for the limit at hand; planning then takes longer than reading a record.
 */
function statementPool(connection: ConnectionOptions): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(connection, {
      synchronous_commit: 'off',
      plan_cache_mode: 'force_generic_plan',
      statement_timeout: `${STATEMENT_LIMIT_MS}`,
    }),
    application_name: 'laurel-projection',
    max: 6,
    connectionTimeoutMillis: 5_000,
    query_timeout: STATEMENT_LIMIT_MS,
    keepAlive: true,
  });
  pool.on('error', () => undefined);
  return pool;
}

const preparedStatements = (pool: pg.Pool): PreparedStatements => ({
  query: <R extends pg.QueryResultRow>(name: string, text: string, values: readonly unknown[]) =>
    whileReachable(async () => (await pool.query<R>({ name, text, values: values as unknown[] })).rows),
});
