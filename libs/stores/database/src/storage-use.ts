import type { SqlReader } from '@laurel/kernel';
import type { Clock, FileSystemSpace } from '@laurel/ports';
import type { StorageStatus } from '@laurel/schemas';
import { storageStatusOf, type StorageReading } from './storage-outlook.ts';

/**
 * Readings are limited to one per second, because for each the server asks the file system for the size of every file.
 */
const READ_EVERY_MS = 1_000;
const WAIT_AT_MOST_MS = 1_000;

/** The tables whose sizes are added up. */
export interface MeasuredTables {
  /** null for the schema of unqualified names. */
  readonly schemas: readonly string[] | null;
  /** null for all tables of these schemas. */
  readonly names: readonly string[] | null;
}

export interface StorageUseOptions {
  readonly sql: SqlReader;
  readonly clock: Clock;
  readonly tables: MeasuredTables;
  /** The number of records in the log; null if the log is not in this database. */
  readonly records: (() => number | Promise<number>) | null;
  /** null if the disk of the server cannot be seen from here. */
  readonly space: (() => Promise<FileSystemSpace>) | null;
}

/** The disk usage of the service, read at most once a second. */
export class StorageUse {
  readonly #options: StorageUseOptions;
  #latest: StorageStatus | null = null;
  #readAtMs: number | null = null;
  #reading: Promise<void> | null = null;

  constructor(options: StorageUseOptions) {
    this.#options = options;
  }

  /** The last reading; null if unknown. Starts a new reading in the background if the last one is older than a second. */
  get latest(): StorageStatus | null {
    void this.refresh();
    return this.#latest;
  }

  /** A reading at most a second old, or the last one if the database takes longer than a second; null if unknown. */
  async current(): Promise<StorageStatus | null> {
    let cancel = () => {};
    const limit = new Promise<void>((resolve) => (cancel = this.#options.clock.after(WAIT_AT_MOST_MS, resolve)));
    await Promise.race([this.refresh(), limit]);
    cancel();
    return this.#latest;
  }

  /** Never rejects: while the database cannot be read, the usage is unknown. Readings never overlap, because one may wait for locks. */
  refresh(): Promise<void> {
    const now = this.#options.clock.elapsedMs();
    if (this.#reading !== null) return this.#reading;
    if (this.#readAtMs !== null && now - this.#readAtMs < READ_EVERY_MS) return Promise.resolve();
    this.#readAtMs = now;
    this.#reading = this.#read()
      .then(storageStatusOf)
      .catch(() => null)
      .then((status) => {
        this.#latest = status;
        this.#reading = null;
      });
    return this.#reading;
  }

  async #read(): Promise<StorageReading> {
    const { sql, tables, records, space } = this.#options;
    const [row] = await sql.query<SizeRow>(SIZES, [tables.schemas, tables.names]);
    if (row === undefined) throw new Error('the database did not return its size');
    const [wal] = row.may_list_wal ? await sql.query<{ readonly bytes: string }>(WAL, []) : [];
    return {
      databaseBytes: Number(row.database),
      logBytes: Number(row.log),
      readModelBytes: Number(row.read_models),
      indexBytes: Number(row.indexes),
      walBytes: wal === undefined ? null : Number(wal.bytes),
      walLimitBytes: Number(row.wal_limit),
      records: records === null ? null : await records(),
      space: space === null ? null : await space(),
    };
  }
}

interface SizeRow {
  readonly database: string;
  readonly log: string;
  readonly read_models: string;
  readonly indexes: string;
  readonly wal_limit: string;
  readonly may_list_wal: boolean;
}

const SIZES = `
  with measured as (
    select relname in ('events', 'log_head') as is_log, pg_table_size(c.oid) as bytes, pg_indexes_size(c.oid) as indexes
    from pg_class c join pg_namespace n on n.oid = relnamespace
    where relkind = 'r' and nspname = any(coalesce($1::text[], array[current_schema()::text]))
      and ($2::text[] is null or relname = any($2)))
  select pg_database_size(current_database())::text as database,
    coalesce(sum(bytes) filter (where is_log), 0)::text as log,
    coalesce(sum(bytes) filter (where not is_log), 0)::text as read_models,
    coalesce(sum(indexes), 0)::text as indexes,
    pg_size_bytes(current_setting('max_wal_size'))::text as wal_limit,
    has_function_privilege('pg_catalog.pg_ls_waldir()', 'execute') as may_list_wal
  from measured`;

/** A separate statement, because the server checks the right to call the function first. */
const WAL = 'select coalesce(sum(size), 0)::text as bytes from pg_ls_waldir()';
