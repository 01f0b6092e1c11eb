import { StoreUnavailableError, type UserRef } from '@laurel/kernel';
import type { BeforeAfterFolds } from '../folding/corrected-fold.ts';
import { userKey, type StoredDocument } from '../folding/document.ts';
import { turnOfTheLoop } from '../folding/turn-of-the-loop.ts';
import type { UserEvents } from '../folding/user-events.ts';
import { takeEvents } from '../folding/user-fold.ts';
import type { BatchStore } from '../storage/batch-store.ts';

/** Reads a user's past. */
export interface CorrectionReads {
  readonly events: UserEvents;
  readonly documents: Pick<BatchStore, 'loadDocuments'>;
}

/** Each try lets the folds take the events recorded meanwhile. */
const MOST_TRIES = 50;

/**
 * Reads the user's stored document, and brings the folds to the same event. Returns undefined if no document is stored.
 * @param head the last position that may be applied
 * @throws StoreUnavailableError if events of the user arrive too fast
 */
export async function documentAtFolds(
  folds: BeforeAfterFolds,
  user: UserRef,
  { events, documents }: CorrectionReads,
  head: () => number,
): Promise<StoredDocument | undefined> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    await takeEvents(folds, events, user, head());
    const stored = await documents.loadDocuments([user]);
    const since = await events.read(user, folds.position, 1);
    if (since.length === 0) return stored.get(userKey(user));
    await turnOfTheLoop();
  }
  throw new StoreUnavailableError('events of the user come faster than they can be read');
}
