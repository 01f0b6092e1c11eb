import type { CommandResult, Refused } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { turnOfTheLoop } from '../folding/turn-of-the-loop.ts';
import type { Batch } from './batch.ts';
import { BatchLimits } from './batch-limits.ts';
import type { Decided, QueueOptions, QueueOwner, QueueState, Task } from './queue-owner.ts';
import { DecideError, QueueRecovery } from './queue-recovery.ts';
import { WaitingTasks } from './waiting-tasks.ts';

/** Tasks that are decided together: what they need is read from the store at once. */
const CHUNK = 500;
/** Tasks that are passed over in one batch at most. */
const MOST_HELD = 500;
/** Empty batches in a row that may leave all tasks to the next. */
const MOST_LEFT_ALL = 3;

/**
 * The one queue through which everything is recorded: whatever arrives while a batch is being committed is decided on top
 * of it and becomes the next batch. So there is one order, no lock, and the larger the load, the larger the batches.
 */
export class SingleWriterQueue<T extends Task> {
  readonly #owner: QueueOwner<T>;
  readonly #clock: Clock;
  readonly #waiting: WaitingTasks<T>;
  readonly #limits: BatchLimits;
  readonly #recovery: QueueRecovery<T>;
  #running: Promise<void> | null = null;
  #exclusively: (() => Promise<void>) | null = null;
  #arrival = signal();
  /** How often tasks were quarantined since a batch was decided. */
  #quarantined = 0;
  /** Batches in a row that were empty and left every task to the next. */
  #leftAll = 0;
  #commitMs = 0;

  constructor(owner: QueueOwner<T>, clock: Clock, options: QueueOptions) {
    this.#owner = owner;
    this.#clock = clock;
    this.#waiting = new WaitingTasks(clock, options);
    this.#limits = new BatchLimits(options);
    this.#recovery = new QueueRecovery({
      owner,
      clock,
      waiting: this.#waiting,
      limits: this.#limits,
      waitLimitMs: options.waitLimitMs,
      complete: (sent) => this.#complete(sent),
    });
  }

  /** See {@link QueueRecovery.state}. */
  get state(): QueueState {
    return this.#recovery.state;
  }

  get waiting(): Pick<WaitingTasks<T>, 'unanswered' | 'unansweredBytes' | 'stalledMs'> {
    return this.#waiting;
  }

  /** Takes all of the tasks, or none: then it returns the reason. */
  submit(tasks: readonly T[]): Refused['reason'] | null {
    const { state } = this.#recovery;
    if (state === 'down' || state === 'fenced' || state === 'closed') return 'unavailable';
    if (!this.#waiting.add(tasks)) return 'overloaded';
    this.#arrival.fire();
    this.#running ??= this.#run();
    return null;
  }

  /**
   * Runs `task` while nothing is being decided or committed; what arrives waits meanwhile. One at a time.
   * @throws what the task throws, and Error while another task waits or the queue is closed.
   */
  exclusively(task: () => Promise<void>): Promise<void> {
    if (this.#exclusively !== null || this.state === 'closed') throw new Error('the queue cannot be held now');
    return new Promise((resolve, reject) => {
      this.#exclusively = () => task().then(resolve, reject);
      this.#arrival.fire();
      this.#running ??= this.#run();
    });
  }

  /** Answers what was taken in, then takes nothing more. */
  async close(): Promise<void> {
    this.#recovery.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    let below: Decided<T> | null = null;
    let commit: Promise<unknown> = Promise.resolve(null);
    for (;;) {
      if (below === null) await this.#runExclusive();
      const next: Decided<T> = {
        batch: this.#owner.openBatch(below?.batch ?? null),
        tasks: [],
        outcomes: [],
        held: [],
      };
      const undecided = (await this.#fill(next, below ? commit : null)) ?? this.#undecidable(next);
      this.#waiting.putBack(next.held.splice(0));
      if (undecided !== null && this.#quarantines(undecided, next)) {
        // The commit below goes on: the same tasks are decided on top of it once more.
        this.#owner.discard(next.batch);
        this.#waiting.putBack(next.tasks);
        await turnOfTheLoop();
        continue;
      }
      if (undecided === null) this.#quarantined = 0;
      const failure = undecided ?? (await commit);
      if (failure !== null) {
        await this.#recovery.recover({ error: failure, sent: below, next });
        below = null;
        commit = Promise.resolve(null);
        continue;
      }
      if (below) this.#complete(below);
      next.batch.detach();
      below = null;
      if (next.tasks.length > 0 || !next.batch.isEmpty) {
        below = next;
        commit = this.#commit(next.batch);
        continue;
      }
      this.#owner.discard(next.batch);
      if (this.#waiting.isEmpty && this.#exclusively === null) {
        this.#running = null;
        return;
      }
    }
  }

  /** A task that batch after batch leaves to the next, though nothing was before it, would be tried for ever. */
  #undecidable(next: Decided<T>): DecideError | null {
    const leftAll = next.held.length > 0 && next.tasks.length === 0 && next.batch.isEmpty;
    this.#leftAll = leftAll ? this.#leftAll + 1 : 0;
    if (this.#leftAll <= MOST_LEFT_ALL) return null;
    next.tasks.push(...next.held.splice(0));
    return new DecideError(new Error('no batch takes these commands in'));
  }

  /** Each time there is one task fewer to decide; where that does not help, the batch is halved instead. */
  #quarantines({ cause }: DecideError, { tasks }: Decided<T>): boolean {
    if (this.#quarantined >= tasks.length || !this.#owner.quarantines(cause)) return false;
    this.#quarantined++;
    return true;
  }

  async #runExclusive(): Promise<void> {
    await this.#exclusively?.();
    this.#exclusively = null;
  }

  /**
   * Decides what is queued and, until the commit below is through, what arrives.
   * Answers an {@link DecideError} if that failed; the commit below is through in any case.
   */
  async #fill(next: Decided<T>, commit: Promise<unknown> | null): Promise<DecideError | null> {
    let committing = commit !== null;
    let full = false;
    const committed = commit?.then(() => {
      committing = false;
    });
    for (;;) {
      while (!full && this.#exclusively === null && !this.#waiting.isEmpty && next.tasks.length < this.#limits.tasks) {
        const tasks = this.#waiting.take(Math.min(CHUNK, this.#limits.tasks - next.tasks.length));
        try {
          await this.#decide(next, tasks);
          full = this.#isFull(next);
        } catch (error) {
          next.tasks.push(...tasks);
          await committed;
          return new DecideError(error);
        }
        if (!this.#waiting.isEmpty) await turnOfTheLoop();
      }
      if (!committing) return null;
      this.#arrival = signal();
      await (!full && this.#exclusively === null && next.tasks.length < this.#limits.tasks
        ? Promise.race([committed, this.#arrival.fired])
        : committed);
    }
  }

  async #decide(next: Decided<T>, tasks: readonly T[]): Promise<void> {
    const options = { lookUpKeys: this.#recovery.looksUpKeys, rows: this.#limits.rows };
    const outcomes = await this.#owner.decide(next.batch, tasks, options);
    for (const [index, task] of tasks.entries()) {
      const outcome = outcomes[index] ?? null;
      if (outcome === null) next.held.push(task);
      else {
        next.tasks.push(task);
        next.outcomes.push(outcome);
      }
    }
  }

  /** While a batch is sought that the store takes, what is settled for a task that waits stands alone. */
  #isFull({ batch, held }: Decided<T>): boolean {
    return batch.weight > this.#limits.rows || held.length >= (this.#limits.tasks === 1 ? 1 : MOST_HELD);
  }

  /** Answers null when the batch is committed, else the error. */
  async #commit(batch: Batch): Promise<unknown> {
    if (batch.isEmpty) return null;
    const sentAtMs = this.#clock.elapsedMs();
    try {
      await this.#owner.commit(batch);
      this.#commitMs = this.#clock.elapsedMs() - sentAtMs;
      return null;
    } catch (error) {
      return error ?? new Error('the commit failed without an error');
    }
  }

  #complete(decided: Decided<T>): void {
    const { batch, tasks, outcomes } = decided;
    this.#owner.publish(batch);
    if (!batch.isEmpty) this.#owner.onCommitted(tasks.length, this.#commitMs);
    this.#recovery.onComplete(decided);
    tasks.forEach((task, index) => this.#waiting.answer(task, outcomes[index] as CommandResult));
  }
}

/** A promise and what fulfils it. */
function signal(): { readonly fired: Promise<void>; readonly fire: () => void } {
  let fire: () => void = () => undefined;
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fired, fire };
}
