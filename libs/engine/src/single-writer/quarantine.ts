import type { AreaName, DamagedState, Refused } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { LRUCache } from 'lru-cache';
import { DamagedStateError, messageOf } from '../folding/damaged-state.ts';
import { userKey, type UserRef } from '../folding/document.ts';

/** How long commands of a user are refused without being tried. */
const HELD_MS = 10_000;
/** With the reason cut, an entry takes at most about 4 KB: 4 MB in all. Who is forgotten is tried once more. */
const MOST_USERS = 1_000;
const REASON_LENGTH = 300;

interface Entry {
  readonly damage: DamagedState;
  /** On the clock's `elapsedMs`. */
  readonly heldUntilMs: number;
}

/**
 * Users of whom the stored state cannot be read. Their commands are refused for a while without being tried, so that one
 * damaged row does not slow everybody. An entry stays, for operators, until the user's state is read again.
 */
export class Quarantine {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #onDamage: (damage: DamagedState, error: unknown) => void;
  readonly #entries = new LRUCache<string, Entry>({ max: MOST_USERS });

  /** @param onDamage told once for each user, until {@link release} */
  constructor(clock: Pick<Clock, 'elapsedMs'>, onDamage: (damage: DamagedState, error: unknown) => void) {
    this.#clock = clock;
    this.#onDamage = onDamage;
  }

  /** How many users are known to be damaged, held or not. */
  get size(): number {
    return this.#entries.size;
  }

  /** Those found last, newest first. */
  newest(limit: number): readonly DamagedState[] {
    return [...this.#entries.values()].slice(0, limit).map(({ damage }) => damage);
  }

  /** Holds a user for {@link HELD_MS}. @param area null: the row as a whole cannot be read */
  hold({ account, subject }: UserRef, area: AreaName | null, error: unknown): void {
    const user = userKey({ account, subject });
    const cause = error instanceof DamagedStateError ? error.cause : error;
    const damage = { account, subject, area, reason: messageOf(cause).slice(0, REASON_LENGTH) };
    const isNew = !this.#entries.has(user);
    this.#entries.set(user, { damage, heldUntilMs: this.#clock.elapsedMs() + HELD_MS });
    if (isNew) this.#onDamage(damage, error);
  }

  /** Whether commands of the user are refused without being tried. */
  holds(user: UserRef): boolean {
    return this.#held(user) !== null;
  }

  /** What a command of the user is answered while it is held; null: try it. */
  refusalOf(user: UserRef): Refused | null {
    const entry = this.#held(user);
    if (entry === null) return null;
    const retryAfterMs = entry.heldUntilMs - this.#clock.elapsedMs();
    return { kind: 'refused', reason: 'damaged', eventId: null, retryAfterMs, damage: entry.damage };
  }

  /** What is stored of the user was read, or worked with. */
  release(user: string): void {
    if (this.#entries.size > 0) this.#entries.delete(user);
  }

  /** What is stored was written anew. */
  clear(): void {
    this.#entries.clear();
  }

  #held(user: UserRef): Entry | null {
    if (this.#entries.size === 0) return null;
    const entry = this.#entries.peek(userKey(user));
    return entry && entry.heldUntilMs > this.#clock.elapsedMs() ? entry : null;
  }
}
