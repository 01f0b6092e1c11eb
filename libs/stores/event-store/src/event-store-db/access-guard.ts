import type { Clock } from '@laurel/ports';
import { EventStoreAccessError } from '../event-store.ts';

/** The interval of checks while the store refuses this process. */
const ASK_AGAIN_AFTER_MS = 1_000;

/** Remembers that the store refuses this process, so that calls fail at once instead of waiting. */
export class AccessGuard {
  readonly #probe: () => Promise<unknown>;
  readonly #clock: Clock;
  #refusal: EventStoreAccessError | null = null;
  #askedAtMs = -Infinity;
  #asking: Promise<void> | null = null;

  /** @param probe makes harmless calls that need all rights */
  constructor(probe: () => Promise<unknown>, clock: Clock) {
    this.#probe = probe;
    this.#clock = clock;
  }

  /** The result of the last check; {@link stillRefused} checks again. */
  get refused(): boolean {
    return this.#refusal !== null;
  }

  /** Remembers an error that says that the store refuses this process. */
  notice(error: unknown): void {
    if (error instanceof EventStoreAccessError) this.#refusal = error;
  }

  /** @throws EventStoreAccessError if the store refuses this process; the error of the probe if the store cannot be reached */
  check(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = null));
    return this.#asking;
  }

  /** The current refusal; null if the store accepts this process again. */
  async stillRefused(): Promise<EventStoreAccessError | null> {
    if (this.#clock.elapsedMs() >= this.#askedAtMs + ASK_AGAIN_AFTER_MS) await this.check().catch(() => undefined);
    return this.#refusal;
  }

  async #ask(): Promise<void> {
    this.#askedAtMs = this.#clock.elapsedMs();
    try {
      await this.#probe();
      this.#refusal = null;
    } catch (error) {
      this.notice(error);
      throw error;
    }
  }
}
