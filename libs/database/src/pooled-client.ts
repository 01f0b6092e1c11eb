import pg from 'pg';

/**
 * A connection that may be lost at any time. While somebody holds it the pool does not listen for errors, and one that
 * comes between two statements would end the process: here the next statement fails instead.
 *
 * A statement that is not answered in time ends the connection, because the server may still be in its transaction: whoever got the
 * connection next would write into that transaction, and lose it.
 */
export class PooledClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
    this.query = ((...asked: unknown[]): unknown => {
      const answer: unknown = Reflect.apply(super.query, this, asked);
      if (answer instanceof Promise) answer.catch((error: unknown) => this.#endIfLate(error));
      return answer;
    }) as typeof this.query;
  }

  #endIfLate(error: unknown): void {
    if (error instanceof Error && error.message === LATE) this.end().catch(() => undefined);
  }
}

/** The driver gives this error no code. */
const LATE = 'Query read timeout';
