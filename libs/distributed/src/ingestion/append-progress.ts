import type { Clock, ServiceStatus } from '@laurel/contracts';
import type { AppendOutcome } from '@laurel/event-store';

/** Appends that wait so long without any being answered wait for the store. */
const STALLED_AFTER_MS = 5_000;

/** Measures how the log takes in what this gateway appends. */
export class AppendProgress {
  readonly #clock: Clock;
  readonly #startedMs = new Set<{ readonly ms: number }>();
  #answeredMs = 0;
  #failing = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long appends have been under way without any being answered; 0: none is under way. */
  get stalledMs(): number {
    const [oldest] = this.#startedMs;
    return oldest === undefined ? 0 : this.#clock.elapsedMs() - Math.max(oldest.ms, this.#answeredMs);
  }

  /** Whether what is appended now waits for the store. */
  get state(): Extract<ServiceStatus['lane']['state'], 'open' | 'waiting'> {
    const waits = this.#startedMs.size > 0 && (this.#failing || this.stalledMs >= STALLED_AFTER_MS);
    return waits ? 'waiting' : 'open';
  }

  async measure(append: () => Promise<readonly AppendOutcome[]>): Promise<readonly AppendOutcome[]> {
    const started = { ms: this.#clock.elapsedMs() };
    this.#startedMs.add(started);
    try {
      const outcomes = await append();
      this.#failing = outcomes.some(({ kind }) => kind === 'failed');
      return outcomes;
    } catch (error) {
      this.#failing = true;
      throw error;
    } finally {
      this.#startedMs.delete(started);
      this.#answeredMs = this.#clock.elapsedMs();
    }
  }
}
