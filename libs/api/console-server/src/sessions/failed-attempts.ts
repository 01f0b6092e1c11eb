import type { Clock } from '@laurel/ports';

const MOST_A_MINUTE = 10;
const MINUTE_MS = 60_000;
/** Most remembered addresses; beyond it, the one that failed longest ago is forgotten. */
const MOST_ADDRESSES = 10_000;

/** The failed attempts to sign in during the last minute, by address. */
export class FailedAttempts {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #byAddress = new Map<string, readonly number[]>();

  constructor(clock: Pick<Clock, 'elapsedMs'>) {
    this.#clock = clock;
  }

  /** Milliseconds until the address may try again; 0 if it may at once. */
  waitOf(address: string): number {
    const [oldest, ...others] = this.#recent(address);
    if (oldest === undefined || others.length + 1 < MOST_A_MINUTE) return 0;
    return Math.max(1, oldest + MINUTE_MS - this.#clock.elapsedMs());
  }

  /** Counts an attempt before its outcome is known, so that parallel attempts cannot bypass the limit. */
  note(address: string): void {
    const recent = [...this.#recent(address), this.#clock.elapsedMs()].slice(-MOST_A_MINUTE);
    this.#byAddress.delete(address);
    this.#byAddress.set(address, recent);
    for (const [first] of this.#byAddress) {
      if (this.#byAddress.size <= MOST_ADDRESSES) break;
      this.#byAddress.delete(first);
    }
  }

  /** Removes the last attempt, because it did not fail. */
  forgive(address: string): void {
    const recent = this.#recent(address).slice(0, -1);
    if (recent.length > 0) this.#byAddress.set(address, recent);
    else this.#byAddress.delete(address);
  }

  #recent(address: string): readonly number[] {
    const from = this.#clock.elapsedMs() - MINUTE_MS;
    return (this.#byAddress.get(address) ?? []).filter((at) => at > from);
  }
}
