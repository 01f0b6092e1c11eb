import type { Clock, SqlReader } from '@laurel/contracts';

/** The server counts the files of the whole database for it. */
const READ_EVERY_MS = 60_000;

/** How large the database is, read at most once a minute however often it is asked for. */
export class DatabaseSize {
  readonly #sql: SqlReader;
  readonly #clock: Clock;
  #bytes: number | null = null;
  #readAtMs: number | null = null;

  constructor(sql: SqlReader, clock: Clock) {
    this.#sql = sql;
    this.#clock = clock;
  }

  /** As last read; null: not known. Reads again, in the background, what is older than a minute. */
  get bytes(): number | null {
    void this.refresh();
    return this.#bytes;
  }

  /** Never rejects: while the database cannot be read, its size is not known. */
  async refresh(): Promise<void> {
    const now = this.#clock.elapsedMs();
    if (this.#readAtMs !== null && now - this.#readAtMs < READ_EVERY_MS) return;
    this.#readAtMs = now;
    this.#bytes = await this.#read().catch(() => null);
  }

  async #read(): Promise<number> {
    const [row] = await this.#sql.query<{ bytes: string }>(
      'select pg_database_size(current_database())::text as bytes',
      [],
    );
    return Number(row?.bytes);
  }
}
