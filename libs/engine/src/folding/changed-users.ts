import type { ChangedUser } from './changed-user.ts';
import type { AnyUserArea } from './document.ts';
import { dueAt } from './due-at.ts';

/** The users whom a batch changes. */
export class ChangedUsers {
  readonly #byKey = new Map<string, ChangedUser>();
  /** Users whose `dueAt` is not computed yet. */
  readonly #undated = new Set<ChangedUser>();

  /** Users by `userKey`. */
  get byKey(): ReadonlyMap<string, ChangedUser> {
    return this.#byKey;
  }

  /** Adds a user, or replaces the user's earlier entry. */
  put(key: string, changed: ChangedUser): void {
    const earlier = this.#byKey.get(key);
    if (earlier !== changed) {
      if (earlier) this.#undated.delete(earlier);
      this.#byKey.set(key, changed);
    }
    this.#undated.add(changed);
  }

  /**
   * Computes `dueAt` of the users added since the last call.
   * @throws DamagedStateError if an area cannot work with its state
   */
  date(areas: readonly AnyUserArea[]): void {
    for (const changed of this.#undated) changed.dueAt = dueAt(areas, changed, changed.document, changed.configuration);
    this.#undated.clear();
  }
}
