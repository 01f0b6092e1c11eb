import type { Instant } from '@laurel/calendar';
import type { BoardOutcome, ChainMessage, Configuration, Contributions, Row } from '@laurel/kernel';
import type { UserRef } from '../folding/document.ts';
import type { PartitionCheckpoint } from './checkpoint.ts';

/** What a service makes of the messages of one partition: its areas, and what it keeps of their states in memory. */
export interface PartitionProjection {
  /** A batch on top of what is committed. @param before where the partition is as far as its worker knows */
  begin(before: PartitionCheckpoint): ProjectionBatch;
}

export interface ProjectionBatch {
  /**
   * Reads what applying these will need.
   * @throws StaleCheckpointError if what would be sent on came of states that are not those of the checkpoint
   */
  load(messages: readonly ChainMessage[]): Promise<void>;
  /**
   * What the areas of this service make of it. All or nothing: if it throws, the batch is as it was.
   * @param current the newest configuration: what falls due by itself does so under that one, whatever the message's is
   */
  apply(given: Given, configuration: Configuration, current: Configuration): Promise<Made>;
  /** By schema, in the order of those that the step stores into. */
  changes(): readonly ProjectionChanges[];
  /** What changes cost: rows. */
  readonly weight: number;
  /** After the commit. */
  publish(): void;
  /** After anything else. */
  discard(): void;
}

/** What a service is sent of a record: itself, or what it contributes to some boards. */
export type Given = ChainMessage | Contributions;

/** The message as the areas of the service leave it, or what became of the boards. */
export type Made = ChainMessage | AppliedToBoards;

export interface AppliedToBoards {
  readonly contributions: Contributions;
  /** What the answer shows; nothing if nobody waits for it. */
  readonly outcomes: readonly BoardOutcome[];
}

/** What a batch writes into one schema. */
export interface ProjectionChanges {
  readonly states: readonly StoredState[];
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}

/** What is stored of a user in a schema: a column per area that has its tables there. */
export interface StoredState extends UserRef {
  /** The states by column, as the JSON text of an object. */
  readonly columns: string;
  readonly dueAt: Instant | null;
}
