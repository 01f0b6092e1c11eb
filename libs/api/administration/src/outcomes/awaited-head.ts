import { repeat, type CancelTimer, type Clock } from '@laurel/ports';
import type { FastifyRequest } from 'fastify';

/** Interval of reads while somebody waits for the list to grow. */
const EVERY_MS = 500;

/**
 * Most callers that wait for one list; further ones are answered at once. When the list has grown, all waiting callers
 * read it at the same time.
 */
const MOST_WAITING = 30;

export interface ListHead {
  /** The present end of an account's list. */
  readonly newest: (account: string) => Promise<number>;
  /**
   * Calls `listener` when this process may have extended the list. Returns a function that removes the listener.
   * Missing if this process cannot know.
   */
  readonly onGrown?: (listener: () => void) => () => void;
}

interface Waiter {
  readonly account: string;
  readonly behind: number;
  readonly wake: () => void;
}

/** Waits for a list to grow. Polls once for all callers of a process, and only while somebody waits. */
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
   * Resolves when the list ends after `behind`, when it cannot be read, after `ms`, or when the caller has
   * disconnected.
   * @returns whether it waited; false if no time is left, the caller has disconnected, or too many callers wait
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
      // A failure wakes all waiting callers; each then reads, and reports the failure itself.
      const newest = await this.#list.newest(account).catch(() => Infinity);
      for (const waiter of this.#waiting) if (waiter.account === account && waiter.behind < newest) waiter.wake();
    }
  }
}
