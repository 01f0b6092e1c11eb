import type { Refused } from '@laurel/kernel';
import { pause, type Clock } from '@laurel/ports';
import { DuplicateKeyError, FencedError } from '@laurel/event-store';
import { RefusedDataError } from '../storage/batch-store.ts';
import type { BatchLimits } from './batch-limits.ts';
import type { Decided, QueueOwner, QueueState, Task } from './queue-owner.ts';
import { refused } from './refused.ts';
import { StoreFailures } from './store-failures.ts';
import type { WaitingTasks } from './waiting-tasks.ts';

interface QueueRecoveryDependencies<T extends Task> {
  readonly owner: QueueOwner<T>;
  readonly clock: Clock;
  readonly waiting: WaitingTasks<T>;
  readonly limits: BatchLimits;
  /** How long a task waits for a store that cannot be reached. */
  readonly waitLimitMs: number;
  /** Publishes a batch that turned out to be committed, and answers its tasks. */
  readonly complete: (sent: Decided<T>) => void;
}

/** What was under way when deciding or committing failed. */
interface Failed<T extends Task> {
  readonly error: unknown;
  /** The batch that was sent, or null. */
  readonly sent: Decided<T> | null;
  /** The batch above it. */
  readonly next: Decided<T>;
}

/** After a key turned out to be used, keys are looked up beforehand until that many batches had no such key. */
const LOOK_UP_BATCHES = 20;
const RETRY_DELAY_MS = 100;

/** What becomes of a queue and its tasks when deciding or committing has failed, until a batch is committed again. */
export class QueueRecovery<T extends Task> {
  readonly #dependencies: QueueRecoveryDependencies<T>;
  readonly #failures: StoreFailures;
  #state: QueueState = 'open';
  #lookUps = 0;
  #suspect: T | null = null;

  constructor(dependencies: QueueRecoveryDependencies<T>) {
    this.#dependencies = dependencies;
    this.#failures = new StoreFailures(dependencies.clock, dependencies.waitLimitMs);
  }

  /**
   * A store that answers without taking anything (its disk is full) is tried by whatever comes, so the queue is open in between.
   * For some time after a failure it is shown as `waiting` all the same, until something is committed.
   */
  get state(): QueueState {
    return this.#state === 'open' && this.#failures.isRecent ? 'waiting' : this.#state;
  }

  /** Whether keys are to be looked up before they are decided. */
  get looksUpKeys(): boolean {
    return this.#lookUps > 0;
  }

  close(): void {
    if (this.#state !== 'fenced') this.#enter('closed', null);
  }

  /** The batch is committed: the store works. */
  onComplete({ batch, outcomes }: Decided<T>): void {
    this.#failures.end(!batch.isEmpty);
    if (this.#state === 'waiting' || this.#state === 'down') this.#enter('open', null);
    this.#dependencies.limits.grow();
    this.#lookUps = outcomes.some((outcome) => outcome.kind === 'replayed')
      ? LOOK_UP_BATCHES
      : Math.max(0, this.#lookUps - 1);
  }

  /** Forgets what was decided, finds out what became of the batch that was sent, and puts the rest back in the queue. */
  async recover(failed: Failed<T>): Promise<void> {
    const { error, sent, next } = failed;
    this.#dependencies.owner.discard(next.batch);
    if (error instanceof DuplicateKeyError) {
      this.#lookUps = LOOK_UP_BATCHES;
      return this.#again(sent, next);
    }
    if (error instanceof RefusedDataError && sent) return this.#bisect(error, sent, next);
    if (error instanceof FencedError) return this.#fence(error, 'unavailable', failed);
    return this.#reconnect(failed);
  }

  #again(sent: Decided<T> | null, next: Decided<T>): void {
    const { owner, waiting } = this.#dependencies;
    if (sent) owner.discard(sent.batch);
    waiting.putBack([...(sent?.tasks ?? []), ...next.tasks]);
  }

  /** Halves the batch until the row that the database refuses stands alone; that one is refused, the rest goes on. */
  #bisect(error: RefusedDataError, sent: Decided<T>, next: Decided<T>): void {
    const { limits, waiting } = this.#dependencies;
    if (sent.tasks.length > 1) {
      limits.bisect(sent.tasks.length);
      return this.#again(sent, next);
    }
    this.#dependencies.owner.discard(sent.batch);
    this.#again(null, next);
    // A batch without a task holds what was settled before the task that is next.
    const alone = sent.tasks.length > 0 ? sent.tasks : waiting.take(1);
    this.#reject(alone, error, (task) => refused('rejected', task.eventId));
  }

  #reject(alone: T[], error: unknown, refusalOf: (task: T) => Refused): void {
    const { owner, waiting } = this.#dependencies;
    owner.onStateChange(this.#state, error);
    for (const task of alone.splice(0)) waiting.answer(task, refusalOf(task));
  }

  /** Deciding failed although the store answers: the same halving, and a task that fails alone twice is refused. */
  #bisectFailing({ cause }: DecideError, { tasks }: Decided<T>): void {
    const { owner, limits } = this.#dependencies;
    const [first] = tasks;
    if (tasks.length > 1) limits.bisect(tasks.length);
    else if (first === this.#suspect) this.#reject(tasks, cause, (task) => owner.refusalOf(task, cause));
    else this.#suspect = first ?? null;
  }

  /** What was sent may have been recorded before another writer took over, unless the store has said that it was not. */
  #fence(error: FencedError, reason: 'unknown' | 'unavailable', { sent, next }: Failed<T>): void {
    if (sent) this.#dependencies.owner.discard(sent.batch);
    this.#enter('fenced', error);
    this.#answerAll(reason, sent, next);
  }

  /**
   * The store cannot be reached, or does not take the batch. What waits is kept for the wait limit, counted from the first
   * failure since something was committed; then it is refused, and so is what comes, until the store answers again.
   * Whether the batch that was sent got through is asked of the log, never guessed.
   */
  async #reconnect(failed: Failed<T>): Promise<void> {
    const { error, sent, next } = failed;
    if (this.#state === 'open') this.#enter('waiting', error);
    this.#failures.note(!(error instanceof DecideError));
    for (;;) {
      await pause(this.#dependencies.clock, RETRY_DELAY_MS);
      const found = await this.#ask(failed);
      if (found instanceof FencedError) return this.#fence(found, 'unknown', failed);
      if (found !== 'unreachable') return this.#goOn(found, failed);
      if (this.#failures.isOverdue || this.#state === 'closed') this.#refuseAll('unknown', failed);
      if (this.#state === 'closed') return this.#again(sent, next);
    }
  }

  async #ask({ sent, next }: Failed<T>): Promise<'committed' | 'absent' | 'unreachable' | FencedError> {
    try {
      const committed = await this.#dependencies.owner.isCommitted((sent ?? next).batch);
      return committed && sent !== null ? 'committed' : 'absent';
    } catch (error) {
      return error instanceof FencedError ? error : 'unreachable';
    }
  }

  #goOn(found: 'committed' | 'absent', failed: Failed<T>): void {
    const { error, sent, next } = failed;
    const { limits, complete } = this.#dependencies;
    if (error instanceof DecideError) this.#bisectFailing(error, next);
    if (found === 'committed' && sent) {
      complete(sent);
      return this.#again(null, next);
    }
    if (sent && !(error instanceof DecideError)) limits.halve(sent.tasks.length, sent.batch.weight);
    if (this.#failures.isOverdue) this.#refuseAll('unavailable', failed);
    // The store answered, so this failure is not the store's.
    if (this.#state === 'down' || error instanceof DecideError) this.#enter('open', null);
    this.#again(sent, next);
  }

  /** What was sent is refused for that reason; of the rest it is known that nothing was recorded. */
  #refuseAll(reason: 'unknown' | 'unavailable', { error, sent, next }: Failed<T>): void {
    if (this.#state !== 'closed') this.#enter('down', error);
    this.#answerAll(reason, sent, next);
  }

  #answerAll(reason: 'unknown' | 'unavailable', sent: Decided<T> | null, next: Decided<T>): void {
    const { waiting } = this.#dependencies;
    const rest = [...next.tasks.splice(0), ...waiting.take(Infinity)];
    for (const task of sent?.tasks.splice(0) ?? [])
      waiting.answer(task, refused(reason, reason === 'unknown' ? task.eventId : null));
    for (const task of rest) waiting.answer(task, refused('unavailable', null));
  }

  #enter(state: QueueState, error: unknown): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#dependencies.owner.onStateChange(state, error);
  }
}

/** Deciding failed, not committing. */
export class DecideError extends Error {
  override readonly name = 'DecideError';
  constructor(cause: unknown) {
    super('a batch could not be decided', { cause });
  }
}
