import type { Clock } from '@laurel/ports';
import type { Membership } from './membership.ts';
import { Timers } from './timers.ts';

export interface Watched {
  readonly clock: Clock;
  readonly ends: () => Promise<readonly number[]>;
  /** Where the group stands, for partitions of which no batch has come yet. */
  readonly groupPositions: () => Promise<readonly number[]>;
  readonly membership: () => Membership | null;
  /** The broker did not answer, after it had (or at first); it is asked again. Once for each outage. */
  readonly onTrouble: (error: unknown) => void;
}

const LOOK_EVERY_MS = 5_000;

/** Looks now and then where partitions end: of those that stand still, or have never moved, no batch tells. */
export class LagWatch {
  readonly #watched: Watched;
  readonly #timers: Timers;
  #inTrouble = false;

  constructor(watched: Watched) {
    this.#watched = watched;
    this.#timers = new Timers(watched.clock);
  }

  start(): void {
    this.#timers.after(LOOK_EVERY_MS, () => {
      this.start();
      void this.#look();
    });
  }

  stop(): void {
    this.#timers.cancel();
  }

  async #look(): Promise<void> {
    try {
      await this.#learn();
      this.#inTrouble = false;
    } catch (error) {
      if (!this.#inTrouble) this.#watched.onTrouble(error);
      this.#inTrouble = true;
    }
  }

  async #learn(): Promise<void> {
    const { membership, ends, groupPositions } = this.#watched;
    const current = membership();
    if (!current || current.partitions.length === 0) return;
    if (current.hasUnknownPositions()) current.learnPositions(await groupPositions());
    current.learnEnds(await ends());
  }
}
