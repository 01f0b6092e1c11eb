import type { Instant } from '@laurel/calendar';

/** Something that happened and that a platform may want to know: an achievement was completed, a streak was lost. */
export interface Outcome {
  /** 1, 2, 3, … within the account, in the order of the log; erasing users and `keep` leave gaps. */
  readonly sequence: number;
  /** A UUID that follows from what it is: the same outcome made again has the same id. */
  readonly id: string;
  /** Such as `achievement.completed`. */
  readonly type: string;
  /** Tells users apart, and says nothing of who they are; null: it concerns no user, or one who was erased. */
  readonly userKey: string | null;
  /** Whom the body names beside that user: it is deleted with any of them. */
  readonly otherKeys: readonly string[];
  /** When it happened. */
  readonly timestamp: Instant;
  /** The JSON text that every attempt and every reader gets, byte for byte. */
  readonly body: string;
}

export interface OutcomesAsked {
  /** Only those with a greater sequence; 0: from the oldest on. */
  readonly after: number;
  /** 1 to 1,000. */
  readonly limit: number;
  /** Only these types; absent: all. */
  readonly types?: readonly string[] | undefined;
}

/** How long outcomes are kept for somebody who is behind, if that is longer than `keep`. */
export const MOST_HELD_BACK_MS = 30 * 86_400_000;

/**
 * The smallest sequence of an account that somebody still needs: from it on, outcomes are kept beyond `keep`, for up to
 * {@link MOST_HELD_BACK_MS}; null: nobody needs any. Nothing is deleted if it rejects.
 */
export type OldestNeeded = (account: string) => Promise<number | null>;

/**
 * The outcomes of an account that are kept. They are appended in order of sequence: nothing ever appears at or below a
 * sequence that a reader has already seen.
 */
export interface Outcomes {
  /** In order of sequence, at most `limit`; fewer only if there are no more at present. @throws StoreUnavailableError */
  read(account: string, asked: OutcomesAsked): Promise<readonly Outcome[]>;
  /**
   * The sequence from which on nothing has been deleted for its age: `newest` + 1 if nothing is kept. Whoever has read up to one before
   * it has missed nothing. @throws StoreUnavailableError
   */
  oldest(account: string): Promise<number>;
  /** The sequence that was assigned last; 0: none. @throws StoreUnavailableError */
  newest(account: string): Promise<number>;
  /**
   * Calls `listener` whenever outcomes may have been written by this process. A hint: one may come for nothing, so readers look
   * for themselves, and look again when they start. Answers what ends it.
   */
  onWritten(listener: () => void): () => void;
}
