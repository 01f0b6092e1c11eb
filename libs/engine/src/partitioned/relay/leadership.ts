import type { Clock } from '@laurel/ports';
import { endSession, type LogSessionConfig } from '@laurel/event-store';
import type pg from 'pg';

export interface LeadershipDependencies {
  readonly config: LogSessionConfig;
  readonly clock: Clock;
  /** Number of the advisory lock. Default: the lock of the leader that publishes the event store and sweeps. */
  readonly lock?: number;
  readonly onElected: () => void;
  readonly onLost: () => Promise<void>;
  /** Called once per outage, when the database cannot be asked; the check is repeated. */
  readonly onTrouble: (error: unknown) => void;
}

/** An arbitrary number that no other lock uses. The lock's holder publishes the event store and sweeps. */
const LEADER_LOCK = 0x1a7e2;
const RETRY_MS = 1_000;
/** Interval of the checks. A leader whose connection silently died has lost the lock, and notices at the next check. */
const CHECK_MS = 2_000;
/** A frozen leader keeps its connection, and so the lock, until the server has not heard from it for this long. */
const FROZEN_MS = 10_000;

/**
 * Elects one leader among several processes by an advisory lock. A leader that was frozen may believe for a while that
 * it still leads, so everything a leader does must be harmless if two processes do it.
 */
export class Leadership {
  readonly #dependencies: LeadershipDependencies;
  #client: pg.Client | null = null;
  #leading = false;
  #inTrouble = false;
  #ended = false;
  #turn: Promise<void> = Promise.resolve();
  #cancel: () => void = () => undefined;

  constructor(dependencies: LeadershipDependencies) {
    this.#dependencies = dependencies;
  }

  get leading(): boolean {
    return this.#leading;
  }

  start(): void {
    this.#turn = this.#attempt().finally(() => {
      if (!this.#ended)
        this.#cancel = this.#dependencies.clock.after(this.#leading ? CHECK_MS : RETRY_MS, () => this.start());
    });
  }

  /** Gives up the lead, so that another process gets it at once. */
  async stop(): Promise<void> {
    this.#ended = true;
    this.#cancel();
    await this.#turn;
    await this.#lose();
  }

  async #attempt(): Promise<void> {
    try {
      const client = (this.#client ??= await this.#connect());
      if (this.#leading) await client.query('select 1');
      else if ((await tryLock(client, this.#dependencies.lock)) && !this.#ended) {
        this.#leading = true;
        this.#dependencies.onElected();
      }
      this.#inTrouble = false;
    } catch (error) {
      if (!this.#inTrouble) this.#dependencies.onTrouble(error);
      this.#inTrouble = true;
      await this.#lose();
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = await connect(this.#dependencies.config);
    await client.query(`set idle_session_timeout = ${FROZEN_MS}`);
    return client;
  }

  async #lose(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (this.#leading) {
      this.#leading = false;
      await this.#dependencies.onLost();
    }
    if (client) await endSession(client, this.#dependencies.clock);
  }
}

/**
 * Leads until the caller gives the lead back. @returns a function that gives it back, or null if another process leads
 */
export async function holdLead(config: LogSessionConfig): Promise<(() => Promise<void>) | null> {
  const client = await connect(config);
  if (await tryLock(client)) return () => client.end();
  await client.end();
  return null;
}

async function connect(config: LogSessionConfig): Promise<pg.Client> {
  const client = new config.Client({
    ...config,
    application_name: 'laurel-leader',
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

async function tryLock(client: pg.Client, lock = LEADER_LOCK): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [lock]);
  return rows[0]?.locked ?? false;
}
