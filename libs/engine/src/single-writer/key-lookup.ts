import type { LocalDate } from '@laurel/calendar';
import { isKeyed, type KeyHash } from '@laurel/kernel';
import { keysOf, originalAmong, type UsedKey } from '@laurel/event-store';
import { changesOf } from '../folding/event-changes.ts';
import type { UserRef } from '../folding/document.ts';
import type { UserEvents } from '../folding/user-events.ts';
import type { BatchStore } from '../storage/batch-store.ts';
import type { Batch, OriginalEvent } from './batch.ts';
import type { Committed } from './committed.ts';
import type { EngineTask, InternalCommand } from './internal-command.ts';

export interface KeyLookupDependencies {
  readonly store: Pick<BatchStore, 'findKeys'>;
  readonly committed: Pick<Committed, 'keys'>;
  readonly userEvents: Pick<UserEvents, 'correctionsOf'>;
  readonly originalDates: (keys: readonly UsedKey[]) => Promise<readonly LocalDate[]>;
}

/** Finds the events that used idempotency keys: in memory or, if memory cannot know, in the store. */
export class KeyLookup {
  readonly #dependencies: KeyLookupDependencies;

  constructor(dependencies: KeyLookupDependencies) {
    this.#dependencies = dependencies;
  }

  /** The event that used the command's key, if the batch or the memory of committed keys has it. */
  originalOf(batch: Batch, command: InternalCommand): OriginalEvent | undefined {
    if (!isKeyed(command)) return undefined;
    for (const [key] of keysOf(command)) {
      const original = this.originalWith(batch, key);
      if (original !== undefined) return original;
    }
    return undefined;
  }

  originalWith(batch: Batch, key: KeyHash): OriginalEvent | undefined {
    return batch.originalOf(key) ?? this.#dependencies.committed.keys.get(key);
  }

  /**
   * Looks up keys in the store that may have been used. Users without stored state have used none. For users in memory,
   * the unique index rejects duplicates instead, unless a duplicate key occurred recently.
   * @param isSuspect whether to look up a user's keys in any case
   */
  async lookUp(batch: Batch, tasks: readonly EngineTask[], isSuspect: (user: UserRef) => boolean): Promise<void> {
    const asked = this.#keysToAsk(batch, tasks, isSuspect);
    if (asked.size === 0) return;
    const used = await this.#dependencies.store.findKeys([...asked.values()].flat());
    const dates = used.length > 0 ? await this.#dependencies.originalDates(used) : [];
    const retracted = await this.#retractedAmong(used);
    const originals = new Map(
      used.map(({ keyHash, eventId, position }, index): [KeyHash, OriginalEvent] => {
        const original = { eventId, date: dates[index] as LocalDate };
        return [keyHash, retracted.has(position) ? { ...original, retracted: true } : original];
      }),
    );
    for (const [key, hashes] of asked) {
      const original = originalAmong(hashes, originals);
      if (original) batch.keepOriginal(key, original);
    }
  }

  /** Each key to look up, with all hashes under which it may have been recorded. */
  #keysToAsk(batch: Batch, tasks: readonly EngineTask[], isSuspect: (user: UserRef) => boolean) {
    const asked = new Map<KeyHash, readonly KeyHash[]>();
    for (const { command } of tasks) {
      if (!isKeyed(command)) continue;
      const keys = keysOf(command);
      // The unique index does not cover the key hashes of earlier releases.
      if (keys.flat().length <= 1 && !isSuspect(command)) continue;
      for (const hashes of keys) if (this.originalWith(batch, hashes[0]) === undefined) asked.set(hashes[0], hashes);
    }
    return asked;
  }

  /** The positions of the retracted ones among these events. */
  async #retractedAmong(used: readonly UsedKey[]): Promise<ReadonlySet<number>> {
    if (used.length === 0) return NONE;
    const corrections = await this.#dependencies.userEvents.correctionsOf([
      ...new Set(used.map(({ subject }) => subject)),
    ]);
    // Corrections only name events of their own user, so the corrections of several users can be combined.
    const changes = [...changesOf(corrections)].filter(([, { retracted }]) => retracted);
    return new Set(changes.map(([position]) => position));
  }
}

const NONE: ReadonlySet<number> = new Set();
