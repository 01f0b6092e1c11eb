import { formatInstant } from '@laurel/calendar';
import { storedRows, type AreaTable, type Row, type SqlReader, type UserRef } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import {
  chainParameters,
  DuplicateKeyError,
  FencedError,
  isDuplicateKey,
  isRefusedData,
  prefixOf,
  rowOfStored,
  storedRecordsOf,
  type ChainStep,
  type LogWriter,
  type StoredRecord,
} from '@laurel/event-store';
import { RefusedDataError, type CommitBatch } from '../storage/batch-store.ts';
import { checkpointRow, documentRows } from '../storage/postgres-tables.ts';
import { rowArray } from '../storage/row-array.ts';
import { readColumns, type Column } from '../storage/table-columns.ts';
import { commitStatement, EVENTS, NOTHING_HASHED } from './commit-statement.ts';
import { LogHashes } from './log-hashes.ts';

/** Commits batches to Postgres: each is one prepared statement, sent with autocommit. */
export class PostgresCommits {
  readonly #writer: LogWriter;
  readonly #sql: SqlReader;
  readonly #keys: DataKeys;
  readonly #hashes: LogHashes;
  readonly #tables: readonly AreaTable[];
  readonly #commit: string;
  /** As {@link #commit}, but takes rows away before, and forgets users who are erased. */
  readonly #commitTaking: string;
  readonly #replaced: readonly AreaTable[];
  /** Those of `events` and the tables of areas; null: not read yet. */
  #columns: ReadonlyMap<string, readonly Column[]> | null = null;

  /** @param tables the tables of all areas that run in this process */
  constructor(writer: LogWriter, sql: SqlReader, keys: DataKeys, tables: readonly AreaTable[]) {
    this.#writer = writer;
    this.#sql = sql;
    this.#keys = keys;
    this.#hashes = new LogHashes(writer);
    this.#tables = tables;
    this.#commit = commitStatement(tables, null);
    this.#replaced = tables.filter(({ replacedBy }) => replacedBy !== undefined);
    this.#commitTaking = commitStatement(tables, this.#replaced);
  }

  /** See `BatchStore.commitBatch`. */
  async commitBatch(batch: CommitBatch): Promise<void> {
    const records = await storedRecordsOf(batch.records, this.#keys);
    this.#columns ??= await readColumns(this.#sql, [EVENTS, ...this.#tables.map(({ name }) => name)]);
    const columns = this.#columns;
    const arrayOf = (table: string, rows: readonly Row[]): string => rowArray(columns.get(table) ?? [], rows);
    const erased = erasedIn(batch);
    let moved: unknown[];
    let step: ChainStep | null = null;
    try {
      step = await this.#hashes.next(batch.after, records);
      const takes = erased.length > 0 || batch.removed.size > 0;
      const [name, statement] = takes ? ['commit-taking-batch', this.#commitTaking] : ['commit-batch', this.#commit];
      moved = await this.#writer.query(name, statement, [
        this.#writer.epoch,
        batch.after,
        batch.after + records.length,
        arrayOf(EVENTS, rowsOf(records, step)),
        documentRows(batch.documents),
        JSON.stringify(batch.checkpoints.map(checkpointRow)),
        JSON.stringify(batch.inbox),
        JSON.stringify(batch.applied),
        ...this.#tables.map((table) => arrayOf(table.name, storedRows(table, batch.rows.get(table.name) ?? []))),
        recordedAtOf(batch),
        ...(step === null ? NOTHING_HASHED : chainParameters(step)),
        ...(takes ? this.#takenBy(batch, erased) : []),
      ]);
    } catch (error) {
      this.#hashes.forget();
      throw translated(error);
    }
    if (moved.length > 0) this.#hashes.take(step);
    else if (!(await this.isCommitted(batch))) throw new FencedError();
    else this.#hashes.forget();
  }

  /** The parameters of {@link #commitTaking} behind those of every batch. */
  #takenBy({ removed }: CommitBatch, erased: readonly UserRef[]): readonly unknown[] {
    return [
      ...this.#replaced.map(({ name }) => JSON.stringify(removed.get(name) ?? [])),
      erased.map(({ account }) => account),
      erased.map(({ subject }) => subject),
    ];
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

const erasedIn = ({ records }: CommitBatch): readonly UserRef[] =>
  records.flatMap(({ account, fact }) => (fact.type === 'UserErased' ? [{ account, subject: fact.subject }] : []));

const rowsOf = (records: readonly StoredRecord[], step: ChainStep | null): readonly Row[] =>
  records.map((record, index) => {
    const row = rowOfStored(record);
    const leaf = step?.leaves[index];
    if (leaf !== undefined) row['hash_prefix'] = prefixOf(leaf);
    return row;
  });

function recordedAtOf({ records }: CommitBatch): string | null {
  const newest = records.at(-1);
  return newest === undefined ? null : formatInstant(newest.recordedAt);
}

function translated(error: unknown): unknown {
  if (isDuplicateKey(error)) return new DuplicateKeyError('an idempotency key of the batch has been used before');
  if (!isRefusedData(error)) return error;
  const { code } = error as { code?: string };
  return new RefusedDataError(`the database refuses a value of the batch (${code})`, { cause: error });
}
