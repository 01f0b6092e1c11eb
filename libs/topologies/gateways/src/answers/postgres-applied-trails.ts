import type { PreparedStatements } from '@laurel/engine';
import { USER_SERVICES } from '@laurel/ports';
import type { AppliedTrails } from './applied-check.ts';

/** In the order of a trail. `next_offset`: the first one of the partition that the service has not committed. */
const SELECT_NEXT_OFFSETS = USER_SERVICES.map(
  ({ schema }, place) =>
    `select ${place} as place, partition, next_offset from ${schema}.input_partitions where partition = any($1::int[])`,
).join(' union all ');

interface NextOffsetRow {
  readonly place: number;
  readonly partition: number;
  readonly next_offset: string;
}

/** By partition, then by the service's place in the trail. */
type NextOffsets = ReadonlyMap<number, readonly number[]>;

/** Reads the checkpoints of the services: one query at a time, for all that is asked while the one before is under way. */
export class PostgresAppliedTrails implements AppliedTrails {
  readonly #sql: PreparedStatements;
  #reading: Promise<unknown> = Promise.resolve();
  #next: { readonly partitions: Set<number>; readonly offsets: Promise<NextOffsets> } | null = null;

  /** @param sql of any schema of the database. */
  constructor(sql: PreparedStatements) {
    this.#sql = sql;
  }

  /** @throws StoreUnavailableError */
  async areApplied(partition: number, trails: readonly (readonly number[])[]): Promise<readonly boolean[]> {
    const nextOffsets = (await this.#read(partition)).get(partition) ?? [];
    return trails.map((trail) => trail.every((offset, place) => (nextOffsets[place] ?? 0) > offset));
  }

  #read(partition: number): Promise<NextOffsets> {
    this.#next ??= this.#begin();
    this.#next.partitions.add(partition);
    return this.#next.offsets;
  }

  /** Begins when the query under way has ended; until then partitions are added to it. */
  #begin() {
    const partitions = new Set<number>();
    const offsets = this.#reading.then(() => {
      this.#next = null;
      return this.#query([...partitions]);
    });
    this.#reading = offsets.catch(() => undefined);
    return { partitions, offsets };
  }

  async #query(partitions: readonly number[]): Promise<NextOffsets> {
    const rows = await this.#sql.query<NextOffsetRow>('next-offsets', SELECT_NEXT_OFFSETS, [partitions]);
    const offsets = new Map<number, number[]>();
    for (const { place, partition, next_offset } of rows) {
      const ofPartition = offsets.get(partition) ?? [];
      ofPartition[place] = Number(next_offset);
      offsets.set(partition, ofPartition);
    }
    return offsets;
  }
}
