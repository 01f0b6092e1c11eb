import type { Clock } from './clock.ts';

/** For how long something that is tried again and again has failed. */
export class Failing {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  #sinceMs: number | null = null;

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  /** 0: the last try succeeded. */
  get ms(): number {
    return this.#sinceMs === null ? 0 : this.#clock.elapsedMs() - this.#sinceMs;
  }

  failed(): void {
    this.#sinceMs ??= this.#clock.elapsedMs();
  }

  succeeded(): void {
    this.#sinceMs = null;
  }

  /** Takes the outcome of a try as its own. @throws what it throws */
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
