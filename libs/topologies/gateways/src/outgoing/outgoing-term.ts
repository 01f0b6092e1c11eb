import type { UserRef } from '@laurel/kernel';
import type { CancelTimer, Clock } from '@laurel/ports';
import type { OutcomeReader } from '@laurel/outgoing';
import type { OutcomeTopic } from './outcome-topic.ts';

/** Delivers outcomes while this instance works. */
export interface Deliverer {
  /** The smallest sequence of an undelivered outcome; null if there is none. @throws StoreUnavailableError */
  oldestNeeded(): Promise<number | null>;
  /** Deletes the data of an erased user. @throws StoreUnavailableError */
  forgetUser(userKey: string): Promise<void>;
  close(): Promise<void>;
}

export interface OutgoingTermDependencies<D extends Deliverer> {
  readonly reader: (parts: Pick<OutgoingTerm<D>, 'oldestNeeded'>) => OutcomeReader;
  readonly topic: OutcomeTopic;
  /** Records the address of this instance, and begins to deliver. */
  readonly open: (reader: Pick<OutcomeReader, 'caughtUp'>) => Promise<D>;
  readonly clock: Pick<Clock, 'after'>;
  /** Called when opening failed; it is retried. */
  readonly onFailure: (error: unknown) => void;
}

const AGAIN_MS = 1_000;

/** The work of the elected instance: makes outcomes, sends them to their topic, and delivers them. */
export class OutgoingTerm<D extends Deliverer> {
  readonly #dependencies: OutgoingTermDependencies<D>;
  readonly #reader: OutcomeReader;
  #deliverer: D | null = null;
  #opening: Promise<void> = Promise.resolve();
  #cancel: CancelTimer = () => undefined;
  #isClosed = false;

  constructor(dependencies: OutgoingTermDependencies<D>) {
    this.#dependencies = dependencies;
    this.#reader = dependencies.reader(this);
  }

  /** null while it is being opened. */
  get deliverer(): D | null {
    return this.#deliverer;
  }

  /** The time for which making or sending has failed; 0 if the last attempts succeeded. */
  get failingMs(): number {
    return Math.max(this.#reader.failingMs, this.#dependencies.topic.failingMs);
  }

  begin(): void {
    this.#reader.begin();
    this.#dependencies.topic.begin();
    this.#open();
  }

  /** The smallest sequence that the topic or an endpoint still needs; 1 until the endpoints are read. @throws StoreUnavailableError */
  async oldestNeeded(): Promise<number> {
    if (this.#deliverer === null) return 1;
    const delivered = await this.#deliverer.oldestNeeded();
    return Math.min(await this.#dependencies.topic.oldestNeeded(), delivered ?? Infinity);
  }

  /** Deletes outcomes before deliveries, so that no new delivery arises. @throws StoreUnavailableError */
  async forget(user: UserRef): Promise<void> {
    await this.#reader.forget(user);
    await this.#opening;
    await this.#deliverer?.forgetUser(String(user.subject));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#opening;
    await Promise.all([this.#reader.close(), this.#dependencies.topic.close(), this.#deliverer?.close()]);
  }

  #open(): void {
    const { open, clock, onFailure } = this.#dependencies;
    this.#opening = open(this.#reader).then(
      (deliverer) => {
        this.#deliverer = deliverer;
      },
      (error: unknown) => {
        onFailure(error);
        if (!this.#isClosed) this.#cancel = clock.after(AGAIN_MS, () => this.#open());
      },
    );
  }
}
