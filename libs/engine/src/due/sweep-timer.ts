import { Failing, type CancelTimer, type Clock } from '@laurel/ports';

/** How often due changes of inactive users are settled: at least once a minute (specification, section 7). */
export const SWEEP_EVERY_MS = 20_000;

/** Users settled by one record. */
export const USERS_PER_SWEEP = 200;

/** Sweeps repeatedly, with a fixed pause after each sweep. */
export class SweepTimer {
  readonly #clock: Clock;
  readonly #sweep: () => Promise<void>;
  /** Called with the error of a sweep that fails; the next one tries again. */
  readonly #onFailure: (error: unknown) => void;
  readonly #everyMs: number;
  readonly #failing: Failing;
  #cancel: CancelTimer = () => undefined;
  #turn: Promise<void> = Promise.resolve();
  #isRunning = false;

  constructor(
    clock: Clock,
    sweep: () => Promise<void>,
    onFailure: (error: unknown) => void,
    everyMs: number = SWEEP_EVERY_MS,
  ) {
    this.#clock = clock;
    this.#sweep = sweep;
    this.#onFailure = onFailure;
    this.#everyMs = everyMs;
    this.#failing = new Failing(clock);
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** How long sweeps have been failing; 0 if the last one succeeded. */
  get failingMs(): number {
    return this.#failing.ms;
  }

  start(): void {
    this.#isRunning = true;
    this.#schedule();
  }

  /** Resolves once no sweep is running. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#cancel();
    await this.#turn;
    this.#failing.succeeded();
  }

  #schedule(): void {
    this.#cancel = this.#clock.after(this.#everyMs, () => {
      this.#turn = this.#failing
        .try(this.#sweep)
        .catch(this.#onFailure)
        .finally(() => this.#isRunning && this.#schedule());
    });
  }
}
