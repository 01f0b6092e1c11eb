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
import { EFFECTS_TABLE, effectColumnsOf, isAnswerOfServer } from '@laurel/ports';
import { FencedError, type LogSessionConfig } from '@laurel/event-store';
import pg from 'pg';
import type { Checkpoint, EncodedChange } from '../storage/batch-store.ts';
import { USER_AREA_NAMES, userKey, type StoredDocument, type UserAreaName, type UserRef } from '../folding/document.ts';
import { CHECKPOINTS, DOCUMENTS, checkpointRow, insertRows, readDocuments } from '../storage/postgres-tables.ts';
import { TablesInUseError, TakeOverUnknownError, type RebuildStore } from './rebuild-store.ts';
import {
  comparedRows,
  differing,
  firstDifferenceIn,
  inOrder,
  type DifferingRow,
  type RebuildComparison,
} from './rebuild-comparison.ts';
import { RebuiltTable } from './rebuilt-table.ts';

/** The schema that holds the read models of a rebuild until they take over. */
const SCHEMA = 'laurel_rebuild';
const CONNECTIONS = 3;

export interface PostgresRebuildOptions {
  readonly config: LogSessionConfig;
  /** The writer under whose epoch the read models take over. */
  readonly epoch: number;
  /** Creates the tables of the read models by their bare names. */
  readonly migrations: readonly Migration[];
  /** The tables of each area. */
  readonly tables: ReadonlyMap<AreaName, readonly AreaTable[]>;
  /** SQL of each area's column of `user_states` that is equal for equal states; absent: the column. */
  readonly states: ReadonlyMap<UserAreaName, string>;
  /** Tables that triggers of `user_states` fill, where there are any: they go with it, and whoever made them makes them anew. */
  readonly derived: readonly string[];
  /** How much of rows that merge with later ones may wait in memory for the end, about. */
  readonly heldBytes: number;
  /** Of one statement of the take-over; absent: a minute, because the queue is held meanwhile. */
  readonly longestTakeOverMs?: number;
}

/**
 * Read models in a schema of their own, which stands before the live one in the search path: so the same statements
 * write and read them. They take over by moving whole tables; of `user_states`, which belongs to several areas, the
 * columns of the areas in question.
 *
 * Rows are copied into tables without keys. Documents, standings and counters wait for the end, where each is written once. If too
 * much waits, the largest table gets its keys early, and is written chunk by chunk from then on.
 */
export class PostgresRebuildStore implements RebuildStore {
  readonly #options: PostgresRebuildOptions;
  readonly #pool: pg.Pool;
  readonly #live: string;
  #tables: ReadonlyMap<string, RebuiltTable> = new Map();
  /** What was written last; whatever depends on it waits. */
  #writing: Promise<unknown> = Promise.resolve();
  /** Whether everything that was written is to be in the tables, with their keys. */
  #isPrepared = false;

  private constructor(options: PostgresRebuildOptions, pool: pg.Pool, live: string) {
    this.#options = options;
    this.#pool = pool;
    this.#live = live;
  }

  /** Begins with empty tables; what an earlier rebuild has left behind goes. */
  static async open(options: PostgresRebuildOptions): Promise<PostgresRebuildStore> {
    const live = await liveSchema(options.config);
    const config: LogSessionConfig & pg.PoolConfig = {
      ...options.config,
      application_name: 'laurel-rebuild',
      max: CONNECTIONS,
      // Nobody waits for a rebuild, and the server may be busy.
      connectionTimeoutMillis: 30_000,
      query_timeout: LONGEST_STATEMENT_MS,
      keepAlive: true,
      // What is lost of it with the server is rebuilt; the commit that takes over makes all before it durable.
      session: {
        ...options.config.session,
        ...{ search_path: `${SCHEMA},${live}`, synchronous_commit: 'off', lock_timeout: '5s' },
      },
    };
    const pool = new pg.Pool(config);
    pool.on('error', () => undefined);
    // While a statement holds a connection, the pool does not listen.
    pool.on('connect', (client) => client.on('error', () => undefined));
    const store = new PostgresRebuildStore(options, pool, live);
    try {
      await store.#begin();
      return store;
    } catch (error) {
      await store.close().catch(() => undefined);
      throw error;
    }
  }

  /** Reads what was written of an area. What waits of it is written before, so this had better be rare. */
  readerOf(area: AreaName): SqlReader {
    const tables = (this.#options.tables.get(area) ?? []).map(({ name }) => this.#table(name));
    return {
      query: (sql, parameters) =>
        this.#inTurn(async () => {
          await this.#spill(tables.filter(({ mustSpill }) => mustSpill));
          return (await this.#pool.query(sql, [...parameters])).rows;
        }),
    };
  }

  async loadDocuments(users: readonly UserRef[]): Promise<ReadonlyMap<string, StoredDocument>> {
    const documents = this.#table(DOCUMENTS.name);
    if (!documents.hasKeys) return heldDocuments(documents, users);
    return this.#inTurn(async () => {
      const stored = await readDocuments(
        { query: async (sql, of) => (await this.#pool.query(sql, [...of])).rows },
        users,
      );
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
      this.#transaction(async (client) => {
        for (const table of this.#tables.values()) await (this.#isPrepared ? table.spill(client) : table.write(client));
        for (let most = this.#tooMuch(); most !== null; most = this.#tooMuch()) await most.spill(client);
      }),
    );
  }

  /** Fresh tables have no statistics, and the first plans after the take-over would be guesses. */
  prepareTakeOver(): Promise<void> {
    this.#isPrepared = true;
    return this.#inTurn(async () => {
      await this.#spill([...this.#tables.values()]);
      await this.#pool.query(`analyze ${[...this.#tables.keys()].map((name) => `${SCHEMA}.${name}`).join(', ')}`);
    });
  }

  async takeOver(head: number, checkpoints: readonly (Checkpoint & { readonly area: AreaName })[]): Promise<void> {
    const areas = checkpoints.map(({ area }) => area);
    const moved = this.#movedTables(areas);
    const shared = this.#sharedColumns(areas);
    try {
      await this.#transaction((client) => this.#takeOver(client, head, checkpoints, moved, shared));
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED)
        throw new TablesInUseError('other sessions hold the tables of the read models', { cause: error });
      if (isAnswerOfServer(error) || error instanceof FencedError) throw error;
      if (!(await this.#hasTakenOver(areas, error))) throw error;
    }
  }

  async #takeOver(
    client: pg.PoolClient,
    head: number,
    checkpoints: readonly (Checkpoint & { readonly area: AreaName })[],
    moved: readonly string[],
    shared: readonly SharedColumns[],
  ): Promise<void> {
    const areas = checkpoints.map(({ area }) => area);
    const { longestTakeOverMs = LONGEST_TAKE_OVER_MS } = this.#options;
    await client.query(
      `set local synchronous_commit to on; set local lock_timeout to '1s'; set local statement_timeout to ${longestTakeOverMs}`,
    );
    // All at once and in one order, as everybody does who reads several: else two could wait for each other.
    const locked = [...moved, ...shared.map(({ table }) => table)].sort();
    if (locked.length > 0)
      await client.query(`lock table ${locked.map((table) => `${this.#live}.${table}`).join(', ')}`);
    const { rows } = await client.query('select from log_head where epoch = $1 and position = $2 for update', [
      this.#options.epoch,
      head,
    ]);
    if (rows.length === 0) throw new FencedError();
    for (const table of moved) await client.query(this.#move(table));
    if (moved.includes(DOCUMENTS.name))
      for (const table of this.#options.derived) await client.query(`drop table if exists ${this.#live}.${table}`);
    for (const columns of shared) await this.#moveColumns(client, columns);
    await client.query(insertRows(`${this.#live}.${CHECKPOINTS.name}`, CHECKPOINTS.name, CHECKPOINTS.onConflict), [
      JSON.stringify(checkpoints.map(checkpointRow)),
    ]);
    await client.query(`delete from ${this.#live}.area_inbox where area = any($1)`, [areas]);
    await client.query(`delete from ${this.#live}.due_marks`);
    await client.query(`insert into ${SCHEMA}.taken_over default values`);
  }

  /**
   * The answer to a commit was lost. The lock on the head of the log waits until the server has ended that transaction; then
   * the mark that it left is there, or never will be.
   */
  async #hasTakenOver(areas: readonly AreaName[], cause: unknown): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return await this.#transaction(async (client) => {
          await client.query('set local lock_timeout to 0; select from log_head for update');
          const { rows } = await client.query(`select from ${SCHEMA}.taken_over`);
          return rows.length > 0;
        });
      } catch (error) {
        if (isAnswerOfServer(error)) break;
      }
    }
    throw new TakeOverUnknownError(`whether what was rebuilt of ${areas.join(', ')} has taken over is not known`, {
      cause,
    });
  }

  async openComparison(areas: readonly AreaName[]): Promise<RebuildComparison> {
    if (!this.#isPrepared) await this.prepareTakeOver();
    const compared = comparedRows(areas, this.#options.tables, this.#options.states);
    const client = await this.#pool.connect();
    try {
      await client.query('begin isolation level repeatable read read only');
      // The moment is that of the first query.
      await client.query(`select from ${this.#live}.log_head`);
    } catch (error) {
      client.release(true);
      throw error;
    }
    return {
      differences: async () => {
        const found = [];
        for (const rows of compared) {
          const text = differing(rows, this.#live, SCHEMA);
          const statement = { text, query_timeout: LONGEST_COMPARISON_MS };
          found.push(firstDifferenceIn(rows.table, (await client.query<DifferingRow>(statement)).rows) ?? []);
        }
        return inOrder(found.flat());
      },
      close: () => Promise.resolve(client.release(true)),
    };
  }

  async close(): Promise<void> {
    await this.#pool.query(DROP_SCHEMA).catch(() => undefined);
    await this.#pool.end();
  }

  async #begin(): Promise<void> {
    await this.#transaction(async (client) => {
      await client.query(`${DROP_SCHEMA}; create schema ${SCHEMA}`);
      for (const { sql } of this.#options.migrations) await client.query(sql);
      await client.query(`create table ${SCHEMA}.taken_over (at timestamptz not null default now())`);
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

  /** The table of which most waits, if more waits of all than may. */
  #tooMuch(): RebuiltTable | null {
    const tables = [...this.#tables.values()].sort((a, b) => b.heldBytes - a.heldBytes);
    const held = tables.reduce((bytes, table) => bytes + table.heldBytes, 0);
    return held > this.#options.heldBytes ? (tables[0] ?? null) : null;
  }

  /** On all connections. None waits in the pool for another, whose index over a large table takes longer than the pool lets it wait. */
  async #spill(tables: readonly RebuiltTable[]): Promise<void> {
    // One iterator for all: each takes the next table.
    const next = tables.values();
    const spillOneByOne = async (): Promise<void> => {
      for (const table of next) await this.#transaction((client) => table.spill(client));
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, spillOneByOne));
  }

  /** A write takes rows out of memory before the tables have them, so no read may run in between. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#writing.then(work);
    this.#writing = turn.catch(() => undefined);
    return turn;
  }

  #move(table: string): string {
    return `drop table ${this.#live}.${table}; alter table ${SCHEMA}.${table} set schema ${this.#live}`;
  }

  /** Whole tables that the areas own; those of all user areas too if they are all of them. By name: that is the order of locking. */
  #movedTables(areas: readonly AreaName[]): readonly string[] {
    const owned = tablesOf(areas.map((area) => ({ tables: this.#options.tables.get(area) ?? [] })));
    const own = owned.map(({ name }) => name).filter((name) => name !== EFFECTS_TABLE);
    return [...own, ...(ownsAllColumns(areas) ? [DOCUMENTS.name, EFFECTS_TABLE] : [])].sort();
  }

  /** The areas' columns of the tables that all user areas share; none if the whole tables are moved. */
  #sharedColumns(areas: readonly AreaName[]): readonly SharedColumns[] {
    const own = USER_AREA_NAMES.filter((area) => areas.includes(area));
    if (own.length === 0 || ownsAllColumns(areas)) return [];
    const effects = own.flatMap((area) => effectColumnsOf(area));
    return [
      { table: DOCUMENTS.name, key: ['account', 'subject'], given: [], columns: own },
      ...(effects.length > 0
        ? [{ table: EFFECTS_TABLE, key: ['subject', 'position'], given: ['occurred_at'], columns: effects }]
        : []),
    ];
  }

  /**
   * What the rebuild does not have is not kept either. Only rows that differ are written or locked: the queue is held meanwhile, and most
   * rows are the same.
   */
  async #moveColumns(client: pg.PoolClient, { table, key, given, columns }: SharedColumns): Promise<void> {
    const { longestTakeOverMs = LONGEST_TAKE_OVER_MS } = this.#options;
    const [live, rebuilt] = [`${this.#live}.${table}`, `${SCHEMA}.${table}`];
    const inserted = [...key, ...given, ...columns].join(', ');
    const of = (name: string) => columns.map((column) => `${name}.${column}`).join(', ');
    const isSame = key.map((column) => `r.${column} = live.${column}`).join(' and ');
    for (const text of [
      `update ${live} live set ${columns.map((column) => `${column} = r.${column}`).join(', ')}
       from ${rebuilt} r where ${isSame} and (${of('live')}) is distinct from (${of('r')})`,
      `insert into ${live} (${inserted})
       select ${inserted} from ${rebuilt} r where not exists (select from ${live} live where ${isSame})`,
      `update ${live} live set ${columns.map((column) => `${column} = null`).join(', ')}
       where num_nonnulls(${of('live')}) > 0 and not exists (select from ${rebuilt} r where ${isSame})`,
    ]) {
      // The server's own limit comes first, so that its answer says what became of the statement.
      const limited = { text, query_timeout: longestTakeOverMs + LONGEST_STATEMENT_MS };
      await client.query(limited);
    }
  }

  async #transaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
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
}

/** Columns of some areas in a table that has others of other areas. */
interface SharedColumns {
  readonly table: string;
  readonly key: readonly string[];
  /** Columns that a new row needs besides. */
  readonly given: readonly string[];
  readonly columns: readonly string[];
}

const LONGEST_STATEMENT_MS = 5 * 60_000;
const LONGEST_TAKE_OVER_MS = 60_000;
/** Of one table. */
const LONGEST_COMPARISON_MS = 60 * 60_000;
const ATTEMPTS = 5;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

const ownsAllColumns = (areas: readonly AreaName[]): boolean => USER_AREA_NAMES.every((area) => areas.includes(area));

const DROP_SCHEMA = `drop schema if exists ${SCHEMA} cascade`;

/** Removes what a rebuild left behind that ended with its process. Call it only as the writer of the event store: nobody else rebuilds then. */
export const removeAbandonedRebuild = async (sql: SqlReader): Promise<void> => void (await sql.query(DROP_SCHEMA, []));

/** Where the live tables are, as an identifier. */
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

/** The documents as they wait, the latest of each user; {@link documentRow} makes these rows. */
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
