import type { CancelTimer, Clock } from '@laurel/contracts';
import type { ApiKeys, Principal } from '@laurel/runtime';
import type { StoredKeys } from './stored-keys.ts';

/** What another process has changed is known after so long at the latest; a new key at once. */
const REFRESH_MS = 1_000;
/** Unknown keys make the table be read at most so often, however many come. */
const UNKNOWN_MS = 100;

/** The stored keys in a process that is not the only one to change them. */
export class FollowedKeys implements ApiKeys {
  readonly #stored: StoredKeys;
  readonly #clock: Clock;
  readonly #onTrouble: (error: unknown) => void;
  #cancel: CancelTimer = () => undefined;
  #refreshing: Promise<void> | null = null;
  #readAtMs = -Infinity;
  #ended = false;

  constructor(stored: StoredKeys, clock: Clock, onTrouble: (error: unknown) => void) {
    this.#stored = stored;
    this.#clock = clock;
    this.#onTrouble = onTrouble;
  }

  start(): void {
    this.#cancel = this.#clock.after(REFRESH_MS, () => {
      void this.#refresh().finally(() => this.#ended || this.start());
    });
  }

  stop(): void {
    this.#ended = true;
    this.#cancel();
  }

  find(hash: string): Principal | null | Promise<Principal | null> {
    if (this.#stored.knows(hash)) return this.#stored.find(hash);
    if (this.#refreshing === null && this.#clock.elapsedMs() - this.#readAtMs < UNKNOWN_MS) return null;
    return this.#refresh().then(() => this.#stored.find(hash));
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
