import type { AreaName, AreaTable, Migration, SqlReader } from '@laurel/contracts';
import { FencedError } from '@laurel/event-store';
import pg from 'pg';
import type { Checkpoint, CommitBatch } from '../batch-store.ts';
import { USER_AREAS, type StoredDocument, type UserRef } from '../document.ts';
import { CHECKPOINTS, DOCUMENTS, checkpointRow, documentRow, insertRows, readDocuments } from '../postgres-tables.ts';
import type { RebuildStore } from './rebuild-store.ts';

/** The schema that holds the read models of a rebuild until they take over. */
const SCHEMA = 'laurel_rebuild';

export interface PostgresRebuildOptions {
  readonly config: pg.ClientConfig;
  /** The writer under whose epoch the read models take over. */
  readonly epoch: number;
  /** Creates the tables of the read models by their bare names. */
  readonly migrations: readonly Migration[];
  /** The tables of each area. */
  readonly tables: ReadonlyMap<AreaName, readonly AreaTable[]>;
}

/**
 * Read models in a schema of their own, which stands before the live one in the search path: so the same statements
 * write and read them. They take over by moving whole tables; of `user_states`, which belongs to several areas, the
 * columns of the areas in question.
 */
export class PostgresRebuildStore implements RebuildStore {
  readonly #options: PostgresRebuildOptions;
  readonly #pool: pg.Pool;
  readonly #live: string;

  private constructor(options: PostgresRebuildOptions, pool: pg.Pool, live: string) {
    this.#options = options;
    this.#pool = pool;
    this.#live = live;
  }

  /** Begins with empty tables; what an earlier rebuild has left behind goes. */
  static async open(options: PostgresRebuildOptions): Promise<PostgresRebuildStore> {
    const live = pg.escapeIdentifier(await currentSchema(options.config));
    const pool = new pg.Pool({
      ...options.config,
      application_name: 'laurel-rebuild',
      max: 3,
      // What is lost of it with the server is rebuilt; the commit that takes over makes all before it durable.
      options: `-c search_path=${SCHEMA},${live.replaceAll(' ', '\\ ')} -c synchronous_commit=off`,
    });
    pool.on('error', () => undefined);
    const store = new PostgresRebuildStore(options, pool, live);
    try {
      await store.#begin();
      return store;
    } catch (error) {
      await store.close().catch(() => undefined);
      throw error;
    }
  }

  /** Reads what has been written so far: for the boards of the rebuild. */
  get sql(): SqlReader {
    return { query: async (sql, parameters) => (await this.#pool.query(sql, [...parameters])).rows };
  }

  loadDocuments(users: readonly UserRef[]): Promise<ReadonlyMap<string, StoredDocument>> {
    return readDocuments(this.sql, users);
  }

  async write({ documents, rows }: Pick<CommitBatch, 'documents' | 'rows'>): Promise<void> {
    await this.#transaction(async (client) => {
      await insertInto(client, DOCUMENTS, documents.map(documentRow));
      for (const table of [...this.#options.tables.values()].flat())
        await insertInto(client, table, rows.get(table.name) ?? []);
    });
  }

  async takeOver(head: number, checkpoints: readonly (Checkpoint & { readonly area: AreaName })[]): Promise<void> {
    const areas = checkpoints.map(({ area }) => area);
    await this.#transaction(async (client) => {
      await client.query('set local synchronous_commit to on');
      const { rows } = await client.query('select from log_head where epoch = $1 and position = $2 for update', [
        this.#options.epoch,
        head,
      ]);
      if (rows.length === 0) throw new FencedError();
      for (const area of areas)
        for (const { name } of this.#options.tables.get(area) ?? []) await client.query(this.#move(name));
      await this.#moveStates(client, areas);
      await client.query(insertRows(`${this.#live}.${CHECKPOINTS.name}`, CHECKPOINTS.name, CHECKPOINTS.onConflict), [
        JSON.stringify(checkpoints.map(checkpointRow)),
      ]);
      await client.query(`delete from ${this.#live}.area_inbox where area = any($1)`, [areas]);
    });
  }

  async close(): Promise<void> {
    try {
      await this.#pool.query(`drop schema if exists ${SCHEMA} cascade`);
    } finally {
      await this.#pool.end();
    }
  }

  async #begin(): Promise<void> {
    await this.#transaction(async (client) => {
      await client.query(`drop schema if exists ${SCHEMA} cascade; create schema ${SCHEMA}`);
      for (const { sql } of this.#options.migrations) await client.query(sql);
    });
  }

  #move(table: string): string {
    return `drop table ${this.#live}.${table}; alter table ${SCHEMA}.${table} set schema ${this.#live}`;
  }

  async #moveStates(client: pg.PoolClient, areas: readonly AreaName[]): Promise<void> {
    const columns = USER_AREAS.filter((area) => areas.includes(area));
    if (columns.length === 0) return;
    if (columns.length === USER_AREAS.length) {
      await client.query(this.#move(DOCUMENTS.name));
      return;
    }
    const written = [...columns, 'due_at'];
    await client.query(
      `insert into ${this.#live}.user_states as live (account, user_id, ${written.join(', ')})
       select account, user_id, ${written.join(', ')} from ${SCHEMA}.user_states
       on conflict (account, user_id) do update set ${written.map((column) => `${column} = excluded.${column}`).join(', ')}
       where (${written.map((column) => `live.${column}`).join(', ')}) is distinct from (${written.map((column) => `excluded.${column}`).join(', ')})`,
    );
  }

  async #transaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      await work(client);
      await client.query('commit');
      client.release();
    } catch (error) {
      client.release(true);
      throw error;
    }
  }
}

async function currentSchema(config: pg.ClientConfig): Promise<string> {
  const client = new pg.Client(config);
  await client.connect();
  try {
    const { rows } = await client.query<{ schema: string }>('select current_schema() as schema');
    return rows[0]?.schema ?? 'public';
  } finally {
    await client.end();
  }
}

async function insertInto(client: pg.PoolClient, table: AreaTable, rows: readonly object[]): Promise<void> {
  if (rows.length > 0) await client.query(insertRows(table.name, table.name, table.onConflict), [JSON.stringify(rows)]);
}
