import { repeat, type CancelTimer, type Clock } from '@laurel/ports';
import type { ApiKeys, FoundKey } from '@laurel/runtime';
import type { StoredKeys } from './stored-keys.ts';

/** Interval at which changes of other processes are read. A new key is found at once. */
const REFRESH_MS = 1_000;
/** Unknown keys cause at most one read of the table in this time. */
const UNKNOWN_MS = 100;

/** The stored keys in a process that is not the only one to change them. */
export class FollowedKeys implements ApiKeys {
  readonly #stored: StoredKeys;
  readonly #clock: Clock;
  readonly #onTrouble: (error: unknown) => void;
  #cancel: CancelTimer = () => undefined;
  #refreshing: Promise<void> | null = null;
  /** The next refresh, if it has not begun yet. */
  #next: Promise<void> | null = null;
  #readAtMs = -Infinity;
  #cancelPause: () => void = () => undefined;
  #ended = false;

  constructor(stored: StoredKeys, clock: Clock, onTrouble: (error: unknown) => void) {
    this.#stored = stored;
    this.#clock = clock;
    this.#onTrouble = onTrouble;
  }

  start(): void {
    this.#cancel = repeat(this.#clock, REFRESH_MS, () => this.#refresh(), this.#onTrouble);
  }

  stop(): void {
    this.#ended = true;
    this.#cancel();
    this.#cancelPause();
  }

  /** An unknown key may have been created after the running read began, so this waits for the next one. */
  find(hash: string): FoundKey | Promise<FoundKey> {
    if (this.#stored.knows(hash)) return this.#stored.find(hash);
    this.#next ??= this.#refreshAnew();
    return this.#next.then(() => this.#stored.find(hash));
  }

  async #refreshAnew(): Promise<void> {
    await this.#refreshing;
    await this.#pause(this.#readAtMs + UNKNOWN_MS - this.#clock.elapsedMs());
    await this.#refreshing;
    this.#next = null;
    await this.#refresh();
  }

  #pause(ms: number): Promise<void> {
    if (ms <= 0 || this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#clock.after(ms, resolve);
      this.#cancelPause = () => {
        cancel();
        resolve();
      };
    });
  }

  #refresh(): Promise<void> {
    this.#refreshing ??= this.#stored
      .refresh()
      .catch(this.#onTrouble)
      .finally(() => {
        this.#readAtMs = this.#clock.elapsedMs();
        this.#refreshing = null;
      });
    return this.#refreshing;
  }
}
