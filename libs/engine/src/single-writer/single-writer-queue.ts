import type { CommandResult, Refused } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { turnOfTheLoop } from '../folding/turn-of-the-loop.ts';
import type { Batch } from './batch.ts';
import { BatchLimits } from './batch-limits.ts';
import type { Decided, QueueOptions, QueueOwner, QueueState, Task } from './queue-owner.ts';
import { DecideError, QueueRecovery } from './queue-recovery.ts';
import { WaitingTasks } from './waiting-tasks.ts';

/** Tasks decided together: their data is read from the store at once. */
const CHUNK = 500;
/** Tasks that are passed over in one batch at most. */
const MOST_HELD = 500;
/** Most consecutive empty batches that defer all their tasks. */
const MOST_LEFT_ALL = 3;

/**
 * The single queue through which everything is recorded. Tasks that arrive during a commit are decided on top of its
 * batch and become the next batch. So there is one order and no lock, and batches grow with the load.
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
  /** Number of consecutive batches that were empty and deferred every task. */
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

  /** Takes all of the tasks and returns null, or takes none and returns the reason. */
  submit(tasks: readonly T[]): Refused['reason'] | null {
    const { state } = this.#recovery;
    if (state === 'down' || state === 'fenced' || state === 'closed') return 'unavailable';
    if (!this.#waiting.add(tasks)) return 'overloaded';
    this.#arrival.fire();
    this.#running ??= this.#run();
    return null;
  }

  /**
   * Runs `task` while nothing is being decided or committed; new tasks wait meanwhile. Only one may be pending at a
   * time.
   * @throws errors of the task; Error while another one is pending or the queue is closed.
   */
  exclusively(task: () => Promise<void>): Promise<void> {
    if (this.#exclusively !== null || this.state === 'closed') throw new Error('the queue cannot be held now');
    return new Promise((resolve, reject) => {
      this.#exclusively = () => task().then(resolve, reject);
      this.#arrival.fire();
      this.#running ??= this.#run();
    });
  }

  /** Stops taking tasks, and answers those already taken. */
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
        // The commit of the batch below goes on; the same tasks are decided on top of it again.
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

  /** Prevents an endless loop: fails tasks that batch after batch defers although the batch is empty. */
  #undecidable(next: Decided<T>): DecideError | null {
    const leftAll = next.held.length > 0 && next.tasks.length === 0 && next.batch.isEmpty;
    this.#leftAll = leftAll ? this.#leftAll + 1 : 0;
    if (this.#leftAll <= MOST_LEFT_ALL) return null;
    next.tasks.push(...next.held.splice(0));
    return new DecideError(new Error('every batch defers these commands'));
  }

  /** Each quarantine leaves one task fewer to decide. If quarantines do not help, the batch is halved instead. */
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

  /** While batches are halved to a single task, a batch that settles for a waiting task holds nothing else. */
  #isFull({ batch, held }: Decided<T>): boolean {
    return batch.weight > this.#limits.rows || held.length >= (this.#limits.tasks === 1 ? 1 : MOST_HELD);
  }

  /** Returns null after the commit, otherwise the error. */
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

/** A promise and the function that fulfils it. */
function signal(): { readonly fired: Promise<void>; readonly fire: () => void } {
  let fire: () => void = () => undefined;
  const fired = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { fired, fire };
}
