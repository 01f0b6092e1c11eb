import type { Instant } from '@laurel/calendar';

/** A notification for a platform, for example that an achievement was completed or a streak was lost. */
export interface Outcome {
  /** 1, 2, 3, … within the account, in the order of the log; erasing users and `keep` leave gaps. */
  readonly sequence: number;
  /** A UUID derived from its content: the same outcome made again has the same id. */
  readonly id: string;
  /** For example `achievement.completed`. */
  readonly type: string;
  /** Distinguishes users without identifying them; null if it concerns no user or an erased one. */
  readonly userKey: string | null;
  /** Other users that the body names: the outcome is deleted with any of them. */
  readonly otherKeys: readonly string[];
  /** When it happened. */
  readonly timestamp: Instant;
  /** The JSON text, byte for byte as every attempt sends it and every reader gets it. */
  readonly body: string;
}

export interface OutcomesQuery {
  /** Returns only outcomes with a greater sequence; 0 for all. */
  readonly after: number;
  /** 1 to 1,000. */
  readonly limit: number;
  /** Absent for all types. */
  readonly types?: readonly string[] | undefined;
}

/** How long outcomes are kept for a reader that lags behind, if that is longer than `keep`. */
export const MOST_HELD_BACK_MS = 30 * 86_400_000;

/**
 * The smallest sequence of an account that a reader still needs; null if none does. Outcomes from it on are kept beyond `keep`, for up to
 * {@link MOST_HELD_BACK_MS}. Nothing is deleted if it rejects.
 */
export type OldestNeeded = (account: string) => Promise<number | null>;

/**
 * The kept outcomes of an account. They are appended in order of sequence: nothing ever appears at or below a sequence that a reader has
 * already seen.
 */
export interface Outcomes {
  /** In order of sequence; fewer than `limit` only if there are no more at present. @throws StoreUnavailableError */
  read(account: string, query: OutcomesQuery): Promise<readonly Outcome[]>;
  /**
   * The first sequence that has not been deleted because of its age; `newest` + 1 if nothing is kept. A reader that has read up to the one
   * before it has missed nothing. @throws StoreUnavailableError
   */
  oldest(account: string): Promise<number>;
  /** The sequence that was assigned last; 0 if none was. @throws StoreUnavailableError */
  newest(account: string): Promise<number>;
  /**
   * Calls `listener` when this process may have written outcomes. It is only a hint, so readers also read when they start.
   * @returns a function that ends the subscription
   */
  onWritten(listener: () => void): () => void;
}
