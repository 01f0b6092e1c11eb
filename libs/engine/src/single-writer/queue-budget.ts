export interface QueueBounds {
  /** Most commands that may wait at a time; more are refused. */
  readonly capacity: number;
  /** Limit of the waiting commands, in encoded bytes. */
  readonly capacityBytes: number;
}

export const DEFAULT_QUEUE_BOUNDS: QueueBounds = { capacity: 20_000, capacityBytes: 64 * 1024 * 1024 };

/** How full a queue is, by number and by bytes. */
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

  /** Reserves room for all tasks. Returns false, and reserves nothing, if they do not fit. */
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
