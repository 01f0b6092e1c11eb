import type { Clock } from '@laurel/ports';
import { MemoryDataKeys } from '../fixtures/index.ts';
import {
  DEFAULT_EVENT_STORE_DB_OPTIONS,
  EventStoreDbEventStore,
  type EventStoreDbOptions,
} from './event-store-db-event-store.ts';

/** The stores that a test opens. They must be closed before their server, which runs in the same process. */
export class WireStores {
  readonly #clock: Clock;
  readonly #options: Partial<EventStoreDbOptions>;
  #opened: EventStoreDbEventStore[] = [];

  /** @param options for every store, in addition to the defaults */
  constructor(clock: Clock, options: Partial<EventStoreDbOptions> = {}) {
    this.#clock = clock;
    this.#options = options;
  }

  open(url: string, options: Partial<EventStoreDbOptions> = {}): EventStoreDbEventStore {
    const all = { ...DEFAULT_EVENT_STORE_DB_OPTIONS, ...this.#options, ...options };
    const store = new EventStoreDbEventStore(url, this.#clock, new MemoryDataKeys(), all);
    this.#opened.push(store);
    return store;
  }

  async close(): Promise<void> {
    const opened = this.#opened;
    this.#opened = [];
    for (const store of opened) await store.close();
  }

  /** Polls, because the server answers over a real socket. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#clock.after(10, resolve));
  }
}
