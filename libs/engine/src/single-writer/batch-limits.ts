/** Lower limit: a batch with this few rows is not slow because of its rows. */
const FEWEST_ROWS = 2_000;
/** Growth of the limits after each commit: slow after a batch that the store did not take. */
const GROWTH = { fast: 2, slow: 1.125 };

/**
 * Limits the size of a batch. Halved after a batch that the store did not take, then raised again up to the maximum.
 */
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

  /** Called after a commit. */
  grow(): void {
    this.#tasks = Math.min(this.#maxBatch, Math.ceil(this.#tasks * this.#growth));
    this.#rows = Math.min(this.#maxRows, Math.ceil(this.#rows * this.#growth));
    if (this.#tasks === this.#maxBatch && this.#rows === this.#maxRows) this.#growth = GROWTH.fast;
  }

  /** One of so many tasks cannot be decided or stored: nobody knows which. */
  bisect(tasks: number): void {
    this.#tasks = Math.ceil(tasks / 2);
  }

  /**
   * Called when the store did not take a batch of this size, which may have been too large for the statement timeout.
   */
  halve(tasks: number, rows: number): void {
    this.#tasks = Math.max(1, Math.ceil(tasks / 2));
    if (rows > FEWEST_ROWS) this.#rows = Math.max(FEWEST_ROWS, Math.ceil(Math.min(this.#rows, rows) / 2));
    this.#growth = GROWTH.slow;
  }
}
