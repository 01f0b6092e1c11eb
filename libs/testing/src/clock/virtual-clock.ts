import type { CancelTimer, Clock } from '@laurel/ports';

interface Timer {
  readonly dueMs: number;
  readonly task: () => void;
}

/** A clock that stands still until a test moves it. */
export class VirtualClock implements Clock {
  readonly #timers = new Set<Timer>();
  #elapsedMs = 0;

  get timers(): number {
    return this.#timers.size;
  }

  now(): number {
    return Date.parse('2026-01-10T12:00:00Z') + this.#elapsedMs;
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, task: () => void): CancelTimer {
    const timer = { dueMs: this.#elapsedMs + delayMs, task };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  /** Advances the clock. After each timer on the way, waits until all its effects have settled. */
  async advance(byMs: number): Promise<void> {
    await settled();
    const end = this.#elapsedMs + byMs;
    for (let next = this.#first(end); next; next = this.#first(end)) {
      this.#timers.delete(next);
      this.#elapsedMs = Math.max(this.#elapsedMs, next.dueMs);
      next.task();
      await settled();
    }
    this.#elapsedMs = end;
  }

  #first(end: number): Timer | undefined {
    return [...this.#timers].filter(({ dueMs }) => dueMs <= end).sort((a, b) => a.dueMs - b.dueMs)[0];
  }
}

/** More turns of the event loop than any work needs that waits for neither timer nor network. */
const TURNS = 4;

/** Resolves when only work that waits for a timer or the network is left. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
}
