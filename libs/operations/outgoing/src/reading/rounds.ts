import type { CancelTimer, Clock } from '@laurel/ports';

/** The pause between two rounds, so that each of their statements serves many events. */
const GATHER_MS = 100;
/** Timeout of a round, longer than that of one of its statements: the database may be slow, or fail for a moment. */
const LONGEST_CATCH_UP_MS = 20_000;

/** Runs a round whenever it is woken: one at a time, with a pause of 100 ms after each. */
export class Rounds {
  readonly #clock: Clock;
  readonly #round: () => Promise<boolean>;
  #running: Promise<void> | null = null;
  #isWoken = false;
  /** Ends the pause after the last round; null if there is none. */
  #endPause: CancelTimer | null = null;
  #isClosed = false;
  /** Callers that wait for the end of a round that begins after their call. */
  readonly #waiting = new Set<(isThrough: boolean) => void>();

  /** @param round never rejects; returns whether it succeeded */
  constructor(clock: Clock, round: () => Promise<boolean>) {
    this.#clock = clock;
    this.#round = round;
  }

  get running(): Promise<void> | null {
    return this.#running;
  }

  wake(): void {
    this.#isWoken = true;
    this.#next();
  }

  /** Resolves with true after a successful round that begins from now on; with false after 20 s, or if it is closed. */
  async caughtUp(): Promise<boolean> {
    if (this.#isClosed) return false;
    return new Promise((resolve) => {
      const end = (isThrough: boolean): void => {
        this.#waiting.delete(end);
        cancel();
        resolve(isThrough);
      };
      const cancel = this.#clock.after(LONGEST_CATCH_UP_MS, () => end(false));
      this.#waiting.add(end);
      this.#isWoken = true;
      if (this.#endPause === null) return this.#next();
      this.#endPause();
      this.#afterPause();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#endPause?.();
    for (const end of this.#waiting) end(false);
  }

  #next(): void {
    if (!this.#isWoken || this.#isClosed || this.#running !== null || this.#endPause !== null) return;
    this.#isWoken = false;
    const waiting = [...this.#waiting];
    this.#running = this.#round().then((isThrough) => {
      this.#running = null;
      if (isThrough) for (const end of waiting) end(true);
      if (this.#waiting.size > 0) this.#isWoken = true;
      if (isThrough && this.#waiting.size > 0) return this.#next();
      if (!this.#isClosed) this.#endPause = this.#clock.after(GATHER_MS, () => this.#afterPause());
    });
  }

  #afterPause(): void {
    this.#endPause = null;
    this.#next();
  }
}
