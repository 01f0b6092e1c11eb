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

/** Finds the events that have used idempotency keys: in memory, or, where that cannot know, in the store. */
export class KeyLookup {
  readonly #dependencies: KeyLookupDependencies;

  constructor(dependencies: KeyLookupDependencies) {
    this.#dependencies = dependencies;
  }

  /** The event that has used the command's key, as far as the batch and what is committed in memory know. */
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
   * Asks the store for keys that may have been used. A user of whom nothing is stored has used none; for users at hand it
   * is left to the unique index to object, unless a key in use has been met lately.
   * @param isSuspect whether a user's keys are asked for in any case
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

  /** By the key itself, with every hash under which it may have been recorded. */
  #keysToAsk(batch: Batch, tasks: readonly EngineTask[], isSuspect: (user: UserRef) => boolean) {
    const asked = new Map<KeyHash, readonly KeyHash[]>();
    for (const { command } of tasks) {
      if (!isKeyed(command)) continue;
      const keys = keysOf(command);
      // The unique index knows nothing of how earlier releases read a key.
      if (keys.flat().length <= 1 && !isSuspect(command)) continue;
      for (const hashes of keys) if (this.originalWith(batch, hashes[0]) === undefined) asked.set(hashes[0], hashes);
    }
    return asked;
  }

  /** The positions of those events that are retracted. */
  async #retractedAmong(used: readonly UsedKey[]): Promise<ReadonlySet<number>> {
    if (used.length === 0) return NONE;
    const corrections = await this.#dependencies.userEvents.correctionsOf([
      ...new Set(used.map(({ subject }) => subject)),
    ]);
    // Users never correct each other's events, so all corrections together come to the same as those of each alone.
    const changes = [...changesOf(corrections)].filter(([, { retracted }]) => retracted);
    return new Set(changes.map(([position]) => position));
  }
}

const NONE: ReadonlySet<number> = new Set();
