import type { CancelTimer, Clock } from '@laurel/ports';

/** A longer step is reported before it ends. In milliseconds. */
const LONG = 2_000;

/** Receives a step of the start and its duration in seconds; null while it is running. */
export type StepReport = (step: string, seconds: number | null) => void;

/** Reports each step of a start with its duration when it ends. A long step is also reported while it is running. */
export class StartSteps {
  readonly #clock: Clock;
  readonly #report: StepReport;
  #step: string | null = null;
  #since: number;
  #cancel: CancelTimer = () => undefined;

  constructor(clock: Clock, report: StepReport) {
    this.#clock = clock;
    this.#report = report;
    this.#since = clock.elapsedMs();
  }

  /** Begins a step, and ends the previous one. */
  begin(step: string): void {
    this.end();
    this.#step = step;
    this.#since = this.#clock.elapsedMs();
    this.#cancel = this.#clock.after(LONG, () => this.#report(step, null));
  }

  /** Ends the running step. */
  end(): void {
    if (this.#step !== null) this.#report(this.#step, this.#elapsed());
    this.abandon();
  }

  /** Called when the start has failed or is given up: nothing more is reported. */
  abandon(): void {
    this.#cancel();
    this.#step = null;
  }

  get current(): { readonly step: string; readonly seconds: number } {
    return { step: this.#step ?? 'the process', seconds: Math.floor(this.#elapsed()) };
  }

  #elapsed(): number {
    return (this.#clock.elapsedMs() - this.#since) / 1_000;
  }
}
