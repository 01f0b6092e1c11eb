import type pg from 'pg';

/**
 * Runs a statement `COPY … FROM STDIN` with this data. Sends all of it at once, so it must fit into memory.
 * @throws Error of the driver: nothing was copied
 */
export function copyIn(client: pg.ClientBase, statement: string, data: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, data, (error) => (error ? reject(error) : resolve())));
  });
}

/** The members of the driver's connection that its types leave out. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Implements the callbacks that the driver expects of a query. */
class CopyIn implements pg.Submittable {
  /** The driver wraps this callback in its own, which enforces the statement timeout. */
  callback: (error?: Error | null) => void;
  readonly #statement: string;
  readonly #data: readonly Buffer[];

  constructor(statement: string, data: readonly Buffer[], callback: (error?: Error | null) => void) {
    this.#statement = statement;
    this.#data = data;
    this.callback = callback;
  }

  submit(connection: unknown): void {
    (connection as CopyConnection).query(this.#statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    for (const chunk of this.#data) connection.sendCopyFromChunk(chunk);
    connection.endCopyFrom();
  }

  handleCommandComplete(): void {
    // Ignored: the result comes with the next message of the server.
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }
}
