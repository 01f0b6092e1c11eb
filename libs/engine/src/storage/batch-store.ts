import type { Instant } from '@laurel/calendar';
import type { AreaName, KeyHash, RecordedEvent, Row } from '@laurel/kernel';
import type { ReadDueUsers } from '../due/due-users.ts';
import type { UsedKey } from '@laurel/event-store';
import type { StoredDocument, UserRef } from '../folding/document.ts';

/** How far the log and the areas have come. */
export interface StoredPosition {
  /** Position of the newest record; 0: there is none. */
  readonly head: number;
  /** When it was recorded; -Infinity: there is none. */
  readonly recordedAt: Instant;
  readonly checkpoints: ReadonlyMap<AreaName, Checkpoint>;
}

/**
 * Where the engine keeps what it projects. `commitBatch` is the one operation by which anything changes: records, keys,
 * documents, rows of the areas, inboxes and checkpoints move together or not at all.
 */
export interface BatchStore {
  /** The documents of those of the users that have one, by `userKey`. */
  loadDocuments(users: readonly UserRef[]): Promise<ReadonlyMap<string, StoredDocument>>;
  findKeys(keys: readonly KeyHash[]): Promise<readonly UsedKey[]>;
  /**
   * @throws DuplicateKeyError, RefusedDataError: nothing was written; FencedError: nothing was written, and nothing ever
   * will be by this writer; any other error: the outcome is unknown until {@link isCommitted} answers.
   */
  commitBatch(batch: CommitBatch): Promise<void>;
  /** Whether a batch whose answer was lost is in the log. Reconnects if need be. @throws FencedError; else while the store cannot be reached. */
  isCommitted(batch: CommitBatch): Promise<boolean>;
  /**
   * Lets the next sweeps look at everybody of the account once: a new configuration may have made anything due. In
   * bounded steps; after a crash on the way it begins anew. No effect if it has been done for this version.
   */
  markAllDue(account: string, configurationVersion: number, at: Instant): Promise<void>;
  readonly dueUsers: ReadDueUsers;
  readCheckpoints(): Promise<StoredPosition>;
  /** The oldest messages that wait for an area that has stopped. */
  readInbox(area: AreaName, limit: number): Promise<readonly InboxMessage[]>;
}

export interface CommitBatch {
  /** The position of the log before the batch. */
  readonly after: number;
  readonly records: readonly RecordedEvent[];
  readonly documents: readonly EncodedChange[];
  /** By table of an area. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** Rows that go before those come, by the columns of `AreaTable.replacedBy`; one that is not there does no harm. */
  readonly removed: ReadonlyMap<string, readonly Row[]>;
  readonly checkpoints: readonly (Checkpoint & { readonly area: AreaName })[];
  /** Messages for areas that have stopped. */
  readonly inbox: readonly InboxMessage[];
  /** Messages of an inbox that this batch has applied. */
  readonly applied: readonly { readonly area: AreaName; readonly sequence: number }[];
}

/** A user's changed document. */
export interface EncodedChange extends UserRef {
  /** A {@link StoredDocument} as JSON text. */
  readonly document: string;
  /** When something next falls due for the user by itself; null: never. */
  readonly dueAt: Instant | null;
}

/** How far an area has come. */
export interface Checkpoint {
  /** The area has applied every record up to here. */
  readonly position: number;
  /** Version of the form in which the area's state is stored. */
  readonly stateVersion: number;
  /** Why the area has stopped behind `position`; null while it runs. */
  readonly failure: string | null;
}

export interface InboxMessage {
  readonly area: AreaName;
  readonly sequence: number;
  /** A chain message, encoded. */
  readonly message: string;
}

/** The database refuses what a value is (not that it exists already): a row that the edge should have refused. */
export class RefusedDataError extends Error {
  override readonly name = 'RefusedDataError';
}
