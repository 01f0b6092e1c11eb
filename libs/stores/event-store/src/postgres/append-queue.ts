import type { NewRecord } from '@laurel/kernel';
import { pause, type CancelTimer, type Clock } from '@laurel/ports';
import { FencedError, LogOverloadedError, type AppendOutcome } from '../event-store.ts';
import { PendingRecord, isOpen } from '../pending-record.ts';

export interface AppendQueueOptions {
  /** The most waiting records; more are refused. */
  readonly capacity: number;
  /** The most records in one statement. */
  readonly maxBatch: number;
  /** How long a record waits for a store that cannot be reached. */
  readonly waitLimitMs: number;
}

export const DEFAULT_APPEND_QUEUE_OPTIONS: AppendQueueOptions = {
  capacity: 20_000,
  maxBatch: 500,
  waitLimitMs: 10_000,
};

/** Records the batches of the queue. */
export interface BatchRecorder {
  /**
   * Settles every open record of the batch, in order. @throws FencedError for good; after any other error, retry the records that are still
   * open: `sentAfter` says whether they may have been recorded.
   */
  record(batch: readonly PendingRecord[]): Promise<void>;
  /** Abandons a record that may have been recorded (`sentAfter`): before it is sent again, its outcome must be found. */
  giveUp(doubtful: PendingRecord): void;
}

const RETRY_DELAY_MS = 100;
const EXPIRY_CHECKS = 10;

/**
 * The queue of a process for appends: records that arrive during a batch go into the next one. So there is one order, and batches grow with
 * the load.
 */
export class AppendQueue {
  readonly #recorder: BatchRecorder;
  readonly #clock: Clock;
  readonly #options: AppendQueueOptions;
  #queue: PendingRecord[] = [];
  #batch: readonly PendingRecord[] = [];
  #running: Promise<void> | null = null;
  #fenced: FencedError | null = null;
  #closed = false;
  #failure: Error | null = null;
  #stopExpiry: CancelTimer = () => undefined;

  constructor(recorder: BatchRecorder, clock: Clock, options: AppendQueueOptions) {
    this.#recorder = recorder;
    this.#clock = clock;
    this.#options = options;
  }

  async append(records: readonly NewRecord[]): Promise<readonly AppendOutcome[]> {
    if (this.#closed) throw new Error('the event store is closed');
    if (this.#queue.length + records.length > this.#options.capacity)
      throw new LogOverloadedError(`${this.#queue.length} records wait to be appended already`);
    const sinceMs = this.#clock.elapsedMs();
    const outcomes = records.map(
      (record) => new Promise<AppendOutcome>((settle) => this.#queue.push(new PendingRecord(record, sinceMs, settle))),
    );
    this.#running ??= this.#run();
    return Promise.all(outcomes);
  }

  /** Settles the waiting records and refuses new ones. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    // Calls of the same event loop tick share a batch.
    await Promise.resolve();
    this.#watchExpiry();
    while (this.#queue.length > 0) {
      this.#batch = this.#queue.splice(0, this.#options.maxBatch);
      while (this.#batch.some(isOpen)) await this.#record(this.#batch);
      this.#batch = [];
    }
    this.#stopExpiry();
    this.#running = null;
  }

  async #record(batch: readonly PendingRecord[]): Promise<void> {
    try {
      if (this.#fenced) throw this.#fenced;
      await this.#recorder.record(batch);
      this.#failure = null;
    } catch (error) {
      if (error instanceof FencedError) this.#fence(error);
      else await this.#waitToRetry(error as Error);
    }
  }

  async #waitToRetry(error: Error): Promise<void> {
    this.#failure = error;
    await pause(this.#clock, RETRY_DELAY_MS);
  }

  #fence(error: FencedError): void {
    this.#fenced = error;
    this.#failAll([...this.#batch, ...this.#queue], error);
    this.#queue = [];
  }

  /** While records wait: none waits for the store longer than the limit, even if a statement hangs. */
  #watchExpiry(): void {
    this.#stopExpiry = this.#clock.after(this.#options.waitLimitMs / EXPIRY_CHECKS, () => {
      const latest = this.#clock.elapsedMs() - this.#options.waitLimitMs;
      const expired = [...this.#batch, ...this.#queue].filter(({ sinceMs }) => sinceMs <= latest);
      this.#failAll(expired, this.#failure ?? new Error('the event store has not answered in time'));
      this.#queue = this.#queue.filter(isOpen);
      this.#watchExpiry();
    });
  }

  #failAll(pending: readonly PendingRecord[], error: Error): void {
    for (const one of pending.filter(isOpen)) {
      if (one.sentAfter !== null) this.#recorder.giveUp(one);
      one.failed(error);
    }
  }
}
