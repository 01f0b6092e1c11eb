export interface QueueBounds {
  /** Commands that may wait at a time; more are refused. */
  readonly capacity: number;
  /** Of the commands that wait, as they are encoded. */
  readonly capacityBytes: number;
}

export const DEFAULT_QUEUE_BOUNDS: QueueBounds = { capacity: 20_000, capacityBytes: 64 * 1024 * 1024 };

/** How much of a queue is taken, by number and by bytes. */
export class QueueBudget {
  readonly #bounds: QueueBounds;
  #count = 0;
  #bytes = 0;

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds;
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Takes room for all of it, or for nothing: false. */
  take(count: number, bytes: number): boolean {
    const { capacity, capacityBytes } = this.#bounds;
    if (this.#count + count > capacity || this.#bytes + bytes > capacityBytes) return false;
    this.#count += count;
    this.#bytes += bytes;
    return true;
  }

  release(count: number, bytes: number): void {
    this.#count -= count;
    this.#bytes -= bytes;
  }
}
