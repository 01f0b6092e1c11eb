import type { AreaName, DamagedState, Refused } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import { LRUCache } from 'lru-cache';
import { DamagedStateError, messageOf } from '../folding/damaged-state.ts';
import { userKey, type UserRef } from '../folding/document.ts';

/** How long commands of a quarantined user are refused without being tried. */
const HELD_MS = 10_000;
/**
 * Most users remembered. With a shortened reason, an entry takes up to about 4 KB: 4 MB in all. Commands of a forgotten
 * user are tried again.
 */
const MOST_USERS = 1_000;
const REASON_LENGTH = 300;

interface Entry {
  readonly damage: DamagedState;
  /** By the clock's `elapsedMs`. */
  readonly heldUntilMs: number;
}

/**
 * Users with unreadable stored state. Their commands are refused for a while without being tried, so that one damaged
 * row does not slow down everybody. The entry stays visible to operators until the user's state is read again.
 */
export class Quarantine {
  readonly #clock: Pick<Clock, 'elapsedMs'>;
  readonly #onDamage: (damage: DamagedState, error: unknown) => void;
  readonly #entries = new LRUCache<string, Entry>({ max: MOST_USERS });

  /** @param onDamage called once for each user, until {@link release} */
  constructor(clock: Pick<Clock, 'elapsedMs'>, onDamage: (damage: DamagedState, error: unknown) => void) {
    this.#clock = clock;
    this.#onDamage = onDamage;
  }

  /** Number of users known to be damaged, whether or not their commands are being refused. */
  get size(): number {
    return this.#entries.size;
  }

  /** The users found last, newest first. */
  newest(limit: number): readonly DamagedState[] {
    return [...this.#entries.values()].slice(0, limit).map(({ damage }) => damage);
  }

  /** Refuses the user's commands for {@link HELD_MS}. @param area null if the whole row cannot be read */
  hold({ account, subject }: UserRef, area: AreaName | null, error: unknown): void {
    const user = userKey({ account, subject });
    const cause = error instanceof DamagedStateError ? error.cause : error;
    const damage = { account, subject, area, reason: messageOf(cause).slice(0, REASON_LENGTH) };
    const isNew = !this.#entries.has(user);
    this.#entries.set(user, { damage, heldUntilMs: this.#clock.elapsedMs() + HELD_MS });
    if (isNew) this.#onDamage(damage, error);
  }

  /** Whether the user's commands are refused without being tried. */
  holds(user: UserRef): boolean {
    return this.#held(user) !== null;
  }

  /** The refusal of the user's commands, or null if they may be tried. */
  refusalOf(user: UserRef): Refused | null {
    const entry = this.#held(user);
    if (entry === null) return null;
    const retryAfterMs = entry.heldUntilMs - this.#clock.elapsedMs();
    return { kind: 'refused', reason: 'damaged', eventId: null, retryAfterMs, damage: entry.damage };
  }

  /** Called when the user's stored state could be read or used. */
  release(user: string): void {
    if (this.#entries.size > 0) this.#entries.delete(user);
  }

  /** Called when all stored states were written anew. */
  clear(): void {
    this.#entries.clear();
  }

  #held(user: UserRef): Entry | null {
    if (this.#entries.size === 0) return null;
    const entry = this.#entries.peek(userKey(user));
    return entry && entry.heldUntilMs > this.#clock.elapsedMs() ? entry : null;
  }
}
