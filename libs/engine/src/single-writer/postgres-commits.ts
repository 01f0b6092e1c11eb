import type { AreaTable, SqlReader } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import { FencedError, storedRecordsOf, type HashStep, type LogWriter } from '@laurel/event-store';
import type { CommitBatch } from '../storage/batch-store.ts';
import { commitErrorOf } from './commit-errors.ts';
import { LogHashes } from './log-hashes.ts';
import { PreparedCommits } from './prepared-commits.ts';

/** Commits batches to Postgres: each is one prepared statement, sent with autocommit. */
export class PostgresCommits {
  readonly #writer: LogWriter;
  readonly #keys: DataKeys;
  readonly #hashes: LogHashes;
  readonly #commits: PreparedCommits;

  /** @param tables the tables of all areas that run in this process */
  constructor(writer: LogWriter, sql: SqlReader, keys: DataKeys, tables: readonly AreaTable[]) {
    this.#writer = writer;
    this.#keys = keys;
    this.#hashes = new LogHashes(writer);
    this.#commits = new PreparedCommits(sql, tables);
  }

  /** See `BatchStore.commitBatch`. */
  async commitBatch(batch: CommitBatch): Promise<void> {
    const records = await storedRecordsOf(batch.records, this.#keys);
    let moved: unknown[];
    let step: HashStep | null;
    try {
      step = await this.#hashes.next(batch.after, records);
      const { name, text, parameters } = await this.#commits.prepare(batch, records, step);
      moved = await this.#writer.query(name, text, [this.#writer.epoch, ...parameters]);
    } catch (error) {
      this.#hashes.forget();
      throw commitErrorOf(error);
    }
    if (moved.length > 0) this.#hashes.take(step);
    else if (!(await this.isCommitted(batch))) throw new FencedError();
    else this.#hashes.forget();
  }

  /** See `BatchStore.isCommitted`. */
  async isCommitted(batch: CommitBatch): Promise<boolean> {
    const [first] = batch.records;
    const found = await this.#writer.query(
      'is-committed',
      'select from log_head h where h.epoch = $1 and h.position >= $2 and ($3::uuid is null or exists (select from events e where e.position = $4 and e.event_id = $3))',
      [this.#writer.epoch, batch.after + batch.records.length, first?.eventId ?? null, batch.after + 1],
    );
    return found.length > 0;
  }
}
