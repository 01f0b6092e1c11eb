import type { PartitionCheckpoint } from './checkpoint.ts';
import type { ProjectionChanges } from './projection.ts';

/**
 * Where a service keeps what it projects. `commit` is the one operation by which anything changes: states, rows and the
 * checkpoint of one partition move together or not at all.
 */
export interface PartitionStore {
  read(partition: number): Promise<PartitionCheckpoint>;
  /**
   * Moves the checkpoint from `before` to `after` with everything else.
   * @throws StaleCheckpointError if it is not at `before` any more: somebody else owns the partition, or it was rebuilt;
   * nothing was written. After any other error the outcome is unknown: read again.
   */
  commit(commit: PartitionCommit): Promise<void>;
  /** Where each partition is. */
  readPlaces(): Promise<ReadonlyMap<number, Pick<PartitionCheckpoint, 'nextOffset' | 'generation'>>>;
}

export interface PartitionCommit {
  readonly partition: number;
  readonly before: PartitionCheckpoint;
  readonly after: PartitionCheckpoint;
  /** By schema, in the order of those of the store; those missing at the end: nothing is written there. */
  readonly changes: readonly ProjectionChanges[];
}

/** The partition is not where this process believed it to be. What is in memory of it must be forgotten. */
export class StaleCheckpointError extends Error {
  override readonly name = 'StaleCheckpointError';
  constructor(partition: number) {
    super(`partition ${partition} was moved on by another process`);
  }
}
