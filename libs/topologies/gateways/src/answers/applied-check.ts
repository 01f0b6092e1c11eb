import { groupBy } from '@laurel/kernel';
import type { CancelTimer, Clock } from '@laurel/ports';
import type { PendingAnswer } from './pending-answer.ts';

/** Checks whether the services have committed the messages at some offsets. */
export interface ProcessedOffsets {
  /** For each record of the partition, given by its offsets: whether every service has committed its offset. */
  areApplied(partition: number, offsets: readonly (readonly number[])[]): Promise<readonly boolean[]>;
}

export interface AppliedCheckDependencies {
  readonly applied: ProcessedOffsets;
  readonly clock: Clock;
  readonly onFailure: (error: unknown) => void;
}

/** Pause between two queries: a service commits a few milliseconds after it has sent an event on. */
const AGAIN_AFTER_MS = 3;
const AFTER_FAILURE_MS = 100;

/** Polls by one query at a time until every pending event is committed. */
export class AppliedCheck {
  readonly #dependencies: AppliedCheckDependencies;
  readonly #onApplied: (pendingAnswer: PendingAnswer) => void;
  readonly #unapplied = new Set<PendingAnswer>();
  #state: 'idle' | 'asking' | 'pausing' = 'idle';
  /** Whether events were added during the current query. */
  #hasNew = false;
  #endPause: () => void = () => undefined;

  /** @param onApplied called when an event is found to be `applied` */
  constructor(dependencies: AppliedCheckDependencies, onApplied: (pendingAnswer: PendingAnswer) => void) {
    this.#dependencies = dependencies;
    this.#onApplied = onApplied;
  }

  /** @param pendingAnswer must know its offsets */
  add(pendingAnswer: PendingAnswer): void {
    this.#unapplied.add(pendingAnswer);
    this.#hasNew = true;
    if (this.#state === 'idle') this.#begin();
    else if (this.#state === 'pausing') this.#endPause();
  }

  remove(pendingAnswer: PendingAnswer): void {
    this.#unapplied.delete(pendingAnswer);
  }

  /** Waits for the end of the event loop tick, so that events which arrive together share a query. */
  #begin(): void {
    this.#state = 'asking';
    queueMicrotask(() => void this.#round());
  }

  async #round(): Promise<void> {
    this.#hasNew = false;
    try {
      await this.#ask([...this.#unapplied]);
    } catch (error) {
      this.#dependencies.onFailure(error);
      this.#pause(AFTER_FAILURE_MS);
      return;
    }
    if (this.#unapplied.size === 0) this.#state = 'idle';
    else if (this.#hasNew) this.#begin();
    else this.#pauseUntilNew(AGAIN_AFTER_MS);
  }

  #pause(delayMs: number): CancelTimer {
    this.#state = 'pausing';
    this.#endPause = () => undefined;
    return this.#dependencies.clock.after(delayMs, () => this.#begin());
  }

  #pauseUntilNew(delayMs: number): void {
    const cancel = this.#pause(delayMs);
    this.#endPause = () => {
      cancel();
      this.#begin();
    };
  }

  async #ask(pendingAnswers: readonly PendingAnswer[]): Promise<void> {
    const byPartition = groupBy(pendingAnswers, ({ partition }) => partition);
    await Promise.all([...byPartition].map(([partition, some]) => this.#askPartition(partition, some)));
  }

  async #askPartition(partition: number, pendingAnswers: readonly PendingAnswer[]): Promise<void> {
    const offsets = pendingAnswers.map(({ offsets }) => offsets ?? []);
    const applied = await this.#dependencies.applied.areApplied(partition, offsets);
    pendingAnswers.forEach((pendingAnswer, place) => {
      if (!applied[place]) return;
      pendingAnswer.applied = true;
      this.#unapplied.delete(pendingAnswer);
      this.#onApplied(pendingAnswer);
    });
  }
}
