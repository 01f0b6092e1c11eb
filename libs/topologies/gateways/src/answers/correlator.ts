import type { Clock, EffectMessage } from '@laurel/ports';
import { AppliedCheck, type ProcessedOffsets } from './applied-check.ts';
import type { Gathered } from './gathered.ts';
import { PendingAnswer } from './pending-answer.ts';

/** This instance does not own the partition, or no longer owns it: the effects arrive at another instance. */
export class NotTheOwnerError extends Error {
  override readonly name = 'NotTheOwnerError';
}

export interface CorrelatorDependencies {
  readonly applied: ProcessedOffsets;
  readonly clock: Clock;
  /** Called when the check for commits failed; it is retried. */
  readonly onFailure: (error: unknown) => void;
}

export interface CorrelatorOptions {
  /** The most events without a waiting request. */
  readonly mostKept: number;
  readonly keptMs: number;
}

export const DEFAULT_CORRELATOR_OPTIONS: CorrelatorOptions = { mostKept: 20_000, keptMs: 30_000 };

/** A request that waits for events of one partition. */
interface WaitingRequest {
  readonly waitingFor: Set<PendingAnswer>;
  /** Called after a complete event was removed from `waitingFor`. */
  readonly completed: () => void;
  readonly refuse: () => void;
}

interface Kept {
  readonly pendingAnswer: PendingAnswer;
  readonly sinceMs: number;
}

/**
 * Correlates the effects of each event, from the partitions that this instance owns, for waiting requests. Request and effects may arrive in any
 * order. Events without a waiting request are kept for a while, because a request may come late, or again.
 */
export class Correlator {
  readonly #dependencies: CorrelatorDependencies;
  readonly #options: CorrelatorOptions;
  readonly #applied: AppliedCheck;
  readonly #owned = new Set<number>();
  /** By event id: events with waiting requests. */
  readonly #awaited = new Map<
    string,
    { readonly pendingAnswer: PendingAnswer; readonly requests: Set<WaitingRequest> }
  >();
  /** By event id, oldest first. */
  readonly #kept = new Map<string, Kept>();

  constructor(dependencies: CorrelatorDependencies, options: CorrelatorOptions = DEFAULT_CORRELATOR_OPTIONS) {
    this.#dependencies = dependencies;
    this.#options = options;
    this.#applied = new AppliedCheck(dependencies, (pendingAnswer) => this.#settle(pendingAnswer));
  }

  /** The number of remembered events. */
  get size(): number {
    return this.#awaited.size + this.#kept.size;
  }

  owns(partition: number): boolean {
    return this.#owned.has(partition);
  }

  /** Sets the owned partitions, whose effects follow. */
  own(partitions: readonly number[]): void {
    const wanted = new Set(partitions);
    this.release([...this.#owned].filter((partition) => !wanted.has(partition)));
    for (const partition of wanted) this.#owned.add(partition);
  }

  /** Drops the events of these partitions, and refuses their waiting requests, which another process answers. */
  release(partitions: readonly number[]): void {
    const released = new Set(partitions);
    for (const partition of released) this.#owned.delete(partition);
    for (const [eventId, { pendingAnswer }] of this.#kept)
      if (released.has(pendingAnswer.partition)) this.#kept.delete(eventId);
    for (const { pendingAnswer, requests } of [...this.#awaited.values()])
      if (released.has(pendingAnswer.partition)) for (const request of [...requests]) request.refuse();
  }

  /** Takes effects in order. Effects of partitions that are not owned are ignored. */
  take(partition: number, effects: readonly EffectMessage[]): void {
    if (!this.owns(partition)) return;
    for (const effect of effects) this.#take(partition, effect);
    this.#forgetOldest();
  }

  /**
   * The results of these events, in this order, once all their changes are committed; after `limitMs`, the known results.
   * @throws NotTheOwnerError
   */
  gather(partition: number, eventIds: readonly string[], limitMs: number): Promise<readonly Gathered[]> {
    return this.#ask(partition, eventIds, limitMs, 'all');
  }

  /**
   * As {@link gather}, but resolves as soon as one of the events is complete, with the complete events only. After `limitMs` it returns all of
   * them.
   * @throws NotTheOwnerError
   */
  gatherReady(partition: number, eventIds: readonly string[], limitMs: number): Promise<readonly Gathered[]> {
    return this.#ask(partition, eventIds, limitMs, 'ready');
  }

  #ask(
    partition: number,
    eventIds: readonly string[],
    limitMs: number,
    wanted: 'all' | 'ready',
  ): Promise<readonly Gathered[]> {
    if (!this.owns(partition)) return Promise.reject(notTheOwner(partition));
    const pendingAnswers = new Map(eventIds.map((eventId) => [eventId, this.#find(partition, eventId)]));
    const asked = eventIds.map((eventId) => pendingAnswers.get(eventId) as PendingAnswer);
    const complete = () => asked.filter(({ isComplete }) => isComplete).map((pendingAnswer) => pendingAnswer.result());
    const waitingFor = new Set(asked.filter(({ isComplete }) => !isComplete));
    const isAnswered = () => waitingFor.size === 0 || (wanted === 'ready' && waitingFor.size < pendingAnswers.size);
    if (isAnswered()) return Promise.resolve(complete());
    return new Promise((resolve, reject) => {
      let isEnding = false;
      const end = (settle: () => void): void => {
        cancelTimer();
        for (const pendingAnswer of request.waitingFor) this.#forsake(pendingAnswer, request);
        settle();
      };
      const request: WaitingRequest = {
        waitingFor,
        completed: () => {
          if (isEnding || !isAnswered()) return;
          isEnding = true;
          // Several events often become complete together, so the answer waits for the end of the tick.
          queueMicrotask(() => end(() => resolve(complete())));
        },
        refuse: () => end(() => reject(notTheOwner(partition))),
      };
      const cancelTimer = this.#dependencies.clock.after(limitMs, () =>
        end(() => resolve(asked.map((pendingAnswer) => pendingAnswer.result()))),
      );
      for (const pendingAnswer of waitingFor) this.#await(pendingAnswer, request);
    });
  }

  #take(partition: number, effect: EffectMessage): void {
    const pendingAnswer = this.#find(partition, effect.eventId);
    pendingAnswer.take(effect);
    if (this.#awaited.has(effect.eventId)) this.#advance(pendingAnswer);
    else if (!this.#kept.has(effect.eventId)) this.#keep(pendingAnswer);
  }

  #find(partition: number, eventId: string): PendingAnswer {
    const known = this.#awaited.get(eventId) ?? this.#kept.get(eventId);
    return known?.pendingAnswer ?? new PendingAnswer(eventId, partition);
  }

  #await(pendingAnswer: PendingAnswer, request: WaitingRequest): void {
    const { eventId } = pendingAnswer;
    this.#kept.delete(eventId);
    const awaited = this.#awaited.get(eventId) ?? { pendingAnswer, requests: new Set() };
    awaited.requests.add(request);
    this.#awaited.set(eventId, awaited);
    this.#advance(pendingAnswer);
  }

  /** Checks for commits even before the boards have arrived. */
  #advance(pendingAnswer: PendingAnswer): void {
    if (pendingAnswer.isComplete) this.#settle(pendingAnswer);
    else if (pendingAnswer.offsets !== null && !pendingAnswer.applied) this.#applied.add(pendingAnswer);
  }

  /** Notifies the waiting requests if the event is complete. */
  #settle(pendingAnswer: PendingAnswer): void {
    if (!pendingAnswer.isComplete) return;
    for (const request of [...(this.#awaited.get(pendingAnswer.eventId)?.requests ?? [])]) {
      request.waitingFor.delete(pendingAnswer);
      this.#forsake(pendingAnswer, request);
      request.completed();
    }
  }

  /** Removes a waiting request; without another one, the event is kept for a while. */
  #forsake(pendingAnswer: PendingAnswer, request: WaitingRequest): void {
    const awaited = this.#awaited.get(pendingAnswer.eventId);
    if (!awaited?.requests.delete(request) || awaited.requests.size > 0) return;
    this.#awaited.delete(pendingAnswer.eventId);
    this.#applied.remove(pendingAnswer);
    if (this.owns(pendingAnswer.partition)) this.#keep(pendingAnswer);
  }

  #keep(pendingAnswer: PendingAnswer): void {
    this.#kept.set(pendingAnswer.eventId, { pendingAnswer, sinceMs: this.#dependencies.clock.elapsedMs() });
  }

  #forgetOldest(): void {
    const bornBefore = this.#dependencies.clock.elapsedMs() - this.#options.keptMs;
    for (const [eventId, { sinceMs }] of this.#kept) {
      if (this.#kept.size <= this.#options.mostKept && sinceMs > bornBefore) return;
      this.#kept.delete(eventId);
    }
  }
}

const notTheOwner = (partition: number): NotTheOwnerError =>
  new NotTheOwnerError(`partition ${partition} is not this instance's`);
