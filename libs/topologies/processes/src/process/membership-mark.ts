import type { CancelTimer, Clock } from '@laurel/ports';
import { openSession, type ConnectionOptions } from '@laurel/database';
import { endSession } from '@laurel/event-store';
import { lastingFailure } from '@laurel/runtime';
import type pg from 'pg';
import { membershipLockOf } from './group-members.ts';
import type { ProcessFrame } from './run-process.ts';

export interface MembershipMarkOptions {
  readonly server: ConnectionOptions;
  readonly service: string;
  /** Whether this process is in the service's consumer group. */
  readonly isMember: () => boolean;
  readonly clock: Clock;
  /** Called when the mark could not be set in the database; it is retried within a second. */
  readonly onFailure: (error: unknown) => void;
}

const LOOK_EVERY_MS = 1_000;
/** A rebalance takes a member out of its group for up to this time. */
const OUT_FOR_MS = 10_000;

/**
 * Shows other processes that this one is in its consumer group, by an advisory lock in the database. The server
 * releases the lock when the process ends in any way, and holding it costs nothing.
 */
export class MembershipMark {
  readonly #options: MembershipMarkOptions;
  #client: pg.Client | null = null;
  #lastMemberMs: number | null = null;
  #cancel: CancelTimer = () => undefined;
  #turn: Promise<void> = Promise.resolve();
  #ended = false;

  constructor(options: MembershipMarkOptions) {
    this.#options = options;
  }

  start(): void {
    this.#turn = this.#look()
      .catch(this.#options.onFailure)
      .finally(() => {
        if (!this.#ended) this.#cancel = this.#options.clock.after(LOOK_EVERY_MS, () => this.start());
      });
  }

  async stop(): Promise<void> {
    this.#ended = true;
    this.#cancel();
    await this.#turn;
    await this.#release();
  }

  async #look(): Promise<void> {
    const nowMs = this.#options.clock.elapsedMs();
    if (this.#options.isMember()) this.#lastMemberMs = nowMs;
    const counts = this.#lastMemberMs !== null && nowMs - this.#lastMemberMs < OUT_FOR_MS;
    if (counts) await this.#hold();
    else await this.#release();
  }

  async #hold(): Promise<void> {
    if (this.#client !== null) return;
    const { server, service } = this.#options;
    const client = await openSession(server, {
      application_name: `laurel ${service} member`,
      connectionTimeoutMillis: 5_000,
      query_timeout: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    const lost = () => {
      if (this.#client === client) this.#client = null;
    };
    client.on('error', lost);
    client.on('end', lost);
    try {
      await client.query('select pg_advisory_lock_shared($1)', [membershipLockOf(service)]);
      this.#client = client;
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  async #release(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (client) await endSession(client, this.#options.clock);
  }
}

/** Marks the membership for as long as the process runs. */
export function markMembership(
  { environment, clock, logger, shutdown }: ProcessFrame,
  service: string,
  isMember: () => boolean,
): void {
  const mark = new MembershipMark({
    server: environment.database,
    service,
    isMember,
    clock,
    onFailure: lastingFailure(logger, clock, 'could not mark this process as a member of its consumer group; retrying'),
  });
  mark.start();
  shutdown.register('membership mark', () => mark.stop());
}
