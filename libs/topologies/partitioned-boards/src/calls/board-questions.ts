import type { Amount } from '@laurel/amounts';
import type { RunKey, Subject, BoardRanking } from '@laurel/kernel';

/** The calls of a leaderboard service. */
export const RANKINGS = 'boards.rankings';
export const STANDINGS = 'boards.standings';

/** A run of a board, with what the asker's configuration says of how many are ranked: the two may know different versions. */
export interface AskedRun extends RunKey {
  readonly maxParticipants: number;
}

export interface RankingsQuestion {
  readonly partition: number;
  readonly run: AskedRun;
  readonly offset: number;
  readonly limit: number;
}

/** Where a user stands in each of these runs. */
export interface StandingsQuestion {
  readonly partition: number;
  readonly runs: readonly AskedRun[];
  readonly subject: Subject;
  /** Answered once the partition has applied this number of that source, or not at all within the limit; absent: at once. */
  readonly after?: { readonly source: number; readonly sequence: number; readonly limitMs: number };
}

export type Rankings = readonly BoardRanking[];

export interface StandingInRun {
  /** null: not ranked. */
  readonly rank: number | null;
  /** null: the user has none in that run. */
  readonly value: Amount | null;
  /** The last ranked value if the board is full, else 0. */
  readonly threshold: Amount;
}

/** What the leaderboards must have received of a partition of users to have applied an event of it. */
export interface BoardsPlace {
  readonly source: number;
  /** By partition of leaderboards: a number of the protocol. */
  readonly sent: ReadonlyMap<number, number>;
}
