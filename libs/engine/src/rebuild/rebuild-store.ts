import type { AreaName, Rows } from '@laurel/kernel';
import type { BatchStore, Checkpoint, EncodedChange } from '../storage/batch-store.ts';
import type { RebuildComparison } from './rebuild-comparison.ts';

/** Other sessions read the live read models, in a transaction that lasts. */
export class TablesInUseError extends Error {
  override readonly name = 'TablesInUseError';
}

/** The store's answer was lost, and cannot be found out: only a new start knows what is stored. */
export class TakeOverUnknownError extends Error {
  override readonly name = 'TakeOverUnknownError';
}

/**
 * Read models of its own into which the log is applied again, beside the live ones, until they take their place. Begins
 * empty.
 */
export interface RebuildStore extends Pick<BatchStore, 'loadDocuments'> {
  /** Takes rows away, by the columns of `AreaTable.replacedBy`, before those that are added from now on. */
  remove(rows: Rows): void;
  /** Takes the rows that an area made of one event, for its own; {@link write} writes them. Nothing takes them back but {@link close}. */
  add(rows: Rows): void;
  /** Takes rows that replace those on their keys. No two may fall on one key, but for what was read back or prepared in between. */
  put(rows: Rows): void;
  /** Takes documents of users, each in place of one before. */
  keep(documents: readonly EncodedChange[]): void;
  /** Writes what was taken, but for what may wait to be merged with more. */
  write(): Promise<void>;
  /** What can be done for {@link takeOver} while everything still goes on. Writing is slower from then on. */
  prepareTakeOver(): Promise<void>;
  /**
   * Lets the read models of these areas take the place of the live ones, with their checkpoints, and empties their
   * inboxes: all or nothing, and only if the log ends at `head`. When something falls due for a user is then to be
   * worked out anew: a sweep that found nothing due has left no record.
   * @throws TablesInUseError: try again later; FencedError if another process writes to the log, or it has grown beyond
   * `head`; TakeOverUnknownError. With any error but the last everything is as it was.
   */
  takeOver(head: number, checkpoints: readonly (Checkpoint & { readonly area: AreaName })[]): Promise<void>;
  /** Takes the moment at which {@link RebuildComparison} compares what these areas have stored with what was written here. */
  openComparison(areas: readonly AreaName[]): Promise<RebuildComparison>;
  /** Leaves nothing behind of what has not taken over; what it cannot remove now, the next rebuild does. Never rejects. */
  close(): Promise<void>;
}
