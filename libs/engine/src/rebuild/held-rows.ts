import type { Row, RowMerge } from '@laurel/kernel';

/** Rows of a table that wait to be written. Rows with the same key are merged. */
export class HeldRows {
  readonly #merge: RowMerge;
  #rows = new Map<string, Row>();
  #bytes = 0;

  constructor(merge: RowMerge) {
    this.#merge = merge;
  }

  /** Approximate size in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Adds rows and takes ownership of them. */
  add(rows: readonly Row[]): void {
    const { keyOf, combine, absorb, bytesOf = none } = this.#merge;
    for (const row of rows) {
      const key = keyOf(row);
      const earlier = this.#rows.get(key);
      if (earlier === undefined) {
        this.#bytes += bytesOf(row) + ROW_BYTES + 2 * key.length;
        this.#rows.set(key, row);
        continue;
      }
      const before = bytesOf(earlier);
      let kept = earlier;
      if (absorb !== undefined) absorb(earlier, row);
      else this.#rows.set(key, (kept = combine(earlier, row)));
      this.#bytes += bytesOf(kept) - before;
    }
  }

  /** Drops the row with the same key, if there is one. */
  remove(row: Row): void {
    const key = this.#merge.keyOf(row);
    const present = this.#rows.get(key);
    if (present === undefined) return;
    this.#bytes -= (this.#merge.bytesOf ?? none)(present) + ROW_BYTES + 2 * key.length;
    this.#rows.delete(key);
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  /** Returns all rows and forgets them; the caller owns them. */
  take(): readonly Row[] {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    this.#bytes = 0;
    return rows;
  }
}

const none = (): number => 0;

/** Size of a row with a few columns, and its entry in a map. */
const ROW_BYTES = 250;
