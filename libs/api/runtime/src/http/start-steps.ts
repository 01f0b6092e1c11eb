import type { CancelTimer, Clock } from '@laurel/ports';

/** A step that takes longer is named before it is done. In milliseconds. */
const LONG = 2_000;

/** Takes a step of a start and how long it took, in seconds; null: it is still under way. */
export type StepReport = (step: string, seconds: number | null) => void;

/** Reports each step of a start and its duration when it is done. A long step is also reported while it runs. */
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

  /** Begins a step, which ends the one before. */
  begin(step: string): void {
    this.end();
    this.#step = step;
    this.#since = this.#clock.elapsedMs();
    this.#cancel = this.#clock.after(LONG, () => this.#report(step, null));
  }

  /** The step under way is done. */
  end(): void {
    if (this.#step !== null) this.#report(this.#step, this.#elapsed());
    this.abandon();
  }

  /** The start has failed, or is given up: nothing more is reported. */
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
