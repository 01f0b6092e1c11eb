import type { CommandResult, Refused } from '@laurel/kernel';
import type { Batch } from './batch.ts';
import type { QueueBounds } from './queue-budget.ts';

/** Something that waits to be decided, committed and answered. */
export interface Task {
  readonly eventId: string;
  /** Grows with each task: the order of arrival. */
  readonly sequence: number;
  /** What it takes of the queue. */
  readonly bytes: number;
  readonly settle: (outcome: CommandResult | Refused) => void;
}

/** What the queue drives; see {@link import('./batch-cycle.ts').BatchCycle}. */
export interface QueueOwner<T extends Task> {
  openBatch(below: Batch | null): Batch;
  /**
   * Decides tasks on top of the batch, and answers what each will be told once the batch is committed; null: it must wait for the
   * next batch. @throws when the store cannot be read.
   */
  decide(batch: Batch, tasks: readonly T[], options: DecideOptions): Promise<readonly (CommandResult | null)[]>;
  commit(batch: Batch): Promise<void>;
  isCommitted(batch: Batch): Promise<boolean>;
  /** The batch is committed: everybody may see it. */
  publish(batch: Batch): void;
  discard(batch: Batch): void;
  /** A batch of so many tasks is in the store; `ms`: how long that took it. */
  onCommitted(tasks: number, ms: number): void;
  /**
   * Deciding failed. True: the owner knows whom the error is about and will refuse their tasks, so that the others can be
   * decided at once. Asked no more often in a row than the batch has tasks.
   */
  quarantines(error: unknown): boolean;
  /** The answer to a task that cannot be decided even alone and at the second try. */
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
  /** Asks the store for all keys beforehand. */
  readonly lookUpKeys: boolean;
  /** Rows after which the batch is full. */
  readonly rows: number;
}

/** `open`: takes tasks. `waiting`: the store cannot be reached, tasks wait for it. `down`: they are refused at once. `fenced`: for good. */
export type QueueState = 'open' | 'waiting' | 'down' | 'fenced' | 'closed';

export interface QueueOptions extends QueueBounds {
  /** Tasks in one batch at most. */
  readonly maxBatch: number;
  /** Rows that a batch adds before it is closed: well within what one statement does in a second. */
  readonly maxRows: number;
  /** How long a task waits for a store that cannot be reached. */
  readonly waitLimitMs: number;
}
