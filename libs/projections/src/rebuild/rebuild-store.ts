import type { AreaName } from '@laurel/contracts';
import type { BatchStore, Checkpoint, CommitBatch } from '../batch-store.ts';

/**
 * Read models of its own into which the log is applied again, beside the live ones, until they take their place. Begins
 * empty.
 */
export interface RebuildStore extends Pick<BatchStore, 'loadDocuments'> {
  /** Writes what a piece of the log gave. All or nothing. */
  write(piece: Pick<CommitBatch, 'documents' | 'rows'>): Promise<void>;
  /**
   * Lets the read models of these areas take the place of the live ones, with their checkpoints, and empties their
   * inboxes: all or nothing, and only if the log ends at `head`.
   * @throws FencedError if another process writes to the log, or it has grown beyond `head`.
   */
  takeOver(head: number, checkpoints: readonly (Checkpoint & { readonly area: AreaName })[]): Promise<void>;
  /** Leaves nothing behind of what has not taken over. */
  close(): Promise<void>;
}
