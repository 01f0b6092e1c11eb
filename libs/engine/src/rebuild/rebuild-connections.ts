import type { SqlReader } from '@laurel/kernel';
import type { LogSessionConfig } from '@laurel/event-store';
import pg from 'pg';

/** The schema that holds the read models of a rebuild until they take over. */
export const REBUILD_SCHEMA = 'laurel_rebuild';
export const CONNECTIONS = 3;
export const LONGEST_STATEMENT_MS = 5 * 60_000;

export const DROP_SCHEMA = `drop schema if exists ${REBUILD_SCHEMA} cascade`;

/** Removes the schema of a rebuild whose process has ended. Only the writer of the event store may call it, because nobody else rebuilds then. */
export const removeAbandonedRebuild = async (sql: SqlReader): Promise<void> => void (await sql.query(DROP_SCHEMA, []));

/** Connections whose search path has the schema of the rebuild before the live one. */
export class RebuildConnections implements SqlReader {
  /** The schema of the live tables, as an identifier. */
  readonly live: string;
  readonly #pool: pg.Pool;

  private constructor(live: string, pool: pg.Pool) {
    this.live = live;
    this.#pool = pool;
  }

  static async open(config: LogSessionConfig): Promise<RebuildConnections> {
    const live = await liveSchema(config);
    const pooled: LogSessionConfig & pg.PoolConfig = {
      ...config,
      application_name: 'laurel-rebuild',
      max: CONNECTIONS,
      // Nobody waits for a rebuild, and the server may be busy.
      connectionTimeoutMillis: 30_000,
      query_timeout: LONGEST_STATEMENT_MS,
      keepAlive: true,
      // A rebuild starts again after a crash of the server; the commit of the take-over makes all earlier commits durable.
      session: {
        ...config.session,
        search_path: `${REBUILD_SCHEMA},${live}`,
        synchronous_commit: 'off',
        lock_timeout: '5s',
      },
    };
    const pool = new pg.Pool(pooled);
    pool.on('error', () => undefined);
    // The pool does not listen to a connection while a statement uses it.
    pool.on('connect', (client) => client.on('error', () => undefined));
    return new RebuildConnections(live, pool);
  }

  async query<R extends object>(sql: string, parameters: readonly unknown[]): Promise<R[]> {
    return (await this.#pool.query<R>(sql, [...parameters])).rows;
  }

  async transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      const result = await work(client);
      await client.query('commit');
      client.release();
      return result;
    } catch (error) {
      client.release(true);
      throw error;
    }
  }

  /** A connection, which the caller releases. */
  connect(): Promise<pg.PoolClient> {
    return this.#pool.connect();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

async function liveSchema(config: LogSessionConfig): Promise<string> {
  const client = new config.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ schema: string }>(
      "select relnamespace::regnamespace::text as schema from pg_class where oid = 'log_head'::regclass",
    );
    return rows[0]?.schema ?? 'public';
  } finally {
    await client.end();
  }
}
