import { formatInstant } from '@laurel/calendar';
import {
  tablesOf,
  type AreaName,
  type AreaTable,
  type Migration,
  type Row,
  type Rows,
  type SqlReader,
} from '@laurel/kernel';
import type { LogSessionConfig } from '@laurel/event-store';
import type { Checkpoint, EncodedChange } from '../storage/batch-store.ts';
import { userKey, type StoredDocument, type UserAreaName, type UserRef } from '../folding/document.ts';
import { DOCUMENTS, readDocuments } from '../storage/postgres-tables.ts';
import { CONNECTIONS, DROP_SCHEMA, REBUILD_SCHEMA, RebuildConnections } from './rebuild-connections.ts';
import type { RebuildStore } from './rebuild-store.ts';
import {
  comparedRows,
  differing,
  firstDifferenceIn,
  inOrder,
  type DifferingRow,
  type RebuildComparison,
} from './rebuild-comparison.ts';
import { RebuiltTable } from './rebuilt-table.ts';
import { TAKEN_OVER, TakeOver, type TakeOverOptions } from './take-over.ts';

export interface PostgresRebuildOptions extends TakeOverOptions {
  readonly config: LogSessionConfig;
  /** Creates the tables of the read models by their bare names. */
  readonly migrations: readonly Migration[];
  /** SQL of each area's column of `user_states` that is equal for equal states; absent: the column. */
  readonly states: ReadonlyMap<UserAreaName, string>;
  /** How much of rows that merge with later ones may wait in memory for the end, about. */
  readonly heldBytes: number;
}

/** Of one table. */
const LONGEST_COMPARISON_MS = 60 * 60_000;

/**
 * Rebuilds read models in a separate schema that precedes the live one in the search path, so the same statements write
 * and read them. They take over by moving whole tables. If not all areas of `user_states` are rebuilt, only the columns
 * of the rebuilt areas are copied.
 *
 * Rows are copied into tables without keys. Documents, standings and counters wait until the end, and are written once.
 * If too much waits, the largest table gets its keys early, and is written chunk by chunk from then on.
 */
export class PostgresRebuildStore implements RebuildStore {
  readonly #options: PostgresRebuildOptions;
  readonly #connections: RebuildConnections;
  #tables: ReadonlyMap<string, RebuiltTable> = new Map();
  /** The last write. Whatever depends on it waits for it. */
  #writing: Promise<unknown> = Promise.resolve();
  /** Whether all rows must be in the tables, and the tables have their keys. */
  #isPrepared = false;

  private constructor(options: PostgresRebuildOptions, connections: RebuildConnections) {
    this.#options = options;
    this.#connections = connections;
  }

  /** Begins with empty tables. Drops what an earlier rebuild left behind. */
  static async open(options: PostgresRebuildOptions): Promise<PostgresRebuildStore> {
    const store = new PostgresRebuildStore(options, await RebuildConnections.open(options.config));
    try {
      await store.#begin();
      return store;
    } catch (error) {
      await store.close().catch(() => undefined);
      throw error;
    }
  }

  /** Reads the rebuilt rows of an area. Writes the area's waiting rows first, so call it rarely. */
  readerOf(area: AreaName): SqlReader {
    const tables = (this.#options.tables.get(area) ?? []).map(({ name }) => this.#table(name));
    return {
      query: (sql, parameters) =>
        this.#inTurn(async () => {
          await this.#spill(tables.filter(({ mustSpill }) => mustSpill));
          return this.#connections.query(sql, parameters);
        }),
    };
  }

  async loadDocuments(users: readonly UserRef[]): Promise<ReadonlyMap<string, StoredDocument>> {
    const documents = this.#table(DOCUMENTS.name);
    if (!documents.hasKeys) return heldDocuments(documents, users);
    return this.#inTurn(async () => {
      const stored = await readDocuments(this.#connections, users);
      return new Map([...stored, ...heldDocuments(documents, users)]);
    });
  }

  remove(rows: Rows): void {
    for (const [name, gone] of rows) this.#table(name).remove(gone);
  }

  add(rows: Rows): void {
    for (const [name, added] of rows) this.#table(name).add(added);
  }

  put(rows: Rows): void {
    for (const [name, added] of rows) this.#table(name).put(added);
  }

  keep(documents: readonly EncodedChange[]): void {
    this.#table(DOCUMENTS.name).add(documents.map(documentRow));
  }

  write(): Promise<void> {
    return this.#inTurn(() =>
      this.#connections.transaction(async (client) => {
        for (const table of this.#tables.values()) await (this.#isPrepared ? table.spill(client) : table.write(client));
        for (let most = this.#tooMuch(); most !== null; most = this.#tooMuch()) await most.spill(client);
      }),
    );
  }

  /** New tables have no statistics, and the first query plans after the take-over would be guesses. */
  prepareTakeOver(): Promise<void> {
    this.#isPrepared = true;
    return this.#inTurn(async () => {
      await this.#spill([...this.#tables.values()]);
      const names = [...this.#tables.keys()].map((name) => `${REBUILD_SCHEMA}.${name}`);
      await this.#connections.query(`analyze ${names.join(', ')}`, []);
    });
  }

  takeOver(head: number, checkpoints: readonly (Checkpoint & { readonly area: AreaName })[]): Promise<void> {
    return new TakeOver(this.#connections, this.#options).run(head, checkpoints);
  }

  async openComparison(areas: readonly AreaName[]): Promise<RebuildComparison> {
    if (!this.#isPrepared) await this.prepareTakeOver();
    const compared = comparedRows(areas, this.#options.tables, this.#options.states);
    const { live } = this.#connections;
    const client = await this.#connections.connect();
    try {
      await client.query('begin isolation level repeatable read read only');
      // The moment is that of the first query.
      await client.query(`select from ${live}.log_head`);
    } catch (error) {
      client.release(true);
      throw error;
    }
    return {
      differences: async () => {
        const found = [];
        for (const rows of compared) {
          const text = differing(rows, live, REBUILD_SCHEMA);
          const statement = { text, query_timeout: LONGEST_COMPARISON_MS };
          found.push(firstDifferenceIn(rows.table, (await client.query<DifferingRow>(statement)).rows) ?? []);
        }
        return inOrder(found.flat());
      },
      close: () => Promise.resolve(client.release(true)),
    };
  }

  async close(): Promise<void> {
    await this.#connections.query(DROP_SCHEMA, []).catch(() => undefined);
    await this.#connections.close();
  }

  async #begin(): Promise<void> {
    await this.#connections.transaction(async (client) => {
      await client.query(`${DROP_SCHEMA}; create schema ${REBUILD_SCHEMA}`);
      for (const { sql } of this.#options.migrations) await client.query(sql);
      await client.query(`create table ${TAKEN_OVER} (at timestamptz not null default now())`);
      const ofAreas = [...this.#options.tables.values()].map((tables) => ({ tables }));
      const tables = [WAITING_DOCUMENTS, ...tablesOf(ofAreas)];
      const opened = [];
      for (const table of tables) opened.push(await RebuiltTable.open(client, table));
      this.#tables = new Map(opened.map((table) => [table.name, table]));
    });
  }

  #table(name: string): RebuiltTable {
    const table = this.#tables.get(name);
    if (table === undefined) throw new Error(`no area has a table ${name}`);
    return table;
  }

  /** The table with the most waiting rows if the limit is exceeded, otherwise null. */
  #tooMuch(): RebuiltTable | null {
    const tables = [...this.#tables.values()].sort((a, b) => b.heldBytes - a.heldBytes);
    const held = tables.reduce((bytes, table) => bytes + table.heldBytes, 0);
    return held > this.#options.heldBytes ? (tables[0] ?? null) : null;
  }

  /**
   * Spills these tables on all connections. No task waits in the pool for a connection: an index over a large table
   * would exceed the pool's timeout.
   */
  async #spill(tables: readonly RebuiltTable[]): Promise<void> {
    // All workers share this iterator: each takes the next table.
    const next = tables.values();
    const spillOneByOne = async (): Promise<void> => {
      for (const table of next) await this.#connections.transaction((client) => table.spill(client));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, spillOneByOne));
  }

  /**
   * Runs one task at a time. A write removes rows from memory before the tables have them, so no read may run in
   * between.
   */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#writing.then(work);
    this.#writing = turn.catch(() => undefined);
    return turn;
  }
}

/** The waiting documents, only the latest of each user; {@link documentRow} makes the rows. */
const WAITING_DOCUMENTS: AreaTable = {
  ...DOCUMENTS,
  merge: {
    keyOf: (row) => userKey(row as Row & EncodedChange),
    combine: (_earlier, later) => later,
    bytesOf: (row) => 2 * (row as Row & EncodedChange).document.length,
  },
  stored(row) {
    const { account, subject, document, dueAt } = row as Row & EncodedChange;
    const due_at = dueAt === null ? null : formatInstant(dueAt);
    return { account, subject, ...(JSON.parse(document) as StoredDocument), due_at };
  },
};

const documentRow = (change: EncodedChange): Row => ({ ...change });

const heldDocuments = (documents: RebuiltTable, users: readonly UserRef[]): ReadonlyMap<string, StoredDocument> =>
  new Map(
    users.flatMap((user) => {
      const row = documents.held(userKey(user));
      if (row === undefined) return [];
      return [[userKey(user), JSON.parse((row as Row & EncodedChange).document) as StoredDocument] as const];
    }),
  );
