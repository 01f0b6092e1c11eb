import { pause, type Clock } from '@laurel/ports';

export interface ReceiptBacklogOptions {
  readonly clock: Clock;
  /** The position of the log up to which every area has applied everything. */
  readonly appliedPosition: () => Promise<number>;
  /** How long a batch waits for room. */
  readonly limitMs: number;
  /** Called when the position could not be read; it is retried. */
  readonly onFailure: (error: unknown) => void;
}

/** The size of a batch in the backlog. */
export interface BatchSize {
  readonly records: number;
  readonly bytes: number;
}

/** The admission of a batch to the backlog. */
export interface Admission {
  /** Call once. @param position of the last record of the batch; null if none was recorded, which releases the room */
  settle(position: number | null): void;
}

interface Recorded {
  readonly position: number;
  readonly size: BatchSize;
}

/**
 * The most that one gateway acknowledges before the services have applied it. A live event waits after it in its partition, so it must be
 * applied well within the wait limit of an answer.
 */
export const MOST_UNAPPLIED: BatchSize = { records: 3_000, bytes: 16 * 1024 * 1024 };
const LOOK_AGAIN_MS = 150;

/**
 * Backpressure for events that are acknowledged after recording: a batch is admitted while the acknowledged, unapplied events stay within
 * {@link MOST_UNAPPLIED}. A larger batch is admitted alone.
 */
export class ReceiptBacklog {
  readonly #options: ReceiptBacklogOptions;
  #recorded: Recorded[] = [];
  #unapplied: BatchSize = { records: 0, bytes: 0 };
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ReceiptBacklogOptions) {
    this.#options = options;
  }

  /** Admitted records that were not applied by every area at the last check. */
  get records(): number {
    return this.#unapplied.records;
  }

  /** Waits for room, in the order of the calls; null if there is none within the limit. */
  admit(size: BatchSize): Promise<Admission | null> {
    const { clock, limitMs } = this.#options;
    const deadlineMs = clock.elapsedMs() + limitMs;
    const admitted = this.#turn.then(() => this.#admit(size, deadlineMs));
    this.#turn = admitted;
    return admitted;
  }

  async #admit(size: BatchSize, deadlineMs: number): Promise<Admission | null> {
    while (!this.#hasRoomFor(size)) {
      await this.#forgetApplied();
      if (this.#hasRoomFor(size)) break;
      if (this.#options.clock.elapsedMs() >= deadlineMs) return null;
      await pause(this.#options.clock, LOOK_AGAIN_MS);
    }
    this.#add(size, 1);
    return { settle: (position) => this.#settle(size, position) };
  }

  #settle(size: BatchSize, position: number | null): void {
    if (position === null) this.#add(size, -1);
    else this.#recorded.push({ position, size });
  }

  #hasRoomFor({ records, bytes }: BatchSize): boolean {
    const unapplied = this.#unapplied;
    if (unapplied.records === 0) return true;
    return unapplied.records + records <= MOST_UNAPPLIED.records && unapplied.bytes + bytes <= MOST_UNAPPLIED.bytes;
  }

  async #forgetApplied(): Promise<void> {
    try {
      const applied = await this.#options.appliedPosition();
      for (const { position, size } of this.#recorded) if (position <= applied) this.#add(size, -1);
      this.#recorded = this.#recorded.filter(({ position }) => position > applied);
    } catch (error) {
      this.#options.onFailure(error);
    }
  }

  #add({ records, bytes }: BatchSize, sign: 1 | -1): void {
    this.#unapplied = {
      records: this.#unapplied.records + sign * records,
      bytes: this.#unapplied.bytes + sign * bytes,
    };
  }
}
