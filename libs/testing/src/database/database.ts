import { createHash, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Migration, SqlReader } from '@laurel/kernel';
import { clientConfig, parseDatabaseUrl, type SessionConfig } from '@laurel/database';
import { connectionUrl, inspectEmbeddedPostgres, startEmbeddedPostgres } from '@laurel/embedded-postgres';
import type { EmbeddedConnection } from '@laurel/embedded-postgres';
import pg from 'pg';

export interface TestDatabase {
  readonly sql: SqlReader;
  /** For clients of the test; valid until the database is closed. */
  readonly url: string;
  /** The connection options for `pg` and TypeORM. */
  readonly connection: EmbeddedConnection;
  /** The connection options with the session settings that Laurel relies on. */
  readonly config: SessionConfig;
  /** Drops the database, even with open connections. */
  close(): Promise<void>;
}

/**
 * A fresh, migrated database on a real Postgres: the server of LAUREL_TEST_DATABASE_URL, or an embedded one. The
 * embedded server belongs to the calling process (a jest worker): the first call starts it, later calls, also from
 * other test files, reuse it, and it ends with the process in any case.
 */
export function openTestDatabase(migrations: readonly Migration[]): Promise<TestDatabase> {
  if (migrations.length === 0) return openCopy('template1');
  return openPrepared(JSON.stringify(migrations), async (connection) => {
    const pool = new pg.Pool({ ...connection, max: 1 });
    await migrate(pool, migrations).finally(() => pool.end());
  });
}

/**
 * A fresh copy of a database that is prepared once for all callers with the same `key`.
 * @param prepare must close all its connections
 */
export async function openPrepared(
  key: string,
  prepare: (connection: EmbeddedConnection) => Promise<void>,
): Promise<TestDatabase> {
  const server = await theServer();
  const template = `template_${createHash('sha256').update(key).digest('hex').slice(0, 32)}`;
  if (!(await exists(server, template))) await makeTemplate(server, template, prepare);
  return openCopy(template);
}

async function makeTemplate(
  server: EmbeddedConnection,
  template: string,
  prepare: (connection: EmbeddedConnection) => Promise<void>,
): Promise<void> {
  const draft = `test_${randomBytes(8).toString('hex')}`;
  await onServer(server, [`create database ${draft} strategy file_copy`]);
  try {
    await prepare({ ...server, database: draft });
    // Another process may have created it first.
    await onServer(server, [`alter database ${draft} rename to ${template}`]).catch(async (error: unknown) => {
      if (!(await exists(server, template))) throw error;
      await onServer(server, dropWhenLeft(draft));
    });
  } catch (error) {
    await onServer(server, dropWhenLeft(draft));
    throw error;
  }
}

async function openCopy(template: string): Promise<TestDatabase> {
  const server = await theServer();
  const database = `test_${randomBytes(8).toString('hex')}`;
  // Five times faster than the default strategy, which writes the copy to the write-ahead log.
  await onServer(server, [`create database ${database} template ${template} strategy file_copy`]);
  const connection = { ...server, database };
  const pool = new pg.Pool({ ...connection, max: 8, allowExitOnIdle: true });
  // `end` does not wait for the server's side; a lingering connection gets an error when its database is dropped.
  pool.on('error', () => undefined);
  return {
    sql: { query: async (sql, parameters) => (await pool.query(sql, [...parameters])).rows },
    url: connectionUrl(connection),
    connection,
    config: clientConfig(connection),
    close: async () => {
      await pool.end();
      await onServer(server, dropWhenLeft(database));
    },
  };
}

/**
 * Waits until clients that a test has ended have also left the server: dropping the database earlier would send them an
 * error without a listener. A connection that remains after a second was not closed.
 */
const dropWhenLeft = (database: string): readonly string[] => [
  `do $$ begin
     for look in 1..100 loop
       exit when not exists (select from pg_stat_activity where datname = '${database}');
       perform pg_sleep(0.01), pg_stat_clear_snapshot();
     end loop;
   end $$`,
  `drop database if exists ${database} with (force)`,
];

async function migrate(pool: pg.Pool, migrations: readonly Migration[]): Promise<void> {
  for (const { name, sql } of inOrder(migrations)) {
    await pool.query(sql).catch((error: Error) => {
      throw new Error(`migration ${name}: ${error.message}`, { cause: error });
    });
  }
}

let runningServer: Promise<EmbeddedConnection> | null = null;
const theServer = (): Promise<EmbeddedConnection> => (runningServer ??= findOrStartServer());

/** Each test file has a separate copy of this module, but they share the process, so its id names the folder. */
async function findOrStartServer(): Promise<EmbeddedConnection> {
  const given = process.env['LAUREL_TEST_DATABASE_URL'];
  if (given !== undefined) return parseDatabaseUrl(given);
  const dataDir = join(tmpdir(), `laurel-test-${process.pid}`);
  const found = await inspectEmbeddedPostgres(dataDir);
  if (found.state === 'running') return found.connection;
  return (await startEmbeddedPostgres({ dataDir, unsafeForTests: true })).connection;
}

const exists = async (server: EmbeddedConnection, database: string): Promise<boolean> =>
  (await onServer(server, [`select from pg_database where datname = '${database}'`])) === 1;

/** @returns the number of rows of the last statement */
async function onServer(connection: EmbeddedConnection, statements: readonly string[]): Promise<number> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    let rows = 0;
    for (const statement of statements) rows = (await client.query(statement)).rowCount ?? 0;
    return rows;
  } finally {
    await client.end();
  }
}

/** Sorted by the number at the beginning of the name, then by the name. */
function inOrder(migrations: readonly Migration[]): Migration[] {
  const number = ({ name }: Migration): number => Number.parseInt(name, 10);
  return [...migrations].sort((a, b) => number(a) - number(b) || (a.name < b.name ? -1 : 1));
}
