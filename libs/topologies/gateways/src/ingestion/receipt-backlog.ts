import { pause, type Clock } from '@laurel/ports';

export interface ReceiptBacklogOptions {
  readonly clock: Clock;
  /** The position of the log up to which every area has applied everything. */
  readonly appliedPosition: () => Promise<number>;
  /** How long a batch waits for room. */
  readonly limitMs: number;
  /** The position could not be read; it is read again. */
  readonly onFailure: (error: unknown) => void;
}

/** What a batch adds to the backlog. */
export interface BatchSize {
  readonly records: number;
  readonly bytes: number;
}

/** Room that a batch has in the backlog. */
export interface Admission {
  /** @param position of the last record of the batch; null: none was recorded, and the room is free again. Call once. */
  settle(position: number | null): void;
}

interface Recorded {
  readonly position: number;
  readonly size: BatchSize;
}

/**
 * Bounds of what one gateway has acknowledged before the services applied it. A live event waits behind it in its partition,
 * so it must be worked off well within the wait limit of an answer.
 */
export const MOST_UNAPPLIED: BatchSize = { records: 3_000, bytes: 16 * 1024 * 1024 };
const LOOK_AGAIN_MS = 150;

/**
 * Back-pressure for events that are acknowledged once they are recorded: a batch is admitted while what was acknowledged
 * and not yet applied stays within {@link MOST_UNAPPLIED}. A batch that is larger is admitted alone.
 */
export class ReceiptBacklog {
  readonly #options: ReceiptBacklogOptions;
  #recorded: Recorded[] = [];
  #unapplied: BatchSize = { records: 0, bytes: 0 };
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: ReceiptBacklogOptions) {
    this.#options = options;
  }

  /** Records admitted and, when last looked, not applied by every area. */
  get records(): number {
    return this.#unapplied.records;
  }

  /** Waits for room, in the order of the calls. null: there was none within the limit. */
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
