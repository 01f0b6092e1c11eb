import type { BatchStore } from '../storage/batch-store.ts';
import type { Batch } from './batch.ts';
import type { Chain } from './chain.ts';
import type { Committed } from './committed.ts';
import { DamagedStateError } from '../folding/damaged-state.ts';
import {
  decodeDocument,
  initialDocument,
  userKey,
  type Document,
  type StoredDocument,
  type UserRef,
} from '../folding/document.ts';
import type { Quarantine } from './quarantine.ts';

/**
 * Loads the documents of these users into the batch, from memory or from the store. Returns the users that were found
 * in the store. Users with unreadable documents are reported to the quarantine and left out.
 * @throws DamagedStateError if there is no quarantine
 */
export async function loadDocuments(
  batch: Batch,
  users: readonly UserRef[],
  from: LoadingDependencies,
): Promise<ReadonlySet<string>> {
  const { committed, store } = from;
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
  for (const [user, ref] of wanted) {
    const document = readDocument(from, ref, stored.get(user));
    if (document) batch.keep(user, document);
  }
  return new Set(stored.keys());
}

interface LoadingDependencies {
  readonly committed: Committed;
  readonly store: Pick<BatchStore, 'loadDocuments'>;
  readonly chain: Chain;
  readonly quarantine?: Quarantine;
}

/** null if the document is damaged. */
export function readDocument(
  { chain, quarantine }: Pick<LoadingDependencies, 'chain' | 'quarantine'>,
  user: UserRef,
  stored: StoredDocument | undefined,
): Document | null {
  if (stored === undefined) return initialDocument(chain.userAreas);
  try {
    const document = decodeDocument(chain.userAreas, stored, user);
    quarantine?.release(userKey(user));
    return document;
  } catch (error) {
    if (!(error instanceof DamagedStateError) || !quarantine) throw error;
    quarantine.hold(user, error.area, error);
    return null;
  }
}

const NOBODY: ReadonlySet<string> = new Set();
