import type { Clock } from '@laurel/ports';
import { EventStoreAccessError } from '../event-store.ts';

/** While the store refuses this process, it is asked again at most this often. */
const ASK_AGAIN_AFTER_MS = 1_000;

/** Remembers that the store refuses this process, so that calls fail at once instead of waiting. */
export class AccessGuard {
  readonly #probe: () => Promise<unknown>;
  readonly #clock: Clock;
  #refusal: EventStoreAccessError | null = null;
  #askedAtMs = -Infinity;
  #asking: Promise<void> | null = null;

  /** @param probe makes harmless calls that need every right. */
  constructor(probe: () => Promise<unknown>, clock: Clock) {
    this.#probe = probe;
    this.#clock = clock;
  }

  /** As far as is known: `stillRefused` asks. */
  get refused(): boolean {
    return this.#refusal !== null;
  }

  /** Takes note if a call failed because the store refuses this process. */
  notice(error: unknown): void {
    if (error instanceof EventStoreAccessError) this.#refusal = error;
  }

  /** @throws EventStoreAccessError if the store refuses this process; what the probe failed with if it cannot be asked. */
  check(): Promise<void> {
    this.#asking ??= this.#ask().finally(() => (this.#asking = null));
    return this.#asking;
  }

  /** The refusal that lasts; null: there is none any more. */
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
