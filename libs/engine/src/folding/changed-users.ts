import type { ChangedUser } from './changed-user.ts';
import type { AnyUserArea } from './document.ts';
import { dueAt } from './due-at.ts';

/** The users whom a batch changes. */
export class ChangedUsers {
  readonly #byKey = new Map<string, ChangedUser>();
  /** Of whom it is not known yet when something falls due for them. */
  readonly #undated = new Set<ChangedUser>();

  /** By `userKey`. */
  get byKey(): ReadonlyMap<string, ChangedUser> {
    return this.#byKey;
  }

  /** Whom the batch changes for the first time, or once more, or in another way than before. */
  put(key: string, changed: ChangedUser): void {
    const earlier = this.#byKey.get(key);
    if (earlier !== changed) {
      if (earlier) this.#undated.delete(earlier);
      this.#byKey.set(key, changed);
    }
    this.#undated.add(changed);
  }

  /**
   * Works out when something falls due for those who were put here since this was last done.
   * @throws DamagedStateError if an area cannot work with its state
   */
  date(areas: readonly AnyUserArea[]): void {
    for (const changed of this.#undated) changed.dueAt = dueAt(areas, changed, changed.document, changed.configuration);
    this.#undated.clear();
  }
}
