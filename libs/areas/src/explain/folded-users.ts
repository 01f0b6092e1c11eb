import { userKey, type ConfigurationHistory, type UserRef } from '@laurel/contracts';
import type { UserEvents } from '@laurel/engine';
import { LRUCache } from 'lru-cache';
import { FoldedUser, TooManyEventsError } from './folded-user.ts';
import { FoldsAtOnce } from './folds-at-once.ts';

/** What all folded users take together, and one of them at most. */
const MOST_BYTES = 96 * 1024 * 1024;
/** Events recorded since that an answer applies itself. */
const MOST_AT_ONCE = 25;
/** Users that are remembered as having too many events. */
const MOST_REFUSED = 1_000;

/** Whether a user is folded: `preparing` in the background, `too_many` never. */
export type Folding = FoldedUser | 'preparing' | 'too_many';

/**
 * Users of many events, folded in the background, one at a time, and kept in memory while they are asked for. A restart begins anew. Nothing is
 * stored.
 */
export class FoldedUsers {
  readonly #events: UserEvents;
  readonly #configurations: (account: string) => ConfigurationHistory;
  readonly #ready = new LRUCache<string, FoldedUser>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }) => bytes + 1,
  });
  readonly #refused = new LRUCache<string, true>({ max: MOST_REFUSED });
  /** Who is folded at present, or has failed to be since somebody asked. */
  readonly #underWay = new Map<string, { failure: Error | null }>();
  readonly #extensions = new Map<string, Promise<boolean>>();
  readonly #folds = new FoldsAtOnce(1);

  constructor(events: UserEvents, configurations: (account: string) => ConfigurationHistory) {
    this.#events = events;
    this.#configurations = configurations;
  }

  /**
   * Reads no more than the events recorded since the user was last asked for, and of these at most 26.
   * @throws ProblemError 503 `overloaded` if 16 users wait to be folded; what made the last fold of the user fail
   */
  async find(user: UserRef): Promise<Folding> {
    const key = userKey(user);
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) {
      if (underWay.failure === null) return 'preparing';
      this.#underWay.delete(key);
      throw underWay.failure;
    }
    if (this.#refused.has(key)) return 'too_many';
    const known = this.#ready.get(key);
    if (known === undefined) return this.#fold(key, this.#newUser(user));
    // Answers that come at once share the extension.
    const extension = this.#extensions.get(key) ?? this.#extend(key, known);
    return (await extension) ? known : this.find(user);
  }

  /** @returns false if the user is not ready any more */
  #extend(key: string, known: FoldedUser): Promise<boolean> {
    const extension = known.extendBy(MOST_AT_ONCE).then(
      (isReady) => {
        if (!isReady && this.#ready.get(key) === known) this.#fold(key, known);
        return isReady;
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

  /** Nothing of the user stays in memory. */
  forget(user: UserRef): void {
    const key = userKey(user);
    this.#ready.delete(key);
    this.#underWay.delete(key);
  }

  #newUser(user: UserRef): FoldedUser {
    return new FoldedUser(user, this.#events, { at: (version) => this.#configurations(user.account).at(version) });
  }

  #fold(key: string, folded: FoldedUser): 'preparing' {
    this.#ready.delete(key);
    const underWay: { failure: Error | null } = { failure: null };
    const done = this.#folds.run(() => folded.extend());
    this.#underWay.set(key, underWay);
    void done.then(
      () => {
        if (this.#underWay.get(key) !== underWay) return;
        this.#underWay.delete(key);
        if (folded.bytes < MOST_BYTES) this.#ready.set(key, folded);
        else this.#refused.set(key, true);
      },
      (error: unknown) => {
        if (this.#underWay.get(key) !== underWay) return;
        underWay.failure = error instanceof Error ? error : new Error(String(error));
        if (!(error instanceof TooManyEventsError)) return;
        this.#underWay.delete(key);
        this.#refused.set(key, true);
      },
    );
    return 'preparing';
  }
}
