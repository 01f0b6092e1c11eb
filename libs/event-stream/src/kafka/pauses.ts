/** What must be told to stand still, and to go on. */
export interface PausablePartitions {
  pause(partition: number): void;
  resume(partition: number): void;
}

/** Which partitions stand still, for two reasons that overlap: their handler has failed, or another one is to be read alone. */
export class Pauses {
  readonly #target: PausablePartitions;
  readonly #failed = new Set<number>();
  #alone: number | null = null;
  #paused = new Set<number>();

  constructor(target: PausablePartitions) {
    this.#target = target;
  }

  fail(partition: number): void {
    this.#failed.add(partition);
    this.#target.pause(partition);
    this.#paused.add(partition);
  }

  retry(partition: number, owned: readonly number[]): void {
    this.#failed.delete(partition);
    this.#apply(owned);
  }

  /** null: all are read again. */
  readAlone(partition: number | null, owned: readonly number[]): void {
    if (this.#alone === partition) return;
    this.#alone = partition;
    this.#apply(owned);
  }

  /** kafkajs keeps its pauses over a rebalance. */
  clear(): void {
    this.#failed.clear();
    this.#alone = null;
    this.#apply([]);
  }

  #apply(owned: readonly number[]): void {
    const wanted = new Set(owned.filter((partition) => this.#stands(partition)));
    for (const partition of this.#paused) if (!wanted.has(partition)) this.#target.resume(partition);
    for (const partition of wanted) if (!this.#paused.has(partition)) this.#target.pause(partition);
    this.#paused = wanted;
  }

  #stands(partition: number): boolean {
    return this.#failed.has(partition) || (this.#alone !== null && this.#alone !== partition);
  }
}
