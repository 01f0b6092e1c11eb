import type { CancelTimer, Clock } from '@laurel/ports';
import type pg from 'pg';
import { endSession } from './end-session.ts';
import { APPENDED_CHANNEL } from './log-statements.ts';
import type { LogSessionConfig } from './session-config.ts';

const RECONNECT_AFTER_MS = 1_000;

/**
 * Receives the notifications of processes that share the event store, on a separate connection. A reconnection counts as a notification,
 * because one may have been missed.
 */
export class AppendNotifications {
  readonly #config: LogSessionConfig;
  readonly #clock: Clock;
  readonly #onPosition: (position: number) => void;
  readonly #listeners = new Set<() => void>();
  #client: pg.Client | null = null;
  #begun = false;
  #closed = false;
  #cancelReconnect: CancelTimer = () => undefined;

  /** @param onPosition called with each position that the log has reached */
  constructor(config: LogSessionConfig, clock: Clock, onPosition: (position: number) => void) {
    this.#config = config;
    this.#clock = clock;
    this.#onPosition = onPosition;
  }

  add(listener: () => void): () => void {
    const own = (): void => listener();
    this.#listeners.add(own);
    if (!this.#begun) void this.#connect();
    return () => void this.#listeners.delete(own);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listeners.clear();
    this.#cancelReconnect();
    if (this.#client) await endSession(this.#client, this.#clock);
  }

  async #connect(): Promise<void> {
    this.#begun = true;
    const client = new this.#config.Client({
      ...this.#config,
      application_name: 'laurel-listener',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
    });
    this.#client = client;
    client.on('error', () => undefined);
    client.on('end', () => this.#connectLater(client));
    client.on('notification', ({ payload }) => this.#hear(Number(payload)));
    try {
      await client.connect();
      await client.query(`listen ${APPENDED_CHANNEL}`);
      this.#tellAll();
    } catch {
      await client.end().catch(() => undefined);
      this.#connectLater(client);
    }
  }

  #connectLater(lost: pg.Client): void {
    if (this.#closed || this.#client !== lost) return;
    this.#client = null;
    this.#cancelReconnect = this.#clock.after(RECONNECT_AFTER_MS, () => void this.#connect());
  }

  #hear(position: number): void {
    if (Number.isSafeInteger(position)) this.#onPosition(position);
    this.#tellAll();
  }

  #tellAll(): void {
    for (const listener of this.#listeners) listener();
  }
}
