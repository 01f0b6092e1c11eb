import { formatInstant } from '@laurel/calendar';
import { storedRows, type AreaTable, type Row, type SqlReader } from '@laurel/kernel';
import { chainParameters, prefixOf, rowOfStored, type HashStep, type StoredRecord } from '@laurel/event-store';
import type { CommitBatch } from '../storage/batch-store.ts';
import { checkpointRow, documentRows } from '../storage/postgres-tables.ts';
import { rowArray } from '../storage/row-array.ts';
import { readColumns, type Column } from '../storage/table-columns.ts';
import { commitStatement, EVENTS, NOTHING_HASHED } from './commit-statement.ts';

/** A prepared statement with its parameters, which follow the epoch of the writer. */
interface PreparedCommit {
  readonly name: string;
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** Writes the rows of batches as parameters of prepared statements. */
export class PreparedCommits {
  readonly #sql: SqlReader;
  readonly #tables: readonly AreaTable[];
  readonly #replaced: readonly AreaTable[];
  readonly #commit: string;
  /** Like {@link #commit}, but first deletes replaced rows and forgets erased users. */
  readonly #commitTaking: string;
  /** The columns of `events` and the tables of areas; null until they are read. */
  #columns: ReadonlyMap<string, readonly Column[]> | null = null;

  /** @param tables the tables of all areas that run in this process */
  constructor(sql: SqlReader, tables: readonly AreaTable[]) {
    this.#sql = sql;
    this.#tables = tables;
    this.#replaced = tables.filter(({ replacedBy }) => replacedBy !== undefined);
    this.#commit = commitStatement(tables, null);
    this.#commitTaking = commitStatement(tables, this.#replaced);
  }

  /**
   * @param records the records of the batch, as they are stored
   * @param step null if the records are not hashed
   */
  async prepare(batch: CommitBatch, records: readonly StoredRecord[], step: HashStep | null): Promise<PreparedCommit> {
    this.#columns ??= await readColumns(this.#sql, [EVENTS, ...this.#tables.map(({ name }) => name)]);
    const columns = this.#columns;
    const arrayOf = (table: string, rows: readonly Row[]): string => rowArray(columns.get(table) ?? [], rows);
    const parameters: unknown[] = [
      batch.after,
      batch.after + records.length,
      arrayOf(EVENTS, eventRows(records, step)),
      documentRows(batch.documents),
      JSON.stringify(batch.checkpoints.map(checkpointRow)),
      JSON.stringify(batch.inbox),
      JSON.stringify(batch.applied),
      ...this.#tables.map((table) => arrayOf(table.name, storedRows(table, batch.rows.get(table.name) ?? []))),
      recordedAtOf(batch),
      ...(step === null ? NOTHING_HASHED : chainParameters(step)),
    ];
    const erased = batch.records.flatMap(({ account, fact }) =>
      fact.type === 'UserErased' ? [{ account, subject: fact.subject }] : [],
    );
    if (erased.length === 0 && batch.removed.size === 0)
      return { name: 'commit-batch', text: this.#commit, parameters };
    parameters.push(
      ...this.#replaced.map(({ name }) => JSON.stringify(batch.removed.get(name) ?? [])),
      erased.map(({ account }) => account),
      erased.map(({ subject }) => subject),
    );
    return { name: 'commit-taking-batch', text: this.#commitTaking, parameters };
  }
}

const eventRows = (records: readonly StoredRecord[], step: HashStep | null): readonly Row[] =>
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
