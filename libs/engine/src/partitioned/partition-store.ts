import type { PartitionCheckpoint } from './checkpoint.ts';
import type { ProjectionChanges } from './projection.ts';

/**
 * Where a service keeps its projections. Everything changes through `commit`: states, rows and the checkpoint of one
 * partition move together or not at all.
 */
export interface PartitionStore {
  read(partition: number): Promise<PartitionCheckpoint>;
  /**
   * Moves the checkpoint from `before` to `after`, and writes everything else.
   * @throws StaleCheckpointError if the checkpoint is not at `before` any more, because another process owns the
   * partition or it was rebuilt; nothing was written. After any other error the outcome is unknown: read again.
   */
  commit(commit: PartitionCommit): Promise<void>;
  /** The stored offset and generation of each partition. */
  readPlaces(): Promise<ReadonlyMap<number, Pick<PartitionCheckpoint, 'nextOffset' | 'generation'>>>;
}

export interface PartitionCommit {
  readonly partition: number;
  readonly before: PartitionCheckpoint;
  readonly after: PartitionCheckpoint;
  /** Changes by schema, in the order of the store's schemas. Schemas missing at the end are not written to. */
  readonly changes: readonly ProjectionChanges[];
}

/** The stored checkpoint differs from the one this process knows. Forget the partition's state in memory. */
export class StaleCheckpointError extends Error {
  override readonly name = 'StaleCheckpointError';
  constructor(partition: number) {
    super(`partition ${partition} was moved on by another process`);
  }
}
