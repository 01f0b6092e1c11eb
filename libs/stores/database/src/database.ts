import { StoreUnavailableError, type Migration, type SqlReader } from '@laurel/kernel';
import { isAnswerOfServer } from '@laurel/ports';
import pg from 'pg';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { ApiKeyEntity } from './api-key.entity.ts';
import { ConsoleLinkEntity, ConsoleSessionEntity } from './console-session.entity.ts';
import { WebhookEndpointEntity } from './webhook-endpoint.entity.ts';
import { DEFAULT_SCHEMA, StartError, type ConnectionOptions } from './connection.ts';
import { openSession, sessionOf } from './session-client.ts';

/** Any unused number. Processes that start at the same time migrate one after the other. */
const MIGRATION_LOCK = 0x1a7e0;

/** The server cancels a statement that takes longer, so that it neither holds its locks nor takes effect after its caller has given up. */
const STATEMENT_LIMIT_MS = 7_500;
/** A server that has not answered by then counts as unreachable. */
const ANSWER_LIMIT_MS = 8_000;

/** The data source of a process: its pool serves reads and administration; the log has its own connection. */
export function dataSourceOf(connection: ConnectionOptions, migrations: readonly Migration[]): DataSource {
  return new DataSource({
    type: 'postgres',
    host: connection.host,
    port: connection.port,
    username: connection.user,
    password: connection.password,
    database: connection.database,
    ssl: connection.ssl ?? false,
    applicationName: 'laurel',
    extra: {
      ...sessionOf(connection, { statement_timeout: `${STATEMENT_LIMIT_MS}` }),
      max: 8,
      connectionTimeoutMillis: 5_000,
      query_timeout: ANSWER_LIMIT_MS,
      keepAlive: true,
    },
    entities: [ApiKeyEntity, ConsoleLinkEntity, ConsoleSessionEntity, WebhookEndpointEntity],
    migrations: [...migrations].sort(inOrder).map(migrationClass),
    migrationsTableName: 'schema_migrations',
    migrationsTransactionMode: 'each',
  });
}

/** Building an index over a large log takes minutes; with a shorter limit the migration would begin again at every start. */
const LONGEST_MIGRATION_MS = 24 * 60 * 60_000;

/** Migrates the schema, one process at a time. */
export async function migrate(dataSource: DataSource, connection: ConnectionOptions): Promise<void> {
  const lock = await openSession(connection);
  try {
    await lock.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await ensureSchema(lock, connection.schema ?? DEFAULT_SCHEMA);
    await dataSource.runMigrations();
  } finally {
    await lock.end();
  }
}

/** Looks first: even with `if not exists`, creating a schema needs a right that the owner of the tables may lack. */
async function ensureSchema(client: pg.Client, schema: string): Promise<void> {
  const { rowCount } = await client.query('select from pg_namespace where nspname = $1', [schema]);
  if (rowCount === 0) await client.query(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
}

/** Runs SQL on the pool of a data source. */
export const sqlReader = (dataSource: DataSource): SqlReader => ({
  query: (sql, parameters) => whileReachable(() => dataSource.query(sql, parameters as unknown[])),
});

/**
 * Runs a database call.
 * @throws StoreUnavailableError if the database cannot be reached, or cannot run the statement at present; whether the statement took effect
 * is unknown then. Any other error of the statement is thrown unchanged.
 */
export async function whileReachable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isAnswerOfServer(error)) throw new StoreUnavailableError('the database cannot be reached', { cause: error });
    if (!passes(error)) throw error;
    throw new StoreUnavailableError(`the database cannot carry this out now: ${error.message}`, { cause: error });
  }
}

/** Rolled back because of another transaction (class 40), out of disk or memory (53), cancelled (57), lock timeout. */
const PASSING = /^(?:40|53|57)|^55P03$/;

/** Whether the error is temporary: the same statement may succeed later. */
const passes = (error: unknown): boolean => PASSING.test(String((error as { readonly code?: unknown }).code));

/** By number, then by name. */
const inOrder = (a: Migration, b: Migration): number => numberOf(a) - numberOf(b) || (a.name < b.name ? -1 : 1);

/** The four or more digits at the beginning of the name. */
const numberOf = ({ name }: Migration): number => Number.parseInt(name, 10);

/** TypeORM orders migrations by the thirteen digits at the end of their names, so they are added here. */
function migrationClass(migration: Migration): new () => MigrationInterface {
  return class implements MigrationInterface {
    readonly name = `${migration.name}-${1_700_000_000_000 + numberOf(migration)}`;

    async up(queryRunner: QueryRunner): Promise<void> {
      const client = (await queryRunner.connect()) as pg.ClientBase;
      await client.query('set local statement_timeout to 0');
      const limited = { text: migration.sql, query_timeout: LONGEST_MIGRATION_MS };
      await client.query(limited);
    }

    down(): Promise<void> {
      return Promise.reject(new Error(`${migration.name} is not undone: restore a backup`));
    }
  };
}

/**
 * Refuses a database that is not UTF-8, or whose text keys are not compared byte by byte. An index that follows the rules of a language can
 * break when the system's libraries change, and an idempotency key would no longer be unique.
 * @throws StartError naming the encoding or the columns.
 */
export async function assertTextIsSafe(sql: SqlReader): Promise<void> {
  const [encoding] = await sql.query<{ encoding: string }>("select current_setting('server_encoding') as encoding", []);
  if (encoding?.encoding !== 'UTF8')
    throw new StartError(`the database is encoded in ${encoding?.encoding}; create one with encoding 'UTF8'`);
  const rows = await sql.query<{ column: string }>(
    `select c.table_name || '.' || c.column_name as column
       from information_schema.key_column_usage k
       join information_schema.columns c using (table_schema, table_name, column_name)
      where c.table_schema = current_schema() and c.data_type = 'text' and c.collation_name is distinct from 'C'`,
    [],
  );
  if (rows.length > 0)
    throw new StartError(`these key columns are not collated "C": ${rows.map((row) => row.column).join(', ')}`);
}
