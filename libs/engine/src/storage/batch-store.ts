import type { Instant } from '@laurel/calendar';
import type { AreaName, KeyHash, RecordedEvent, Row } from '@laurel/kernel';
import type { ReadDueUsers } from '../due/due-users.ts';
import type { UsedKey } from '@laurel/event-store';
import type { StoredDocument, UserRef } from '../folding/document.ts';

/** The position of the log, and of the areas. */
export interface StoredPosition {
  /** Position of the newest record; 0 if there is none. */
  readonly head: number;
  /** When it was recorded; -Infinity if there is none. */
  readonly recordedAt: Instant;
  readonly checkpoints: ReadonlyMap<AreaName, Checkpoint>;
}

/**
 * Where the engine keeps its projections. Everything changes through `commitBatch`: records, keys, documents, rows of
 * the areas, inboxes and checkpoints move together or not at all.
 */
export interface BatchStore {
  /** The documents of those of the users that have one, by `userKey`. */
  loadDocuments(users: readonly UserRef[]): Promise<ReadonlyMap<string, StoredDocument>>;
  findKeys(keys: readonly KeyHash[]): Promise<readonly UsedKey[]>;
  /**
   * @throws DuplicateKeyError, RefusedDataError: nothing was written. FencedError: nothing was written, and this writer
   * can never write again. After any other error, the outcome is unknown until {@link isCommitted} answers.
   */
  commitBatch(batch: CommitBatch): Promise<void>;
  /**
   * Whether a batch whose answer was lost is in the log. Reconnects if necessary. @throws FencedError; other errors
   * while the store cannot be reached.
   */
  isCommitted(batch: CommitBatch): Promise<boolean>;
  /**
   * Makes the next sweeps check every user of the account once, because a new configuration may have made anything due.
   * Works in bounded steps, and begins again after a crash. Does nothing if it was completed for this version.
   */
  markAllDue(account: string, configurationVersion: number, at: Instant): Promise<void>;
  readonly dueUsers: ReadDueUsers;
  readCheckpoints(): Promise<StoredPosition>;
  /** The oldest messages in the inbox of a stopped area. */
  readInbox(area: AreaName, limit: number): Promise<readonly InboxMessage[]>;
}

export interface CommitBatch {
  /** Log position before the batch. */
  readonly after: number;
  readonly records: readonly RecordedEvent[];
  readonly documents: readonly EncodedChange[];
  /** Rows by the area's table. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** Rows to delete before `rows` are inserted, by the columns of `AreaTable.replacedBy`. Missing rows are ignored. */
  readonly removed: ReadonlyMap<string, readonly Row[]>;
  readonly checkpoints: readonly (Checkpoint & { readonly area: AreaName })[];
  /** Messages to park for stopped areas. */
  readonly inbox: readonly InboxMessage[];
  /** Parked messages that this batch has applied. */
  readonly applied: readonly { readonly area: AreaName; readonly sequence: number }[];
}

/** A user's changed document. */
export interface EncodedChange extends UserRef {
  /** A {@link StoredDocument} as JSON text. */
  readonly document: string;
  /** When something next falls due for the user without an event, or null for never. */
  readonly dueAt: Instant | null;
}

/** The progress of an area. */
export interface Checkpoint {
  /** The area has applied every record up to here. */
  readonly position: number;
  /** Version of the form in which the area's state is stored. */
  readonly stateVersion: number;
  /** Why the area has stopped after `position`; null while it runs. */
  readonly failure: string | null;
}

export interface InboxMessage {
  readonly area: AreaName;
  readonly sequence: number;
  /** A chain message, encoded. */
  readonly message: string;
}

/** The database refuses a value for its content (not as a duplicate). The API's validation should have refused it. */
export class RefusedDataError extends Error {
  override readonly name = 'RefusedDataError';
}
