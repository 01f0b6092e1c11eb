import type { CancelTimer, Clock } from '@laurel/ports';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly task: () => void }>();

  now(): number {
    return this.#now;
  }

  elapsedMs(): number {
    return this.#now;
  }

  after(delayMs: number, task: () => void): CancelTimer {
    const timer = { at: this.#now + delayMs, task };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  get timers(): number {
    return this.#timers.size;
  }

  /** Runs due timers in order, and waits after each until its effects have settled. */
  async advance(ms: number): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > until) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.task();
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#now = until;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
