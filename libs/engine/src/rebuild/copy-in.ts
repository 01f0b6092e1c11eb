import type pg from 'pg';

/**
 * Hands a statement `COPY … FROM STDIN` what it reads. All of it is sent at once, so it must fit into memory.
 * @throws Error of the driver: nothing was copied
 */
export function copyIn(client: pg.ClientBase, statement: string, data: readonly Buffer[]): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(new CopyIn(statement, data, (error) => (error ? reject(error) : resolve())));
  });
}

/** The part of the driver's connection that its types leave out. */
interface CopyConnection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** What the driver expects of a query: it calls these as the server answers. */
class CopyIn implements pg.Submittable {
  /** The driver puts its own in front, which ends with a statement that takes too long. */
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
    // The answer that counts is the one behind it.
  }

  handleError(error: Error): void {
    this.callback(error);
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }
}
