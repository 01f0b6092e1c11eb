import { groupBy } from '@laurel/kernel';

interface OfPartition {
  readonly partition: number;
}

/** Reads the rows of partitions, one query at a time: partitions that are asked for while a query runs share the next query. */
export class PartitionRows<R extends OfPartition> {
  readonly #query: (partitions: readonly number[]) => Promise<readonly R[]>;
  #reading: Promise<unknown> = Promise.resolve();
  #next: { readonly partitions: Set<number>; readonly rows: Promise<ReadonlyMap<number, readonly R[]>> } | null = null;

  constructor(query: (partitions: readonly number[]) => Promise<readonly R[]>) {
    this.#query = query;
  }

  async of(partition: number): Promise<readonly R[]> {
    this.#next ??= this.#begin();
    this.#next.partitions.add(partition);
    return (await this.#next.rows).get(partition) ?? [];
  }

  /** Begins when the running query has ended; until then partitions are added to it. */
  #begin() {
    const partitions = new Set<number>();
    const rows = this.#reading.then(async () => {
      this.#next = null;
      return groupBy(await this.#query([...partitions]), ({ partition }) => partition);
    });
    this.#reading = rows.catch(() => undefined);
    return { partitions, rows };
  }
}
