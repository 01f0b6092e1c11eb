import type { Batch } from './batch.ts';
import { storableDueAt, type CommitBatch } from './batch-store.ts';
import type { Chain } from './chain.ts';
import { encodeDocument } from './document.ts';

/** What a batch changes, as it is stored. */
export const storedChanges = (batch: Batch, { userAreas, tables }: Chain): Pick<CommitBatch, 'documents' | 'rows'> => ({
  documents: [...batch.documents.values()].map(({ account, userId, document, dueAt }) => ({
    account,
    userId,
    dueAt: storableDueAt(dueAt),
    document: encodeDocument(userAreas, document),
  })),
  rows: batch.mergedRows(tables),
});
