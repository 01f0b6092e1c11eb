import type { AreaName, Rows } from '@laurel/kernel';
import type { BatchStore, Checkpoint, EncodedChange } from '../storage/batch-store.ts';
import type { RebuildComparison } from './rebuild-comparison.ts';

/** Other sessions hold the live read models in a long transaction. */
export class TablesInUseError extends Error {
  override readonly name = 'TablesInUseError';
}

/** The store's answer was lost, and the outcome cannot be determined. Only a restart shows what is stored. */
export class TakeOverUnknownError extends Error {
  override readonly name = 'TakeOverUnknownError';
}

/**
 * Separate read models that the log is applied to again, beside the live ones, until they replace them. Empty at first.
 */
export interface RebuildStore extends Pick<BatchStore, 'loadDocuments'> {
  /** Removes rows, by the columns of `AreaTable.replacedBy`, before the rows that are added from now on. */
  remove(rows: Rows): void;
  /**
   * Takes ownership of the rows that an area made of one event; {@link write} writes them. Only {@link close} discards
   * them.
   */
  add(rows: Rows): void;
  /**
   * Takes rows that replace the rows with the same keys. No two of them may have the same key, unless rows were read
   * back or prepared in between.
   */
  put(rows: Rows): void;
  /** Takes documents of users; each replaces the user's earlier one. */
  keep(documents: readonly EncodedChange[]): void;
  /** Writes the rows taken so far, except those that may wait to be merged with later ones. */
  write(): Promise<void>;
  /** Does as much of {@link takeOver} as possible while the engine goes on. Writing is slower afterwards. */
  prepareTakeOver(): Promise<void>;
  /**
   * Replaces the live read models and checkpoints of these areas with the rebuilt ones, and empties their inboxes. All
   * or nothing, and only if the log ends at `head`. Afterwards, recompute when something falls due for each user: a
   * sweep that found nothing due has left no record.
   * @throws TablesInUseError: try again later; FencedError if another process writes to the log, or the log has grown
   * beyond `head`; TakeOverUnknownError. After any error but the last, nothing has changed.
   */
  takeOver(head: number, checkpoints: readonly (Checkpoint & { readonly area: AreaName })[]): Promise<void>;
  /**
   * Takes the snapshot in which {@link RebuildComparison} compares the stored rows of these areas with the rebuilt
   * ones.
   */
  openComparison(areas: readonly AreaName[]): Promise<RebuildComparison>;
  /**
   * Removes everything that has not taken over. Leftovers of a failed removal are removed by the next rebuild. Never
   * rejects.
   */
  close(): Promise<void>;
}
