import type { Clock } from '@laurel/ports';

/** Long enough for two probes of an orchestrator; then requests are let in that try the store again. */
const SHOWN_MS = 30_000;

/** How long the store has failed. */
export class StoreFailures {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #waitLimitMs: number;
  /** When the store first failed since something was last committed. */
  #failingSinceMs: number | null = null;
  /** When it last failed to take a batch; null: it has taken one since. */
  #failedMs: number | null = null;

  /** @param waitLimitMs how long commands wait for a store that fails */
  constructor(clock: Pick<Clock, 'elapsedMs'>, waitLimitMs: number) {
    this.#clock = clock;
    this.#waitLimitMs = waitLimitMs;
  }

  /** Whether it failed to take a batch a moment ago, and has taken none since. */
  get isRecent(): boolean {
    return this.#failedMs !== null && this.#clock.elapsedMs() - this.#failedMs < SHOWN_MS;
  }

  /** Whether commands have waited for it for too long. */
  get isOverdue(): boolean {
    return this.#failingSinceMs !== null && this.#clock.elapsedMs() - this.#failingSinceMs >= this.#waitLimitMs;
  }

  /** @param ofBatch whether it failed to take a batch */
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
