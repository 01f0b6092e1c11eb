import type { PreparedStatements } from '@laurel/engine';
import { USER_SERVICES } from '@laurel/ports';
import type { ProcessedOffsets } from './applied-check.ts';
import { PartitionRows } from './partition-rows.ts';

/**
 * In the order of an event's processed offsets. `next_offset` is the first offset that the service has not committed.
 */
const SELECT_NEXT_OFFSETS = USER_SERVICES.map(
  ({ schema }, place) =>
    `select ${place} as place, partition, next_offset from ${schema}.input_partitions where partition = any($1::int[])`,
).join(' union all ');

interface NextOffsetRow {
  readonly place: number;
  readonly partition: number;
  readonly next_offset: string;
}

/** Reads the committed offsets of the services. */
export class PostgresProcessedOffsets implements ProcessedOffsets {
  readonly #rows: PartitionRows<NextOffsetRow>;

  /** @param sql of any schema of the database. */
  constructor(sql: PreparedStatements) {
    this.#rows = new PartitionRows((partitions) =>
      sql.query<NextOffsetRow>('next-offsets', SELECT_NEXT_OFFSETS, [partitions]),
    );
  }

  /** @throws StoreUnavailableError */
  async areApplied(partition: number, offsets: readonly (readonly number[])[]): Promise<readonly boolean[]> {
    const rows = await this.#rows.of(partition);
    const nextOffsets = new Map(rows.map(({ place, next_offset }) => [place, Number(next_offset)]));
    return offsets.map((offsets) => offsets.every((offset, place) => (nextOffsets.get(place) ?? 0) > offset));
  }
}
