import type { Clock } from '@laurel/ports';

/** Long enough for two probes of an orchestrator. Afterwards, requests are let in to try the store again. */
const SHOWN_MS = 30_000;

/** Tracks how long the store has been failing. */
export class StoreFailures {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #waitLimitMs: number;
  /** When the store first failed since the last commit. */
  #failingSinceMs: number | null = null;
  /** When the store last failed to take a batch; null if it has taken one since. */
  #failedMs: number | null = null;

  /** @param waitLimitMs how long commands wait for a failing store */
  constructor(clock: Pick<Clock, 'elapsedMs'>, waitLimitMs: number) {
    this.#clock = clock;
    this.#waitLimitMs = waitLimitMs;
  }

  /** Whether the store failed to take a batch a moment ago, and has taken none since. */
  get isRecent(): boolean {
    return this.#failedMs !== null && this.#clock.elapsedMs() - this.#failedMs < SHOWN_MS;
  }

  /** Whether commands have waited too long for the store. */
  get isOverdue(): boolean {
    return this.#failingSinceMs !== null && this.#clock.elapsedMs() - this.#failingSinceMs >= this.#waitLimitMs;
  }

  /** @param ofBatch whether the store failed to take a batch */
  note(ofBatch: boolean): void {
    const now = this.#clock.elapsedMs();
    if (ofBatch) this.#failedMs = now;
    this.#failingSinceMs ??= now;
  }

  /** @param withBatch whether the store has taken a batch */
  end(withBatch: boolean): void {
    this.#failingSinceMs = null;
    if (withBatch) this.#failedMs = null;
  }
}
