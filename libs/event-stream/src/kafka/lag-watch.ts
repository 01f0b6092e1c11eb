import type { Clock } from '@laurel/contracts';
import type { Membership } from './membership.ts';
import { Timers } from './timers.ts';

export interface Watched {
  readonly clock: Clock;
  readonly ends: () => Promise<readonly number[]>;
  /** Where the group stands, for partitions of which no batch has come yet. */
  readonly groupPositions: () => Promise<readonly number[]>;
  readonly membership: () => Membership | null;
  /** Reads one partition until it has moved; null: all. */
  readonly readAlone: (partition: number | null) => void;
}

const LOOK_EVERY_MS = 5_000;

/**
 * Looks now and then how far the partitions have got, for the health, and for those that are starved: a broker lets a
 * message that is longer than a fetch through only if it is the first of the answer, and answers partitions in the order
 * asked. So behind partitions that always have something, a long message would wait for ever; it is read alone.
 */
export class LagWatch {
  readonly #watched: Watched;
  readonly #timers: Timers;
  #last: { readonly membership: Membership; readonly behind: ReadonlyMap<number, number> } | null = null;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#timers = new Timers(watched.clock);
  }

  start(): void {
    this.#timers.after(LOOK_EVERY_MS, () => {
      this.start();
      // It is looked again, and what keeps the ends from us is seen elsewhere.
      this.#look().catch(() => undefined);
    });
  }

  stop(): void {
    this.#timers.cancel();
  }

  async #look(): Promise<void> {
    const { membership: current, ends, groupPositions, readAlone } = this.#watched;
    const membership = current();
    if (!membership || membership.partitions.length === 0) return;
    if (membership.hasUnknownPositions()) membership.learnPositions(await groupPositions());
    membership.learnEnds(await ends());
    if (membership !== current()) return;
    const behind = membership.waiting();
    const before = this.#last?.membership === membership ? this.#last.behind : new Map<number, number>();
    this.#last = { membership, behind };
    readAlone([...behind].find(([partition, position]) => before.get(partition) === position)?.[0] ?? null);
  }
}
