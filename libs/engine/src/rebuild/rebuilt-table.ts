import { storedRows, type AreaTable, type Row, type RowMerge, type SqlReader } from '@laurel/kernel';
import type pg from 'pg';
import { insertRows } from '../storage/postgres-tables.ts';
import { copyIn } from './copy-in.ts';
import { readColumns, type Column } from '../storage/table-columns.ts';
import { CopyText } from './copy-text.ts';
import { HeldRows } from './held-rows.ts';

/**
 * A table that a rebuild fills by COPY; it has no keys at first. Rows that are only appended are written with each
 * chunk, rows that merge once they are {@link complete}. {@link spill} ends that early: it writes all rows and creates
 * the keys, and later rows merge in the table.
 */
export class RebuiltTable {
  readonly name: string;
  readonly #table: AreaTable;
  readonly #columns: readonly Column[];
  /** SQL that creates the keys the table does not have yet. */
  #missingKeys: readonly string[];
  readonly #held: HeldRows | null;
  readonly #waiting: CopyText;
  #removed: Row[] = [];
  /** The last row of an event; the next row may merge with it. */
  #last: Row | null = null;
  #wasPut = false;

  private constructor(table: AreaTable, columns: readonly Column[], keys: readonly string[]) {
    this.name = table.name;
    this.#table = table;
    this.#columns = columns;
    this.#missingKeys = keys;
    this.#held = table.merge === undefined || table.merge.withinEvent ? null : new HeldRows(table.merge);
    this.#waiting = new CopyText(columns);
  }

  /** Takes an empty table with keys, and drops the keys. */
  static async open(client: pg.ClientBase, table: AreaTable): Promise<RebuiltTable> {
    const columns = await readColumns(readerOn(client), [table.name]);
    const { rows: keys } = await client.query<{ remove: string; make: string }>(KEYS, [table.name]);
    for (const { remove } of keys) await client.query(remove);
    return new RebuiltTable(
      table,
      columns.get(table.name) ?? [],
      keys.map(({ make }) => make),
    );
  }

  /** Approximate size of the rows that wait in memory to be merged. */
  get heldBytes(): number {
    return this.#held?.bytes ?? 0;
  }

  /**
   * Whether {@link spill} must run before anybody reads the table: rows wait, or rows that were {@link put} may be put
   * again.
   */
  get mustSpill(): boolean {
    const waits = this.heldBytes > 0 || this.#last !== null || !this.#waiting.isEmpty;
    return waits || (this.#wasPut && !this.hasKeys);
  }

  get hasKeys(): boolean {
    return this.#missingKeys.length === 0;
  }

  /** Takes all rows of one or more events, as areas made them; {@link write} writes them. */
  add(rows: readonly Row[]): void {
    const { merge } = this.#table;
    if (this.#held !== null) this.#held.add(rows);
    else if (merge?.withinEvent === undefined) for (const row of rows) this.#append(row);
    else for (const row of rows) this.#join(row, merge.withinEvent, merge);
  }

  /**
   * Takes rows that replace the rows with the same keys. Until the table is read, no two of them may have the same key.
   */
  put(rows: readonly Row[]): void {
    this.#wasPut = true;
    if (this.hasKeys) this.add(rows);
    else for (const row of rows) this.#append(row);
  }

  /** Merges with the previous row; rows of one event are adjacent. */
  #join(row: Row, areOne: (earlier: Row, later: Row) => boolean, { absorb, combine }: RowMerge): void {
    if (this.#last === null || !areOne(this.#last, row)) {
      if (this.#last !== null) this.#append(this.#last);
      this.#last = row;
    } else if (absorb !== undefined) absorb(this.#last, row);
    else this.#last = combine(this.#last, row);
  }

  #append(row: Row): void {
    const { stored } = this.#table;
    this.#waiting.add(stored === undefined ? row : stored(row));
  }

  /**
   * Removes rows, by the columns of `AreaTable.replacedBy`, before the rows that are added from now on. Only for tables
   * that merge.
   */
  remove(rows: readonly Row[]): void {
    for (const row of rows) this.#held?.remove(row);
    // A table without keys is still empty.
    if (this.hasKeys) this.#removed.push(...rows);
  }

  /** The row with this key that waits to be merged with later ones. */
  held(key: string): Row | undefined {
    return this.#held?.get(key);
  }

  /** Writes the rows that need not wait. */
  async write(client: pg.ClientBase): Promise<void> {
    if (this.#last !== null) this.#append(this.#last);
    this.#last = null;
    await this.#copy(client);
  }

  async #delete(client: pg.ClientBase): Promise<void> {
    const gone = this.#removed;
    this.#removed = [];
    if (gone.length === 0) return;
    const { replacedBy = [] } = this.#table;
    const isNamed = replacedBy.map((column) => `t.${column} = r.${column}`).join(' and ');
    await client.query(
      `delete from ${this.name} t using json_populate_recordset(null::${this.name}, $1::json) r where ${isNamed}`,
      [JSON.stringify(gone)],
    );
  }

  /** Writes all waiting rows, and creates the keys. */
  async spill(client: pg.ClientBase): Promise<void> {
    await this.write(client);
    const rows = this.#held?.take() ?? [];
    if (this.hasKeys) {
      await this.#delete(client);
      return this.#upsert(client, rows);
    }
    // From now on, rows to find or to remove may be in the table.
    const keys = this.#missingKeys;
    this.#missingKeys = [];
    for (const row of rows) this.#append(row);
    await this.#copy(client);
    for (const text of keys) {
      // The driver's types leave out the timeout of a single statement.
      const statement = { text, query_timeout: LONGEST_KEY_MS };
      await client.query(statement);
    }
  }

  async #copy(client: pg.ClientBase): Promise<void> {
    if (this.#waiting.isEmpty) return;
    const columns = this.#columns.map(({ name }) => `"${name}"`).join(', ');
    await copyIn(client, `copy ${this.name} (${columns}) from stdin`, this.#waiting.take());
  }

  /**
   * Writes slices, because one statement with all rows of a large chunk would exceed the maximum length of a string.
   */
  async #upsert(client: pg.ClientBase, rows: readonly Row[]): Promise<void> {
    const statement = insertRows(this.name, this.name, this.#table.onConflict);
    for (let start = 0; start < rows.length; start += ROWS_AT_A_TIME)
      await client.query(statement, [
        JSON.stringify(storedRows(this.#table, rows.slice(start, start + ROWS_AT_A_TIME))),
      ]);
  }
}

const ROWS_AT_A_TIME = 20_000;
const LONGEST_KEY_MS = 60 * 60_000;

const readerOn = (client: pg.ClientBase): SqlReader => ({
  query: async <R extends object>(text: string, values: readonly unknown[]) =>
    (await client.query<R>(text, [...values])).rows,
});

/** The keys of a table: constraints, and indexes that belong to no constraint. */
const KEYS = `
select format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
  format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u', 'x')
union all
select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
from pg_index where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`;
