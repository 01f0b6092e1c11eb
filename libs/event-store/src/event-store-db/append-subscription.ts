import type { CancelTimer, Clock } from '@laurel/contracts';
import type { EventStoreDbClient } from './event-store-db-client.ts';

const SUBSCRIBE_AGAIN_AFTER_MS = 1_000;

/** Hears of appends by a subscription. One that has ended is made anew; as something may have been missed, that counts as a hint. */
export class AppendSubscription {
  readonly #client: EventStoreDbClient;
  readonly #prefix: string;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #subscription: ReturnType<EventStoreDbClient['subscribe']> | null = null;
  #closed = false;
  #cancelRetry: CancelTimer = () => undefined;

  /** @param prefix of the streams that count */
  constructor(client: EventStoreDbClient, prefix: string, clock: Clock) {
    this.#client = client;
    this.#prefix = prefix;
    this.#clock = clock;
  }

  add(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    if (this.#subscription === null && !this.#closed) this.#subscribe();
    return () => void this.#listeners.delete(own);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    this.#cancelRetry();
    await this.#subscription?.unsubscribe().catch(() => undefined);
  }

  #subscribe(): void {
    this.#cancelRetry();
    const subscription = this.#client.subscribe(this.#prefix);
    this.#subscription = subscription;
    const tell = (): void => this.#tellAll();
    const again = (): void => this.#subscribeLater(subscription);
    subscription.on('confirmation', tell).on('data', tell);
    subscription.on('error', again).on('end', again).on('close', again);
  }

  #subscribeLater(ended: unknown): void {
    if (this.#closed || this.#subscription !== ended) return;
    this.#subscription = null;
    this.#cancelRetry = this.#clock.after(SUBSCRIBE_AGAIN_AFTER_MS, () => this.#subscribe());
  }

  #tellAll(): void {
    for (const listener of this.#listeners) listener();
  }
}
