import type { Instant } from '@laurel/calendar';
import type { BoardOutcome, ChainMessage, Configuration, Contributions, Row } from '@laurel/kernel';
import type { UserRef } from '../folding/document.ts';
import type { PartitionCheckpoint } from './checkpoint.ts';

/** Applies messages of one partition: the service's areas, and their states in memory. */
export interface PartitionProjection {
  /** Begins a batch on top of the committed states. @param before the checkpoint that the worker knows */
  begin(before: PartitionCheckpoint): ProjectionBatch;
}

export interface ProjectionBatch {
  /**
   * Reads the states that these messages need.
   * @throws StaleCheckpointError if the stored states do not belong to the checkpoint
   */
  load(messages: readonly ChainMessage[]): Promise<void>;
  /**
   * Applies a message to the areas of this service. All or nothing: if it throws, the batch is unchanged.
   * @param current the newest configuration. Due changes without an event use it, whatever version the message has.
   */
  apply(given: Given, configuration: Configuration, current: Configuration): Promise<Made>;
  /** Changes by schema, in the order of the schemas that the step writes to. */
  changes(): readonly ProjectionChanges[];
  /** The cost of the changes: number of rows. */
  readonly weight: number;
  /** Called after the commit. */
  publish(): void;
  /** Called instead of `publish` if the commit failed. */
  discard(): void;
}

/** The part of a record that a service receives: the record itself, or its contributions to boards. */
export type Given = ChainMessage | Contributions;

/** The result: the message after the service's areas, or the new standings of boards. */
export type Made = ChainMessage | AppliedToBoards;

export interface AppliedToBoards {
  readonly contributions: Contributions;
  /** What the answer shows; empty if nobody waits for it. */
  readonly outcomes: readonly BoardOutcome[];
}

/** The changes of a batch in one schema. */
export interface ProjectionChanges {
  readonly states: readonly StoredState[];
  readonly rows: ReadonlyMap<string, readonly Row[]>;
}

/** A user's stored states in a schema: one column per area with tables there. */
export interface StoredState extends UserRef {
  /** The states by column, as the JSON text of an object. */
  readonly columns: string;
  readonly dueAt: Instant | null;
}
