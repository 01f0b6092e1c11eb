import type { Amount } from '@laurel/amounts';
import type { RunKey, Subject, BoardRanking } from '@laurel/kernel';

/** The calls of a leaderboard service. */
export const RANKINGS = 'boards.rankings';
export const STANDINGS = 'boards.standings';

/** A run of a board, with the caller's number of ranked users, because caller and owner may know different versions. */
export interface RunQuery extends RunKey {
  readonly maxParticipants: number;
}

export interface RankingsRequest {
  readonly partition: number;
  readonly run: RunQuery;
  readonly offset: number;
  readonly limit: number;
}

/** Asks for a user's standings in these runs. */
export interface StandingsRequest {
  readonly partition: number;
  readonly runs: readonly RunQuery[];
  readonly subject: Subject;
  /** Wait until the partition has applied this number of the source, and fail after the limit; absent to answer at once. */
  readonly after?: { readonly source: number; readonly sequence: number; readonly limitMs: number };
}

export type Rankings = readonly BoardRanking[];

export interface StandingInRun {
  /** null if the user is not ranked. */
  readonly rank: number | null;
  /** null if the user has no value in the run. */
  readonly value: Amount | null;
  /** The last ranked value if the board is full, else 0. */
  readonly threshold: Amount;
}

/** The messages from a partition of users that the leaderboards must have received to have applied an event. */
export interface BoardsPlace {
  readonly source: number;
  /** Message numbers by partition of leaderboards. */
  readonly sent: ReadonlyMap<number, number>;
}
