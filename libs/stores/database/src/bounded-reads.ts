import { StoreUnavailableError, type SqlReader } from '@laurel/kernel';
import { isAnswerOfServer } from '@laurel/ports';
import { ProblemError, problemOf } from '@laurel/schemas';
import pg from 'pg';
import type { ConnectionOptions } from './connection.ts';
import { whileReachable } from './database.ts';
import { clientConfig } from './session-client.ts';

export interface ReadBounds {
  /** Statements that run at the same time. */
  readonly connections: number;
  /** How long a statement waits for a connection. */
  readonly waitMs: number;
  /** How long a statement runs before the server cancels it. */
  readonly runMs: number;
  /** Waiting statements; one more is refused at once. */
  readonly mostWaiting: number;
}

const BOUNDS: ReadBounds = { connections: 2, waitMs: 2_000, runMs: 2_000, mostWaiting: 64 };
/** The driver gives up this much later if the server does not cancel. */
const CANCELLED_WITHIN_MS = 1_000;

const AGAIN = { 'retry-after': '1' };
const CANCELLED = '57014';

/** Reads for people, such as the console, over a separate small pool: however much they read, applications keep their connections. */
export class BoundedReads implements SqlReader {
  readonly #bounds: ReadBounds;
  readonly #pool: pg.Pool;

  constructor(connection: ConnectionOptions, bounds: ReadBounds = BOUNDS) {
    this.#bounds = bounds;
    this.#pool = new pg.Pool({
      ...clientConfig(connection, { statement_timeout: `${bounds.runMs}` }),
      application_name: 'laurel-console',
      max: bounds.connections,
      connectionTimeoutMillis: bounds.waitMs,
      query_timeout: bounds.runMs + CANCELLED_WITHIN_MS,
      keepAlive: true,
    });
    this.#pool.on('error', () => undefined);
  }

  /** @throws ProblemError 503 `overloaded` if too many wait, or the bounds are too narrow for this statement */
  async query<R extends object>(sql: string, parameters: readonly unknown[]): Promise<R[]> {
    const { connections, mostWaiting } = this.#bounds;
    if (this.#pool.waitingCount >= mostWaiting) throw tooMany();
    let hasWaited = this.#pool.totalCount >= connections && this.#pool.idleCount === 0;
    try {
      return await whileReachable(async () => {
        const client = await this.#pool.connect();
        hasWaited = false;
        let broken: unknown;
        try {
          return (await client.query(sql, [...parameters])).rows as R[];
        } catch (error) {
          // After an error of the server the connection is usable; after any other error it is not.
          broken = isAnswerOfServer(error) ? undefined : error;
          throw error;
        } finally {
          client.release(broken !== undefined);
        }
      });
    } catch (error) {
      if (hasWaited) throw tooMany();
      throw isCancelled(error) ? tookTooLong(this.#bounds.runMs) : error;
    }
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}

const isCancelled = (error: unknown): boolean =>
  error instanceof StoreUnavailableError &&
  (error.cause as { readonly code?: unknown } | undefined)?.code === CANCELLED;

const tooMany = () =>
  new ProblemError(
    problemOf('overloaded', 'Too many reads of the console and below /admin wait for the database; ask again.'),
    AGAIN,
  );

const tookTooLong = (runMs: number) =>
  new ProblemError(
    problemOf(
      'overloaded',
      `The database took longer than the ${runMs / 1_000} s that a read of the console or below /admin has; ask again.`,
    ),
    AGAIN,
  );
