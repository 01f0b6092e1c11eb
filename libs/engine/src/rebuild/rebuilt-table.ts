import { storedRows, type AreaTable, type Row, type RowMerge, type SqlReader } from '@laurel/kernel';
import type pg from 'pg';
import { insertRows } from '../storage/postgres-tables.ts';
import { copyIn } from './copy-in.ts';
import { readColumns, type Column } from '../storage/table-columns.ts';
import { CopyText } from './copy-text.ts';
import { HeldRows } from './held-rows.ts';

/**
 * A table that a rebuild fills. It has no keys at first, and rows go into it by COPY: those that are only appended with each chunk,
 * those that merge once they are {@link complete}. {@link spill} ends that early; from then on what merges does so in the table.
 */
export class RebuiltTable {
  readonly name: string;
  readonly #table: AreaTable;
  readonly #columns: readonly Column[];
  /** SQL that makes the keys which the table does not have yet. */
  #missingKeys: readonly string[];
  readonly #held: HeldRows | null;
  readonly #waiting: CopyText;
  #removed: Row[] = [];
  /** The last row of an event, with which the next one may merge. */
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

  /** Takes an empty table that has its keys, and removes them. */
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

  /** About what the rows take in memory that wait to be merged with later ones. */
  get heldBytes(): number {
    return this.#held?.bytes ?? 0;
  }

  /** Whether it has to {@link spill} before anybody reads it: something waits, or what was {@link put} may be put again. */
  get mustSpill(): boolean {
    const waits = this.heldBytes > 0 || this.#last !== null || !this.#waiting.isEmpty;
    return waits || (this.#wasPut && !this.hasKeys);
  }

  get hasKeys(): boolean {
    return this.#missingKeys.length === 0;
  }

  /** Takes rows of whole events, as their areas made them; {@link write} writes them. */
  add(rows: readonly Row[]): void {
    const { merge } = this.#table;
    if (this.#held !== null) this.#held.add(rows);
    else if (merge?.withinEvent === undefined) for (const row of rows) this.#append(row);
    else for (const row of rows) this.#join(row, merge.withinEvent, merge);
  }

  /** Takes rows that replace those on their keys. Until somebody reads them back no two may fall on one key. */
  put(rows: readonly Row[]): void {
    this.#wasPut = true;
    if (this.hasKeys) this.add(rows);
    else for (const row of rows) this.#append(row);
  }

  /** The rows of one event come one behind the other. */
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

  /** Takes rows away, by the columns of `AreaTable.replacedBy`, before those that are added from now on. Only of a table that merges. */
  remove(rows: readonly Row[]): void {
    for (const row of rows) this.#held?.remove(row);
    // Without keys nothing is in the table yet.
    if (this.hasKeys) this.#removed.push(...rows);
  }

  /** The row on this key that waits to be merged with later ones. */
  held(key: string): Row | undefined {
    return this.#held?.get(key);
  }

  /** Writes what need not wait. */
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

  /** Writes everything that is held, and makes the keys. */
  async spill(client: pg.ClientBase): Promise<void> {
    await this.write(client);
    const rows = this.#held?.take() ?? [];
    if (this.hasKeys) {
      await this.#delete(client);
      return this.#upsert(client, rows);
    }
    // From here on what is looked for, or is to go, may be in the table.
    const keys = this.#missingKeys;
    this.#missingKeys = [];
    for (const row of rows) this.#append(row);
    await this.#copy(client);
    for (const text of keys) {
      // The types of the driver leave the limit of a single statement out.
      const statement = { text, query_timeout: LONGEST_KEY_MS };
      await client.query(statement);
    }
  }

  async #copy(client: pg.ClientBase): Promise<void> {
    if (this.#waiting.isEmpty) return;
    const columns = this.#columns.map(({ name }) => `"${name}"`).join(', ');
    await copyIn(client, `copy ${this.name} (${columns}) from stdin`, this.#waiting.take());
  }

  /** In slices: one statement with all the rows of a large chunk would be one string too long. */
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

/** Keys are constraints, and indexes that belong to none. */
const KEYS = `
select format('alter table %s drop constraint %I', conrelid::regclass, conname) as remove,
  format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make
from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u', 'x')
union all
select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
from pg_index where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`;
