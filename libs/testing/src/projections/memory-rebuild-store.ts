import type { AreaTable } from '@laurel/contracts';
import type { CommitBatch, RebuildStore, StoredDocument, UserRef } from '@laurel/engine';
import { MemoryBatchStore } from './memory-batch-store.ts';

/** Read models of a rebuild in memory, for laws: what it has written is compared, and it takes nothing over. */
export class MemoryRebuildStore implements RebuildStore {
  readonly written: MemoryBatchStore;

  constructor(tables: readonly AreaTable[]) {
    this.written = new MemoryBatchStore(tables);
  }

  loadDocuments(users: readonly UserRef[]): Promise<ReadonlyMap<string, StoredDocument>> {
    return this.written.loadDocuments(users);
  }

  write({ documents, rows, removed }: Pick<CommitBatch, 'documents' | 'rows' | 'removed'>): Promise<void> {
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
