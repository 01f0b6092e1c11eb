import pg from 'pg';

/**
 * A connection that may be lost at any time. While somebody holds it the pool does not listen for errors, and one that
 * comes between two statements would end the process: here the next statement fails instead.
 */
export class PooledClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}
