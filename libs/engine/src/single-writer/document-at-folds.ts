import { StoreUnavailableError, type UserRef } from '@laurel/kernel';
import type { BeforeAfterFolds } from '../folding/corrected-fold.ts';
import { userKey, type StoredDocument } from '../folding/document.ts';
import { turnOfTheLoop } from '../folding/turn-of-the-loop.ts';
import type { UserEvents } from '../folding/user-events.ts';
import { takeEvents } from '../folding/user-fold.ts';
import type { BatchStore } from '../storage/batch-store.ts';

/** Where a user's past is read. */
export interface CorrectionReads {
  readonly events: UserEvents;
  readonly documents: Pick<BatchStore, 'loadDocuments'>;
}

/** Each takes what was recorded since. */
const MOST_TRIES = 50;

/**
 * The user's document as it is stored, and the folds at the event that it is as of; undefined: there is none.
 * @param head the last position that may be applied
 * @throws StoreUnavailableError if events of the user come too fast
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
