import { tablesOf, type AreaName, type AreaTable } from '@laurel/kernel';
import { EFFECTS_TABLE, effectColumnsOf, isAnswerOfServer } from '@laurel/ports';
import { FencedError } from '@laurel/event-store';
import type pg from 'pg';
import { USER_AREA_NAMES } from '../folding/document.ts';
import type { Checkpoint } from '../storage/batch-store.ts';
import { CHECKPOINTS, DOCUMENTS, checkpointRow, insertRows } from '../storage/postgres-tables.ts';
import { LONGEST_STATEMENT_MS, REBUILD_SCHEMA, type RebuildConnections } from './rebuild-connections.ts';
import { TablesInUseError, TakeOverUnknownError } from './rebuild-store.ts';

export interface TakeOverOptions {
  /** The writer under whose epoch the read models take over. */
  readonly epoch: number;
  /** The tables of each area. */
  readonly tables: ReadonlyMap<AreaName, readonly AreaTable[]>;
  /** Tables that triggers of `user_states` fill. They are dropped with it, and their owner creates them again. */
  readonly derived: readonly string[];
  /** The time limit of one statement, in milliseconds. Default: a minute, because the queue is held meanwhile. */
  readonly longestTakeOverMs?: number;
}

/** Columns of some areas in a table that areas share. */
interface SharedColumns {
  readonly table: string;
  readonly key: readonly string[];
  /** Further columns that a new row needs. */
  readonly given: readonly string[];
  readonly columns: readonly string[];
}

const LONGEST_TAKE_OVER_MS = 60_000;
const ATTEMPTS = 5;
const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK_DETECTED = '40P01';

/** A table in the schema of a rebuild in which a take-over leaves its mark. */
export const TAKEN_OVER = `${REBUILD_SCHEMA}.taken_over`;

/** Moves the tables and columns of areas from the schema of a rebuild to where the live ones are. */
export class TakeOver {
  readonly #connections: RebuildConnections;
  readonly #options: TakeOverOptions;
  readonly #longestMs: number;

  constructor(connections: RebuildConnections, options: TakeOverOptions) {
    this.#connections = connections;
    this.#options = options;
    this.#longestMs = options.longestTakeOverMs ?? LONGEST_TAKE_OVER_MS;
  }

  /** See `RebuildStore.takeOver`. */
  async run(head: number, checkpoints: readonly (Checkpoint & { readonly area: AreaName })[]): Promise<void> {
    const areas = checkpoints.map(({ area }) => area);
    try {
      await this.#connections.transaction(async (client) => {
        await this.#lock(client, head, areas);
        await this.#move(client, areas);
        const into = `${this.#connections.live}.${CHECKPOINTS.name}`;
        const rows = JSON.stringify(checkpoints.map(checkpointRow));
        await client.query(insertRows(into, CHECKPOINTS.name, CHECKPOINTS.onConflict), [rows]);
        await client.query(`insert into ${TAKEN_OVER} default values`);
      });
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      if (code === LOCK_NOT_AVAILABLE || code === DEADLOCK_DETECTED)
        throw new TablesInUseError('other sessions hold the tables of the read models', { cause: error });
      if (isAnswerOfServer(error) || error instanceof FencedError) throw error;
      if (!(await this.#hasTakenOver(areas, error))) throw error;
    }
  }

  async #lock(client: pg.PoolClient, head: number, areas: readonly AreaName[]): Promise<void> {
    const { live } = this.#connections;
    await client.query(
      `set local synchronous_commit to on; set local lock_timeout to '1s'; set local statement_timeout to ${this.#longestMs}`,
    );
    // Locks all tables in one statement and in order of name, as readers of several tables do, to avoid a deadlock.
    const locked = [...this.#movedTables(areas), ...sharedColumns(areas).map(({ table }) => table)].sort();
    if (locked.length > 0) await client.query(`lock table ${locked.map((table) => `${live}.${table}`).join(', ')}`);
    const { rows } = await client.query('select from log_head where epoch = $1 and position = $2 for update', [
      this.#options.epoch,
      head,
    ]);
    if (rows.length === 0) throw new FencedError();
  }

  async #move(client: pg.PoolClient, areas: readonly AreaName[]): Promise<void> {
    const { live } = this.#connections;
    const moved = this.#movedTables(areas);
    for (const table of moved)
      await client.query(`drop table ${live}.${table}; alter table ${REBUILD_SCHEMA}.${table} set schema ${live}`);
    if (moved.includes(DOCUMENTS.name))
      for (const table of this.#options.derived) await client.query(`drop table if exists ${live}.${table}`);
    for (const columns of sharedColumns(areas)) await this.#moveColumns(client, columns);
    await client.query(`delete from ${live}.area_inbox where area = any($1)`, [areas]);
    await client.query(`delete from ${live}.due_marks`);
  }

  /** The tables that are moved whole, in order of name. The shared tables are among them if `areas` has every user area. */
  #movedTables(areas: readonly AreaName[]): readonly string[] {
    const owned = tablesOf(areas.map((area) => ({ tables: this.#options.tables.get(area) ?? [] })));
    const own = owned.map(({ name }) => name).filter((name) => name !== EFFECTS_TABLE);
    return [...own, ...(ownsAllColumns(areas) ? [DOCUMENTS.name, EFFECTS_TABLE] : [])].sort();
  }

  /**
   * Makes the live columns equal to the rebuilt ones, and clears those of rows that the rebuild lacks. Only rows that differ are written or
   * locked, because the queue is held meanwhile and most rows are equal.
   */
  async #moveColumns(client: pg.PoolClient, { table, key, given, columns }: SharedColumns): Promise<void> {
    const [live, rebuilt] = [`${this.#connections.live}.${table}`, `${REBUILD_SCHEMA}.${table}`];
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
      // The server's limit is shorter, so that its answer says whether the statement was carried out.
      const limited = { text, query_timeout: this.#longestMs + LONGEST_STATEMENT_MS };
      await client.query(limited);
    }
  }

  /**
   * Finds out whether a commit whose answer was lost took effect. The lock on the head of the log waits until the server has ended that
   * transaction; after that its mark is either there or will never be.
   */
  async #hasTakenOver(areas: readonly AreaName[], cause: unknown): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        return await this.#connections.transaction(async (client) => {
          await client.query('set local lock_timeout to 0; select from log_head for update');
          const { rows } = await client.query(`select from ${TAKEN_OVER}`);
          return rows.length > 0;
        });
      } catch (error) {
        if (isAnswerOfServer(error)) break;
      }
    }
    throw new TakeOverUnknownError(`it is not known whether the rebuilt ${areas.join(', ')} have taken over`, {
      cause,
    });
  }
}

/** The areas' columns of the tables that all user areas share; none if the whole tables are moved. */
function sharedColumns(areas: readonly AreaName[]): readonly SharedColumns[] {
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

const ownsAllColumns = (areas: readonly AreaName[]): boolean => USER_AREA_NAMES.every((area) => areas.includes(area));
