import { Failing, type CancelTimer, type Clock } from '@laurel/ports';

/** How often what fell due is settled for users of whom nothing is heard: at least once a minute (specification, section 7). */
export const SWEEP_EVERY_MS = 20_000;

/** Users settled by one record. */
export const USERS_PER_SWEEP = 200;

/** Sweeps again and again, each time so long after the sweep before has ended. */
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

  /** For how long each sweep has failed; 0: the last one did not. */
  get failingMs(): number {
    return this.#failing.ms;
  }

  start(): void {
    this.#isRunning = true;
    this.#schedule();
  }

  /** Resolves when no sweep is under way. */
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
