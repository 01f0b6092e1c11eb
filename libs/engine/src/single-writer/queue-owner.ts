import type { CommandResult, Refused } from '@laurel/kernel';
import type { Batch } from './batch.ts';
import type { QueueBounds } from './queue-budget.ts';

/** A unit of work that is decided, committed and answered. */
export interface Task {
  readonly eventId: string;
  /** Increases with each task: the order of arrival. */
  readonly sequence: number;
  /** Bytes that the task occupies in the queue. */
  readonly bytes: number;
  readonly settle: (outcome: CommandResult | Refused) => void;
}

/** The queue calls its owner to process batches; see {@link import('./batch-cycle.ts').BatchCycle}. */
export interface QueueOwner<T extends Task> {
  openBatch(below: Batch | null): Batch;
  /**
   * Decides tasks on top of the batch. Returns the result that each task will get once the batch is committed; null
   * means that the task must wait for the next batch. @throws if the store cannot be read.
   */
  decide(batch: Batch, tasks: readonly T[], options: DecideOptions): Promise<readonly (CommandResult | null)[]>;
  commit(batch: Batch): Promise<void>;
  isCommitted(batch: Batch): Promise<boolean>;
  /** Called after the commit: makes the changes visible to everybody. */
  publish(batch: Batch): void;
  discard(batch: Batch): void;
  /** Called after a commit with its number of tasks and its duration in milliseconds. */
  onCommitted(tasks: number, ms: number): void;
  /**
   * Called when deciding failed. Returns true if the owner knows the user who causes the error and will refuse that
   * user's tasks; the others are then decided again at once. Called in a row at most once per task of the batch.
   */
  quarantines(error: unknown): boolean;
  /** The result for a task that cannot be decided even alone and at the second attempt. */
  refusalOf(task: T, error: unknown): Refused;
  onStateChange(state: QueueState, error: unknown): void;
}

/** A batch, and the tasks that are decided on it. */
export interface Decided<T extends Task> {
  readonly batch: Batch;
  readonly tasks: T[];
  readonly outcomes: CommandResult[];
  /** Taken from the queue, and to wait for the next batch. */
  readonly held: T[];
}

export interface DecideOptions {
  /** Looks up all keys in the store first. */
  readonly lookUpKeys: boolean;
  /** Number of rows that makes the batch full. */
  readonly rows: number;
}

/**
 * `open`: takes tasks. `waiting`: the store cannot be reached, and tasks wait for it. `down`: the store cannot be
 * reached, and tasks are refused at once. `fenced`: refuses all tasks for good.
 */
export type QueueState = 'open' | 'waiting' | 'down' | 'fenced' | 'closed';

export interface QueueOptions extends QueueBounds {
  /** Most tasks in one batch. */
  readonly maxBatch: number;
  /** Number of rows that closes a batch: far fewer than one statement can write in a second. */
  readonly maxRows: number;
  /** How long a task waits for a store that cannot be reached. */
  readonly waitLimitMs: number;
}
