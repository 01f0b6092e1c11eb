import { storableDueAt } from '../folding/due-at.ts';
import type { CommitBatch, EncodedChange } from '../storage/batch-store.ts';
import type { Batch } from './batch.ts';
import type { Chain } from './chain.ts';
import { encodeDocument, userKey } from '../folding/document.ts';

/** The changes of a batch in their stored form. Also records the size of its documents in the batch. */
export const storedChanges = (batch: Batch, chain: Chain): Pick<CommitBatch, 'documents' | 'rows' | 'removed'> => ({
  documents: changedDocuments(batch, chain),
  rows: batch.mergedRows(chain.tables),
  removed: batch.removedRows,
});

const changedDocuments = (batch: Batch, { userAreas }: Chain): readonly EncodedChange[] =>
  [...batch.users.byKey.values()].map(({ account, subject, document: changed, dueAt }) => {
    const document = encodeDocument(userAreas, changed);
    batch.documentBytes.set(userKey({ account, subject }), Buffer.byteLength(document));
    return { account, subject, document, dueAt: storableDueAt(dueAt) };
  });
