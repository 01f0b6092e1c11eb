import type { Row, RowMerge } from '@laurel/contracts';

/** Rows of a table that wait to be written, those on one key merged. */
export class HeldRows {
  readonly #merge: RowMerge;
  #rows = new Map<string, Row>();
  #bytes = 0;

  constructor(merge: RowMerge) {
    this.#merge = merge;
  }

  /** About what they take in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  add(rows: readonly Row[]): void {
    const { keyOf, combine } = this.#merge;
    for (const row of rows) {
      const key = keyOf(row);
      const earlier = this.#rows.get(key);
      const kept = earlier === undefined ? row : combine(earlier, row);
      this.#bytes += bytesOf(kept) - (earlier === undefined ? -bytesOf(key) : bytesOf(earlier));
      this.#rows.set(key, kept);
    }
  }

  get(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  /** All of them; from now on they are the caller's. */
  take(): readonly Row[] {
    const rows = [...this.#rows.values()];
    this.#rows = new Map();
    this.#bytes = 0;
    return rows;
  }
}

/** A property with a short value, or an entry of a map. */
const ENTRY_BYTES = 16;

function bytesOf(value: unknown): number {
  if (typeof value === 'string') return ENTRY_BYTES + value.length;
  if (typeof value !== 'object' || value === null) return ENTRY_BYTES;
  let bytes = ENTRY_BYTES;
  for (const key in value) bytes += ENTRY_BYTES + bytesOf((value as Readonly<Record<string, unknown>>)[key]);
  return bytes;
}
