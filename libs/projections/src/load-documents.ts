import type { Batch } from './batch.ts';
import type { BatchStore } from './batch-store.ts';
import type { Chain } from './chain.ts';
import type { Committed } from './committed.ts';
import { decodeDocument, initialDocument, userKey, type UserRef } from './document.ts';

/**
 * Keeps the documents of these users at hand for the length of the batch: from memory, else from the store. Answers the users
 * that had to be read and were there.
 */
export async function loadDocuments(
  batch: Batch,
  users: readonly UserRef[],
  from: { readonly committed: Committed; readonly store: Pick<BatchStore, 'loadDocuments'>; readonly chain: Chain },
): Promise<ReadonlySet<string>> {
  const { committed, store, chain } = from;
  const wanted = new Map<string, UserRef>();
  for (const ref of users) {
    const user = userKey(ref);
    if (batch.documentOf(user) !== undefined) continue;
    const cached = committed.documents.get(user);
    if (cached) batch.keep(user, cached);
    else wanted.set(user, ref);
  }
  if (wanted.size === 0) return NOBODY;
  const stored = await store.loadDocuments([...wanted.values()]);
  for (const user of wanted.keys()) {
    const document = stored.get(user);
    batch.keep(user, document ? decodeDocument(chain.userAreas, document) : initialDocument(chain.userAreas));
  }
  return new Set(stored.keys());
}

const NOBODY: ReadonlySet<string> = new Set();
