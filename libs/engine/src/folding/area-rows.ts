import { keyText, mergedRows, type AreaTable, type Row, type Rows } from '@laurel/kernel';

/** The rows that areas add to a batch, by table. */
export class AreaRows {
  readonly #byTable = new Map<string, Row[]>();
  #count = 0;

  /** Number of rows added: the cost of a commit. */
  get count(): number {
    return this.#count;
  }

  add(rows: Rows): void {
    for (const [table, added] of rows) {
      const present = this.#byTable.get(table);
      if (present) for (const row of added) present.push(row);
      else this.#byTable.set(table, [...added]);
      this.#count += added.length;
    }
  }

  /** Drops rows that were added, by the columns of `AreaTable.replacedBy`. */
  remove(tables: readonly AreaTable[], removed: Rows): void {
    for (const { name, replacedBy } of tables) {
      const [present, gone] = [this.#byTable.get(name), removed.get(name)];
      if (replacedBy === undefined || present === undefined || gone === undefined) continue;
      const keys = new Set(gone.map((row) => keyText(replacedBy, row)));
      const kept = present.filter((row) => !keys.has(keyText(replacedBy, row)));
      this.#byTable.set(name, kept);
      this.#count -= present.length - kept.length;
    }
  }

  /**
   * Rows of these tables, with rows of the same key merged.
   * @param partition the partition to put into rows of tables that count per partition. Without it, rows stay as the
   * areas made them.
   */
  merged(tables: readonly AreaTable[], partition?: number): ReadonlyMap<string, readonly Row[]> {
    return new Map(
      tables.map((table) => {
        const rows = this.#of(table.name, partition);
        return [table.name, mergedRows(table, rows)];
      }),
    );
  }

  #of(table: string, partition: number | undefined): readonly Row[] {
    const rows = this.#byTable.get(table) ?? [];
    return partition === undefined ? rows : rows.map((row) => ('partition' in row ? { ...row, partition } : row));
  }
}
