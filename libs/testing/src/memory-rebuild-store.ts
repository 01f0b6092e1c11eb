import type { AreaName, AreaTable } from '@laurel/contracts';
import type { Checkpoint, CommitBatch, RebuildStore, StoredDocument, UserRef } from '@laurel/projections';
import { MemoryBatchStore } from './memory-batch-store.ts';

/** Read models of a rebuild in memory; `takeOver` moves them into a live store in memory. */
export class MemoryRebuildStore implements RebuildStore {
  readonly written: MemoryBatchStore;
  readonly takenOver: (Checkpoint & { readonly area: AreaName })[] = [];

  constructor(tables: readonly AreaTable[]) {
    this.written = new MemoryBatchStore(tables);
  }

  loadDocuments(users: readonly UserRef[]): Promise<ReadonlyMap<string, StoredDocument>> {
    return this.written.loadDocuments(users);
  }

  write({ documents, rows }: Pick<CommitBatch, 'documents' | 'rows'>): Promise<void> {
    return this.written.commitBatch({
      after: 0,
      records: [],
      documents,
      rows,
      checkpoints: [],
      inbox: [],
      applied: [],
    });
  }

  takeOver(_head: number, checkpoints: readonly (Checkpoint & { readonly area: AreaName })[]): Promise<void> {
    this.takenOver.push(...checkpoints);
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
