/** A batch of no more rows does not take long because of them. */
const FEWEST_ROWS = 2_000;
/** How the bounds of a batch grow with each that is committed: after one that the store did not take, only slowly. */
const GROWTH = { fast: 2, slow: 1.125 };

/** How much goes into one batch: less after one that the store did not take, then more again up to the most. */
export class BatchLimits {
  #tasks: number;
  #rows: number;
  #growth = GROWTH.fast;
  readonly #maxBatch: number;
  readonly #maxRows: number;

  constructor({ maxBatch, maxRows }: { readonly maxBatch: number; readonly maxRows: number }) {
    this.#maxBatch = maxBatch;
    this.#maxRows = maxRows;
    this.#tasks = maxBatch;
    this.#rows = maxRows;
  }

  /** Tasks in one batch at most. */
  get tasks(): number {
    return this.#tasks;
  }

  /** Rows after which a batch is full. */
  get rows(): number {
    return this.#rows;
  }

  /** A batch is committed. */
  grow(): void {
    this.#tasks = Math.min(this.#maxBatch, Math.ceil(this.#tasks * this.#growth));
    this.#rows = Math.min(this.#maxRows, Math.ceil(this.#rows * this.#growth));
    if (this.#tasks === this.#maxBatch && this.#rows === this.#maxRows) this.#growth = GROWTH.fast;
  }

  /** One of so many tasks cannot be decided or stored: nobody knows which. */
  bisect(tasks: number): void {
    this.#tasks = Math.ceil(tasks / 2);
  }

  /** The store did not take a batch of so many tasks and rows, perhaps because that would have taken it too long. */
  halve(tasks: number, rows: number): void {
    this.#tasks = Math.max(1, Math.ceil(tasks / 2));
    if (rows > FEWEST_ROWS) this.#rows = Math.max(FEWEST_ROWS, Math.ceil(Math.min(this.#rows, rows) / 2));
    this.#growth = GROWTH.slow;
  }
}
