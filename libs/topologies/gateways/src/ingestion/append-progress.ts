import type { Clock } from '@laurel/ports';
import type { ServiceStatus } from '@laurel/schemas';
import { LogOverloadedError, type AppendOutcome } from '@laurel/event-store';

/** Appends that wait so long without any being answered wait for the store. */
const STALLED_AFTER_MS = 5_000;
/** So long a failure is shown while nothing is appended: enough for two probes of an orchestrator, which then sends requests again. */
const FAILURE_SHOWN_MS = 30_000;

/** Measures how the log takes in what this gateway appends. */
export class AppendProgress {
  readonly #clock: Clock;
  readonly #startedMs = new Set<{ readonly ms: number }>();
  #answeredMs = 0;
  #failedMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long appends have been under way without any being answered; 0: none is under way. */
  get stalledMs(): number {
    const [oldest] = this.#startedMs;
    return oldest === undefined ? 0 : this.#clock.elapsedMs() - Math.max(oldest.ms, this.#answeredMs);
  }

  /** Whether what is appended now waits for the store. Until an append is taken, that one failed counts for some time. */
  get state(): Extract<ServiceStatus['lane']['state'], 'open' | 'waiting'> {
    const { size } = this.#startedMs;
    if (this.#failedMs === null) return size > 0 && this.stalledMs >= STALLED_AFTER_MS ? 'waiting' : 'open';
    return size > 0 || this.#clock.elapsedMs() - this.#failedMs < FAILURE_SHOWN_MS ? 'waiting' : 'open';
  }

  async measure(append: () => Promise<readonly AppendOutcome[]>): Promise<readonly AppendOutcome[]> {
    const started = { ms: this.#clock.elapsedMs() };
    this.#startedMs.add(started);
    try {
      const outcomes = await append();
      this.#answered(outcomes.some(({ kind }) => kind === 'failed'));
      return outcomes;
    } catch (error) {
      // Turned away at the door: that says nothing of how the store takes in those before it.
      if (!(error instanceof LogOverloadedError)) this.#answered(true);
      throw error;
    } finally {
      this.#startedMs.delete(started);
    }
  }

  #answered(failed: boolean): void {
    this.#answeredMs = this.#clock.elapsedMs();
    this.#failedMs = failed ? this.#answeredMs : null;
  }
}
