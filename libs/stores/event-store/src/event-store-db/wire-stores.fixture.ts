import type { Clock } from '@laurel/ports';
import { MemoryDataKeys } from '../fixtures/index.ts';
import {
  DEFAULT_EVENT_STORE_DB_OPTIONS,
  EventStoreDbEventStore,
  type EventStoreDbOptions,
} from './event-store-db-event-store.ts';

/** The stores that a test opens; they must be closed before the server that they talk to, which is in the same process. */
export class WireStores {
  readonly #clock: Clock;
  readonly #options: Partial<EventStoreDbOptions>;
  #opened: EventStoreDbEventStore[] = [];

  /** @param options of every store, beside the defaults */
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

  /** The wire takes its own time. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#clock.after(10, resolve));
  }
}
