import type { SqlReader } from '@laurel/kernel';
import { BoundedReads, clientConfig, whileReachable, type ConnectionOptions } from '@laurel/database';
import pg from 'pg';
import type { SchemaName } from './schemas.ts';

/** Timeout of a query, so that nothing waits for the database for ever. */
const QUERY_LIMIT_MS = 8_000;

interface PooledReader extends SqlReader {
  close(): Promise<void>;
}

/** Reads in the schemas of other processes, over one small pool for each schema. */
export class SchemaReaders {
  readonly #server: ConnectionOptions;
  readonly #readers = new Map<SchemaName, PooledReader>();

  constructor(server: ConnectionOptions) {
    this.#server = server;
  }

  /** Every call for a schema returns the same reader. */
  reader(schema: SchemaName): SqlReader {
    const reader = this.#readers.get(schema) ?? this.open({ ...this.#server, schema });
    this.#readers.set(schema, reader);
    return reader;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#readers.values()].map((reader) => reader.close()));
  }

  protected open(connection: ConnectionOptions): PooledReader {
    const pool = new pg.Pool({
      ...clientConfig(connection),
      application_name: 'laurel-reads',
      max: 4,
      connectionTimeoutMillis: 5_000,
      query_timeout: QUERY_LIMIT_MS,
      keepAlive: true,
    });
    pool.on('error', () => undefined);
    return {
      query: <R extends object>(sql: string, parameters: readonly unknown[]) =>
        whileReachable(async () => (await pool.query(sql, [...parameters])).rows as R[]),
      close: () => pool.end(),
    };
  }
}

/** Readers for requests of people, over pools so small that applications never wait for them. */
export class BoundedSchemaReaders extends SchemaReaders {
  protected override open(connection: ConnectionOptions): PooledReader {
    return new BoundedReads(connection);
  }
}
