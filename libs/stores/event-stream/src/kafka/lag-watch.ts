import type { Clock } from '@laurel/ports';
import type { Membership } from './membership.ts';
import { Timers } from './timers.ts';

export interface Watched {
  readonly clock: Clock;
  readonly ends: () => Promise<readonly number[]>;
  /** The positions of the group, for partitions without a batch so far. */
  readonly groupPositions: () => Promise<readonly number[]>;
  readonly membership: () => Membership | null;
  /** Called once for each outage, when the broker does not answer; it is retried. */
  readonly onTrouble: (error: unknown) => void;
}

const LOOK_EVERY_MS = 5_000;

/** Polls the ends of partitions, because an idle or stopped partition delivers no batch that tells its end. */
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
