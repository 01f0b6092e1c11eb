import { repeat, type CancelTimer, type Clock } from '@laurel/ports';
import type { FastifyRequest } from 'fastify';

/** How often a list is read while somebody waits for it to grow. */
const EVERY_MS = 500;

/** Callers that wait for one list at a time. Further ones are answered at once. All of them can read when it has grown. */
const MOST_WAITING = 30;

export interface ListHead {
  /** The present end of the list of an account. */
  readonly newest: (account: string) => Promise<number>;
  /** Calls `listener` when this process may have extended the list, and returns a function that ends it. Absent: nobody knows. */
  readonly onGrown?: (listener: () => void) => () => void;
}

interface Waiter {
  readonly account: string;
  readonly behind: number;
  readonly wake: () => void;
}

/** Waits for a list to grow. It reads once for all callers of a process, and not at all while nobody waits. */
export class AwaitedHead {
  readonly #list: ListHead;
  readonly #clock: Clock;
  readonly #waiting = new Set<Waiter>();
  #stops: readonly CancelTimer[] = [];

  constructor(list: ListHead, clock: Clock) {
    this.#list = list;
    this.#clock = clock;
  }

  /**
   * Resolves when the list ends behind `behind` or cannot be read, after `ms`, or when the caller is gone.
   * @returns whether it waited; false: the time is over, the caller is gone, or too many callers wait
   */
  async wait(account: string, behind: number, ms: number, raw: FastifyRequest['raw']): Promise<boolean> {
    if (ms <= 0 || raw.destroyed || this.#waiting.size >= MOST_WAITING) return false;
    let wake = (): void => undefined;
    const awake = new Promise<void>((resolve) => (wake = resolve));
    const waiter = { account, behind, wake };
    const cancel = this.#clock.after(ms, wake);
    raw.once('close', wake);
    this.#waiting.add(waiter);
    this.#begin();
    try {
      await awake;
    } finally {
      this.#waiting.delete(waiter);
      cancel();
      raw.off('close', wake);
      if (this.#waiting.size === 0) this.#end();
    }
    return true;
  }

  #begin(): void {
    if (this.#stops.length > 0) return;
    const look = () => this.#look();
    const onGrown = this.#list.onGrown?.(() => void look());
    this.#stops = [repeat(this.#clock, EVERY_MS, look, () => undefined), ...(onGrown === undefined ? [] : [onGrown])];
  }

  #end(): void {
    for (const stop of this.#stops) stop();
    this.#stops = [];
  }

  async #look(): Promise<void> {
    for (const account of new Set([...this.#waiting].map((waiter) => waiter.account))) {
      // Each waiter then reads for itself, and reports the failure.
      const newest = await this.#list.newest(account).catch(() => Infinity);
      for (const waiter of this.#waiting) if (waiter.account === account && waiter.behind < newest) waiter.wake();
    }
  }
}
