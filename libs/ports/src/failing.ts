import type { Clock } from './clock.ts';

/** Measures how long repeated attempts have failed. */
export class Failing {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #sinceMs: number | null = null;

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  /** 0 if the last attempt succeeded. */
  get ms(): number {
    return this.#sinceMs === null ? 0 : this.#clock.elapsedMs() - this.#sinceMs;
  }

  failed(): void {
    this.#sinceMs ??= this.#clock.elapsedMs();
  }

  succeeded(): void {
    this.#sinceMs = null;
  }

  /** Runs an attempt, and notes its result. @throws the error of `work` */
  async try<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.succeeded();
      return result;
    } catch (error) {
      this.failed();
      throw error;
    }
  }
}
