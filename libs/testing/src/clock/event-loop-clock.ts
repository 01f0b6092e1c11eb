import type { CancelTimer, Clock } from '@laurel/ports';

const TICK_MS = 5;
/** The longest time that one turn of the event loop counts for. */
const MOST_PER_TURN_MS = 2 * TICK_MS;

interface Timer {
  readonly atMs: number;
  readonly task: () => void;
}

/**
 * For time limits of calls over real sockets to a server in the same process. Time passes as on the system clock, but
 * stands still while the event loop is blocked: a limit of 400 ms gives client and server at least 40 turns, however
 * busy the machine is.
 */
export class EventLoopClock implements Clock {
  readonly #timers = new Set<Timer>();
  #elapsedMs = 0;
  #tickedAtMs = performance.now();

  constructor() {
    setInterval(() => this.#tick(), TICK_MS).unref();
  }

  now(): number {
    return Date.now();
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  after(delayMs: number, task: () => void): CancelTimer {
    const timer = { atMs: this.#elapsedMs + delayMs, task };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  #tick(): void {
    const atMs = performance.now();
    this.#elapsedMs += Math.min(atMs - this.#tickedAtMs, MOST_PER_TURN_MS);
    this.#tickedAtMs = atMs;
    const due = [...this.#timers].filter((timer) => timer.atMs <= this.#elapsedMs).sort((a, b) => a.atMs - b.atMs);
    for (const timer of due) if (this.#timers.delete(timer)) timer.task();
  }
}
