import { keyText, type AreaTable, type Row, type Rows } from '@laurel/kernel';
import type { EncodedChange, RebuildStore, StoredDocument, UserRef } from '@laurel/engine';
import { MemoryBatchStore } from './memory-batch-store.ts';

/** The read models of a rebuild in memory, for laws that compare them. They never take over. */
export class MemoryRebuildStore implements RebuildStore {
  readonly written: MemoryBatchStore;
  readonly #tables: readonly AreaTable[];
  #rows = new Map<string, Row[]>();
  #removed = new Map<string, Row[]>();
  #documents: EncodedChange[] = [];

  constructor(tables: readonly AreaTable[]) {
    this.#tables = tables;
    this.written = new MemoryBatchStore(tables);
  }

  loadDocuments(users: readonly UserRef[]): Promise<ReadonlyMap<string, StoredDocument>> {
    return this.written.loadDocuments(users);
  }

  remove(rows: Rows): void {
    for (const [table, gone] of rows) {
      this.#removed.set(table, [...(this.#removed.get(table) ?? []), ...gone]);
      const { replacedBy = [] } = this.#tables.find(({ name }) => name === table) ?? {};
      const keys = new Set(gone.map((row) => keyText(replacedBy, row)));
      const kept = this.#rows.get(table)?.filter((row) => !keys.has(keyText(replacedBy, row)));
      if (kept !== undefined) this.#rows.set(table, kept);
    }
  }

  add(rows: Rows): void {
    for (const [table, added] of rows) this.#rows.set(table, [...(this.#rows.get(table) ?? []), ...added]);
  }

  put(rows: Rows): void {
    this.add(rows);
  }

  keep(documents: readonly EncodedChange[]): void {
    this.#documents.push(...documents);
  }

  write(): Promise<void> {
    const [documents, rows, removed] = [this.#documents, this.#rows, this.#removed];
    this.#documents = [];
    this.#removed = new Map();
    this.#rows = new Map();
    return this.written.commitBatch({
      after: 0,
      records: [],
      documents,
      rows,
      removed,
      checkpoints: [],
      inbox: [],
      applied: [],
    });
  }

  openComparison(): Promise<never> {
    return Promise.reject(new Error('nothing is stored to compare with'));
  }

  prepareTakeOver(): Promise<void> {
    return Promise.resolve();
  }

  takeOver(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
