import { userKey, type ConfigurationHistory, type UserRef } from '@laurel/kernel';
import { FoldsAtOnce, type UserEvents } from '@laurel/engine';
import { LRUCache } from 'lru-cache';
import { FoldedUser, TooManyEventsError } from './folded-user.ts';

/** Limit for all folded users together, and for each of them. */
const MOST_BYTES = 96 * 1024 * 1024;
/** Most new events that an answer applies itself. */
const MOST_AT_ONCE = 25;
/** Most users remembered for having too many events, and most users remembered for a failed fold. */
const MOST_REMEMBERED = 1_000;

/** `preparing`: the user is being folded in the background; `too_many`: the user is never folded. */
type Folding = FoldedUser | 'preparing' | 'too_many';

/**
 * Users with many events: folded in the background, one at a time, and cached in memory. A restart begins with an empty
 * cache.
 */
export class FoldedUsers {
  readonly #events: UserEvents;
  readonly #configurations: (account: string) => ConfigurationHistory;
  readonly #mostBytes: number;
  readonly #ready: LRUCache<string, FoldedUser>;
  readonly #refused = new LRUCache<string, true>({ max: MOST_REMEMBERED });
  readonly #failures = new LRUCache<string, Error>({ max: MOST_REMEMBERED });
  /** Users who are being folded or wait for it; {@link FoldsAtOnce} bounds their number. */
  readonly #underWay = new Map<string, FoldedUser>();
  readonly #extensions = new Map<string, Promise<boolean>>();
  readonly #folds = new FoldsAtOnce({ most: 1, what: 'explanations' });

  constructor(
    events: UserEvents,
    configurations: (account: string) => ConfigurationHistory,
    mostBytes: number = MOST_BYTES,
  ) {
    this.#events = events;
    this.#configurations = configurations;
    this.#mostBytes = mostBytes;
    this.#ready = new LRUCache({ maxSize: mostBytes, sizeCalculation: ({ bytes }) => bytes + 1 });
  }

  /**
   * Reads only events recorded since the last call for the user, at most 26.
   * @throws ProblemError 503 `overloaded` if 16 users wait to be folded; the error with which the last fold of the user failed
   */
  async find(user: UserRef): Promise<Folding> {
    const key = userKey(user);
    if (this.#underWay.has(key)) return 'preparing';
    const failure = this.#failures.get(key);
    if (failure !== undefined) {
      this.#failures.delete(key);
      throw failure;
    }
    if (this.#refused.has(key)) return 'too_many';
    const known = this.#ready.get(key);
    if (known === undefined) return this.#fold(key, this.#newUser(user));
    // Concurrent answers wait for the same extension.
    const extension = this.#extensions.get(key) ?? this.#extend(key, known);
    return (await extension) ? known : this.find(user);
  }

  /** @returns false if the user must be looked up again */
  #extend(key: string, known: FoldedUser): Promise<boolean> {
    const extension = known.extendBy(MOST_AT_ONCE).then(
      (isReady) => {
        // The user may have been erased meanwhile.
        if (this.#ready.get(key) !== known) return isReady;
        if (isReady) return this.#keep(key, known);
        this.#fold(key, known);
        return false;
      },
      (error: unknown) => {
        this.#ready.delete(key);
        if (!(error instanceof TooManyEventsError)) throw error;
        this.#refused.set(key, true);
        return false;
      },
    );
    const shared = extension.finally(() => this.#extensions.delete(key));
    this.#extensions.set(key, shared);
    return shared;
  }

  /** Drops the user from memory. */
  forget(user: UserRef): void {
    const key = userKey(user);
    this.#ready.delete(key);
    this.#underWay.delete(key);
    this.#failures.delete(key);
  }

  /** Caches the user at their present size. @returns whether there is room */
  #keep(key: string, folded: FoldedUser): boolean {
    this.#ready.delete(key);
    if (folded.bytes < this.#mostBytes) this.#ready.set(key, folded);
    else this.#refused.set(key, true);
    return this.#ready.has(key);
  }

  #newUser(user: UserRef): FoldedUser {
    return new FoldedUser(user, this.#events, { at: (version) => this.#configurations(user.account).at(version) });
  }

  #fold(key: string, folded: FoldedUser): 'preparing' {
    this.#folds.assertRoom();
    this.#ready.delete(key);
    this.#underWay.set(key, folded);
    const done = this.#folds.run(() => folded.extend());
    const isOver = (): boolean => this.#underWay.get(key) === folded && this.#underWay.delete(key);
    void done.then(
      () => {
        if (isOver()) this.#keep(key, folded);
      },
      (error: unknown) => {
        if (!isOver()) return;
        if (error instanceof TooManyEventsError) this.#refused.set(key, true);
        else this.#failures.set(key, error instanceof Error ? error : new Error(String(error)));
      },
    );
    return 'preparing';
  }
}
