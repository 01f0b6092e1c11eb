import type { CancelTimer, Clock } from '@laurel/ports';
import type { EventStoreDbClient } from './event-store-db-client.ts';

const SUBSCRIBE_AGAIN_AFTER_MS = 1_000;

/** Listens for appends by a subscription. When it ends, it subscribes again and notifies the listeners, because an append may have been missed. */
export class AppendSubscription {
  readonly #client: EventStoreDbClient;
  readonly #clock: Clock;
  readonly #listeners = new Set<() => void>();
  #unsubscribe: (() => void) | null = null;
  #closed = false;
  #cancelRetry: CancelTimer = () => undefined;

  constructor(client: EventStoreDbClient, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  add(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    if (this.#unsubscribe === null && !this.#closed) this.#subscribe();
    return () => void this.#listeners.delete(own);
  }

  close(): void {
    this.#closed = true;
    this.#listeners.clear();
    this.#cancelRetry();
    this.#unsubscribe?.();
  }

  #subscribe(): void {
    this.#cancelRetry();
    this.#unsubscribe = this.#client.subscribe({ onHint: () => this.#tellAll(), onEnd: () => this.#subscribeLater() });
  }

  #subscribeLater(): void {
    if (this.#closed) return;
    this.#unsubscribe = null;
    this.#cancelRetry = this.#clock.after(SUBSCRIBE_AGAIN_AFTER_MS, () => this.#subscribe());
  }

  #tellAll(): void {
    for (const listener of this.#listeners) listener();
  }
}
