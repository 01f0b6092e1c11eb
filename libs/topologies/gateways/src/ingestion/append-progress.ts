import type { Clock } from '@laurel/ports';
import type { ServiceStatus } from '@laurel/schemas';
import { LogOverloadedError, type AppendOutcome } from '@laurel/event-store';

/** If no append is answered for this time, appends wait for the store. */
const STALLED_AFTER_MS = 5_000;
/** How long a failure is shown without new appends: long enough for two probes of an orchestrator, which then sends requests again. */
const FAILURE_SHOWN_MS = 30_000;

/** Measures the progress of this gateway's appends. */
export class AppendProgress {
  readonly #clock: Clock;
  readonly #startedMs = new Set<{ readonly ms: number }>();
  #answeredMs = 0;
  #failedMs: number | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The time since the last answer while appends are pending; 0 if none is pending. */
  get stalledMs(): number {
    const [oldest] = this.#startedMs;
    return oldest === undefined ? 0 : this.#clock.elapsedMs() - Math.max(oldest.ms, this.#answeredMs);
  }

  /** Whether appends currently wait for the store. A failure counts for some time, until an append succeeds. */
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
      // Refused before it was sent, which says nothing about the store.
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
