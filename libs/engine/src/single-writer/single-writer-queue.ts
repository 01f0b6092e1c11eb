import type { CommandResult, Refused } from '@laurel/kernel';
import { pause, type Clock } from '@laurel/ports';
import { DuplicateKeyError, FencedError } from '@laurel/event-store';
import { RefusedDataError } from '../storage/batch-store.ts';
import type { Batch } from './batch.ts';
import { refused } from './refused.ts';
import { StoreFailures } from './store-failures.ts';
import { BatchLimits } from './batch-limits.ts';
import { QueueBudget } from './queue-budget.ts';
import type { QueueOptions, QueueOwner, QueueState, Task } from './queue-owner.ts';
import { turnOfTheLoop } from '../folding/turn-of-the-loop.ts';

interface Decided<T> {
  readonly batch: Batch;
  readonly tasks: T[];
  readonly outcomes: CommandResult[];
  /** Taken from the queue, and to wait for the next batch. */
  readonly held: T[];
}

/** Tasks that are decided together: what they need is read from the store at once. */
const CHUNK = 500;
/** After a key turned out to be used, keys are looked up beforehand until that many batches had no such key. */
const LOOK_UP_BATCHES = 20;
const RETRY_DELAY_MS = 100;
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
  #queue: T[] = [];
  readonly #waiting: QueueBudget;
  #state: QueueState = 'open';
  #running: Promise<void> | null = null;
  #exclusively: (() => Promise<void>) | null = null;
  #arrival = signal();
  readonly #limits: BatchLimits;
  #lookUps = 0;
  #suspect: T | null = null;
  /** How often tasks were quarantined since a batch was decided. */
  #quarantined = 0;
  /** Batches in a row that were empty and left every task to the next. */
  #leftAll = 0;
  #progressAtMs = 0;
  #commitMs = 0;
  readonly #failures: StoreFailures;

  constructor(owner: QueueOwner<T>, clock: Clock, options: QueueOptions) {
    this.#owner = owner;
    this.#clock = clock;
    this.#limits = new BatchLimits(options);
    this.#failures = new StoreFailures(clock, options.waitLimitMs);
    this.#waiting = new QueueBudget(options);
  }

  /**
   * A store that answers without taking anything (its disk is full) is tried by whatever comes, so the queue is open in between.
   * For some time after a failure it is shown as `waiting` all the same, until something is committed.
   */
  get state(): QueueState {
    return this.#state === 'open' && this.#failures.isRecent ? 'waiting' : this.#state;
  }

  /** Tasks taken in and not yet answered. */
  get waiting(): number {
    return this.#waiting.count;
  }

  /** What those tasks take of the queue. */
  get waitingBytes(): number {
    return this.#waiting.bytes;
  }

  /** How long tasks have waited without any being answered; 0 while none waits. */
  get stalledMs(): number {
    return this.waiting === 0 ? 0 : this.#clock.elapsedMs() - this.#progressAtMs;
  }

  /** Takes all of the tasks, or none: then it returns the reason. */
  submit(tasks: readonly T[]): Refused['reason'] | null {
    if (this.#state === 'down' || this.#state === 'fenced' || this.#state === 'closed') return 'unavailable';
    const wasIdle = this.waiting === 0;
    const bytes = tasks.reduce((sum, task) => sum + task.bytes, 0);
    if (!this.#waiting.take(tasks.length, bytes)) return 'overloaded';
    if (wasIdle) this.#progressAtMs = this.#clock.elapsedMs();
    for (const task of tasks) this.#queue.push(task);
    this.#arrival.fire();
    this.#running ??= this.#run();
    return null;
  }

  /**
   * Runs `task` while nothing is being decided or committed; what arrives waits meanwhile. One at a time.
   * @throws what the task throws, and Error while another task waits or the queue is closed.
   */
  exclusively(task: () => Promise<void>): Promise<void> {
    if (this.#exclusively !== null || this.#state === 'closed') throw new Error('the queue cannot be held now');
    return new Promise((resolve, reject) => {
      this.#exclusively = () => task().then(resolve, reject);
      this.#arrival.fire();
      this.#running ??= this.#run();
    });
  }

  /** Answers what was taken in, then takes nothing more. */
  async close(): Promise<void> {
    if (this.#state !== 'fenced') this.#enter('closed', null);
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
      this.#queue.unshift(...next.held.splice(0));
      if (undecided !== null && this.#quarantines(undecided, next)) {
        // The commit below goes on: the same tasks are decided on top of it once more.
        this.#owner.discard(next.batch);
        this.#again(null, next);
        await turnOfTheLoop();
        continue;
      }
      if (undecided === null) this.#quarantined = 0;
      const failure = undecided ?? (await commit);
      if (failure !== null) {
        await this.#recover(failure, below, next);
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
      if (this.#queue.length === 0 && this.#exclusively === null) {
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
   * Answers an {@link Undecided} if that failed; the commit below is through in any case.
   */
  async #fill(next: Decided<T>, commit: Promise<unknown> | null): Promise<DecideError | null> {
    let committing = commit !== null;
    let full = false;
    const committed = commit?.then(() => {
      committing = false;
    });
    for (;;) {
      while (!full && this.#exclusively === null && this.#queue.length > 0 && next.tasks.length < this.#limits.tasks) {
        const tasks = this.#queue.splice(0, Math.min(CHUNK, this.#limits.tasks - next.tasks.length));
        try {
          await this.#decide(next, tasks);
          full = this.#isFull(next);
        } catch (error) {
          next.tasks.push(...tasks);
          await committed;
          return new DecideError(error);
        }
        if (this.#queue.length > 0) await turnOfTheLoop();
      }
      if (!committing) return null;
      this.#arrival = signal();
      await (!full && this.#exclusively === null && next.tasks.length < this.#limits.tasks
        ? Promise.race([committed, this.#arrival.fired])
        : committed);
    }
  }

  async #decide(next: Decided<T>, tasks: readonly T[]): Promise<void> {
    const options = { lookUpKeys: this.#lookUps > 0, rows: this.#limits.rows };
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

  #complete({ batch, tasks, outcomes }: Decided<T>): void {
    this.#owner.publish(batch);
    if (!batch.isEmpty) this.#owner.onCommitted(tasks.length, this.#commitMs);
    this.#failures.end(!batch.isEmpty);
    if (this.#state === 'waiting' || this.#state === 'down') this.#enter('open', null);
    this.#limits.grow();
    this.#lookUps = outcomes.some((outcome) => outcome.kind === 'replayed')
      ? LOOK_UP_BATCHES
      : Math.max(0, this.#lookUps - 1);
    tasks.forEach((task, index) => this.#answer(task, outcomes[index] as CommandResult));
  }

  #answer(task: T, outcome: CommandResult): void {
    this.#waiting.release(1, task.bytes);
    this.#progressAtMs = this.#clock.elapsedMs();
    task.settle(outcome);
  }

  /** Forgets what was decided, finds out what became of the batch that was sent, and puts the rest back in the queue. */
  async #recover(error: unknown, sent: Decided<T> | null, next: Decided<T>): Promise<void> {
    this.#owner.discard(next.batch);
    if (error instanceof DuplicateKeyError) {
      this.#lookUps = LOOK_UP_BATCHES;
      return this.#again(sent, next);
    }
    if (error instanceof RefusedDataError && sent) return this.#bisect(error, sent, next);
    if (error instanceof FencedError) return this.#fence(error, sent, 'unavailable', next);
    return this.#reconnect(error, sent, next);
  }

  #again(sent: Decided<T> | null, next: Decided<T>): void {
    if (sent) this.#owner.discard(sent.batch);
    const tasks = [...(sent?.tasks ?? []), ...next.tasks, ...this.#queue];
    this.#queue = tasks.sort((a, b) => a.sequence - b.sequence);
  }

  /** Halves the batch until the row that the database refuses stands alone; that one is refused, the rest goes on. */
  #bisect(error: RefusedDataError, sent: Decided<T>, next: Decided<T>): void {
    if (sent.tasks.length > 1) {
      this.#limits.tasks = Math.ceil(sent.tasks.length / 2);
      return this.#again(sent, next);
    }
    this.#owner.discard(sent.batch);
    this.#again(null, next);
    // A batch without a task holds what was settled before the task that is next.
    const alone = sent.tasks.length > 0 ? sent : { ...sent, tasks: this.#queue.splice(0, 1) };
    this.#reject(alone, error, (task) => refused('rejected', task.eventId));
  }

  #reject(alone: Decided<T>, error: unknown, refusalOf: (task: T) => Refused): void {
    this.#owner.onStateChange(this.#state, error);
    for (const task of alone.tasks.splice(0)) this.#answer(task, refusalOf(task));
  }

  /** Deciding failed although the store answers: the same halving, and a task that fails alone twice is refused. */
  #bisectFailing({ cause }: DecideError, next: Decided<T>): void {
    const [first] = next.tasks;
    if (next.tasks.length > 1) this.#limits.tasks = Math.ceil(next.tasks.length / 2);
    else if (first === this.#suspect) this.#reject(next, cause, (task) => this.#owner.refusalOf(task, cause));
    else this.#suspect = first ?? null;
  }

  /** What was sent may have been recorded before another writer took over, unless the store has said that it was not. */
  #fence(error: FencedError, sent: Decided<T> | null, reason: 'unknown' | 'unavailable', next: Decided<T>): void {
    if (sent) this.#owner.discard(sent.batch);
    this.#enter('fenced', error);
    this.#answerAll(sent, reason, next);
  }

  /**
   * The store cannot be reached, or does not take the batch. What waits is kept for the wait limit, counted from the first
   * failure since something was committed; then it is refused, and so is what comes, until the store answers again.
   * Whether the batch that was sent got through is asked of the log, never guessed.
   */
  async #reconnect(error: unknown, sent: Decided<T> | null, next: Decided<T>): Promise<void> {
    if (this.#state === 'open') this.#enter('waiting', error);
    this.#failures.note(!(error instanceof DecideError));
    for (;;) {
      await this.#pause(RETRY_DELAY_MS);
      const found = await this.#ask(sent, next);
      if (found instanceof FencedError) return this.#fence(found, sent, 'unknown', next);
      if (found !== 'unreachable') return this.#goOn(found, error, sent, next);
      if (this.#failures.isOverdue || this.#state === 'closed') this.#refuseAll(sent, 'unknown', next, error);
      if (this.#state === 'closed') return this.#again(sent, next);
    }
  }

  async #ask(sent: Decided<T> | null, next: Decided<T>): Promise<'committed' | 'absent' | 'unreachable' | FencedError> {
    try {
      const committed = await this.#owner.isCommitted((sent ?? next).batch);
      return committed && sent !== null ? 'committed' : 'absent';
    } catch (error) {
      return error instanceof FencedError ? error : 'unreachable';
    }
  }

  #goOn(found: 'committed' | 'absent', error: unknown, sent: Decided<T> | null, next: Decided<T>): void {
    if (error instanceof DecideError) this.#bisectFailing(error, next);
    if (found === 'committed' && sent) {
      this.#complete(sent);
      return this.#again(null, next);
    }
    if (sent && !(error instanceof DecideError)) this.#limits.halve(sent.tasks.length, sent.batch.weight);
    if (this.#failures.isOverdue) this.#refuseAll(sent, 'unavailable', next, error);
    // The store answered, so this failure is not the store's.
    if (this.#state === 'down' || error instanceof DecideError) this.#enter('open', null);
    this.#again(sent, next);
  }

  /** What was sent is refused for that reason; of the rest it is known that nothing was recorded. */
  #refuseAll(sent: Decided<T> | null, reason: 'unknown' | 'unavailable', next: Decided<T>, error: unknown): void {
    if (this.#state !== 'closed') this.#enter('down', error);
    this.#answerAll(sent, reason, next);
  }

  #answerAll(sent: Decided<T> | null, reason: 'unknown' | 'unavailable', next: Decided<T>): void {
    const rest = [...next.tasks.splice(0), ...this.#queue.splice(0)];
    for (const task of sent?.tasks.splice(0) ?? [])
      this.#answer(task, refused(reason, reason === 'unknown' ? task.eventId : null));
    for (const task of rest) this.#answer(task, refused('unavailable', null));
  }

  #pause(delayMs: number): Promise<void> {
    return pause(this.#clock, delayMs);
  }

  #enter(state: QueueState, error: unknown): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#owner.onStateChange(state, error);
  }
}

/** Deciding failed, not committing. */
class DecideError extends Error {
  override readonly name = 'Undecided';
  constructor(cause: unknown) {
    super('a batch could not be decided', { cause });
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
