import type { AllStreamRecordedEvent, AllStreamResolvedEvent, Position } from '@eventstore/db-client';
import type { Clock } from '@laurel/ports';
import { NoAnswerError } from './append-errors.ts';

/** A filtered subscription of the client. */
interface Subscription {
  read(): unknown;
  on(event: 'readable' | 'confirmation' | 'caughtUp' | 'end' | 'close', listener: () => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  unsubscribe(): Promise<void>;
}

/** A page of a cursor. */
export interface CursorPage {
  readonly events: readonly AllStreamRecordedEvent[];
  /** Whether it has caught up: these were the last events at some moment since the cursor was opened. */
  readonly caughtUp: boolean;
  /** The position up to which the server has searched, so that no other event of this log lies before it; null if unknown. */
  readonly passed: Position | null;
}

/**
 * Reads forwards through a filtered subscription: the server skips other streams, and sends no more than is taken. The cursor ends when it
 * has caught up (servers report that since 23.10).
 */
export class FilteredCursor {
  onClosed = (): void => undefined;
  readonly #subscription: Subscription;
  readonly #clock: Clock;
  readonly #pauseLimitMs: number;
  readonly #hold: () => () => void;
  #isTaking = false;
  #isRetired = false;
  #heardAtMs: number;
  #checkpoint: Position | null = null;
  #caughtUp = false;
  #failure: Error | null = null;
  #wake = (): void => undefined;

  /**
   * @param pauseLimitMs the longest silence of the server during a read
   * @param hold keeps the connection open until the returned function is called
   */
  constructor(
    open: (onCheckpoint: (at: Position) => void) => Subscription,
    clock: Clock,
    pauseLimitMs: number,
    hold: () => () => void,
  ) {
    this.#hold = hold;
    this.#clock = clock;
    this.#pauseLimitMs = pauseLimitMs;
    this.#heardAtMs = clock.elapsedMs();
    this.#subscription = open((position) => {
      this.#checkpoint = position;
      this.#heard();
    });
    this.#subscription
      .on('readable', () => this.#heard())
      .on('confirmation', () => this.#heard())
      .on('caughtUp', () => {
        this.#caughtUp = true;
        this.#heard();
      })
      .on('error', (error) => this.#fail(error))
      .on('end', () => this.#fail(new Error('the subscription has ended')))
      .on('close', () => this.#fail(new Error('the subscription has ended')));
  }

  /** Whether its connection was replaced or its call has ended. */
  get isOver(): boolean {
    return this.#failure !== null;
  }

  /** The next events, at most `limit`; fewer only if it has caught up. @throws NoAnswerError, or the error of the call */
  async take(limit: number): Promise<CursorPage> {
    const release = this.#hold();
    this.#isTaking = true;
    try {
      return await this.#take(limit);
    } finally {
      this.#isTaking = false;
      if (this.#isRetired) this.close();
      release();
    }
  }

  async #take(limit: number): Promise<CursorPage> {
    const events: AllStreamRecordedEvent[] = [];
    this.#heardAtMs = this.#clock.elapsedMs();
    while (events.length < limit) {
      const item = this.#subscription.read() as AllStreamResolvedEvent | null;
      if (item?.event) events.push(item.event);
      if (item !== null) continue;
      if (this.#caughtUp) return { events, caughtUp: true, passed: this.#checkpoint };
      if (this.#failure !== null) throw this.#failure;
      await this.#more();
    }
    return { events, caughtUp: false, passed: this.#checkpoint };
  }

  /** Closes it after the read in progress: another call was not answered, but this one has its own limit. */
  retire(): void {
    this.#isRetired = true;
    if (!this.#isTaking) this.close();
  }

  close(): void {
    this.#fail(new Error('the cursor was closed'));
    this.onClosed();
    this.#subscription.unsubscribe().catch(() => undefined);
  }

  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      const leftMs = this.#heardAtMs + this.#pauseLimitMs - this.#clock.elapsedMs();
      const cancel = this.#clock.after(Math.max(leftMs, 0), () => reject(new NoAnswerError(this.#pauseLimitMs, true)));
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }

  #heard(): void {
    this.#heardAtMs = this.#clock.elapsedMs();
    this.#wake();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }
}
