import type { SqlReader } from '@laurel/kernel';
import { BoundedReads, clientConfig, whileReachable, type ConnectionOptions } from '@laurel/database';
import pg from 'pg';
import type { SchemaName } from './schemas.ts';

/** Queries that take longer are cancelled, so that nothing waits for the database for ever. */
const QUERY_LIMIT_MS = 8_000;

/** Reads in the schemas of others, over one small pool for each. */
export class SchemaReaders {
  readonly #server: ConnectionOptions;
  readonly #pools = new Map<SchemaName, pg.Pool>();

  constructor(server: ConnectionOptions) {
    this.#server = server;
  }

  reader(schema: SchemaName): SqlReader {
    return {
      query: <R extends object>(sql: string, parameters: readonly unknown[]) =>
        whileReachable(async () => (await this.#poolOf(schema).query(sql, [...parameters])).rows as R[]),
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.end()));
  }

  #poolOf(schema: SchemaName): pg.Pool {
    const known = this.#pools.get(schema);
    if (known) return known;
    const pool = new pg.Pool({
      ...clientConfig({ ...this.#server, schema }),
      application_name: 'laurel-reads',
      max: 4,
      connectionTimeoutMillis: 5_000,
      query_timeout: QUERY_LIMIT_MS,
      keepAlive: true,
    });
    pool.on('error', () => undefined);
    this.#pools.set(schema, pool);
    return pool;
  }
}

/** Likewise for what people ask, over pools so small that applications never wait for it. */
export class BoundedSchemaReaders {
  readonly #server: ConnectionOptions;
  readonly #reads = new Map<SchemaName, BoundedReads>();

  constructor(server: ConnectionOptions) {
    this.#server = server;
  }

  reader(schema: SchemaName): SqlReader {
    const reads = this.#reads.get(schema) ?? new BoundedReads({ ...this.#server, schema });
    this.#reads.set(schema, reads);
    return reads;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#reads.values()].map((reads) => reads.close()));
  }
}
