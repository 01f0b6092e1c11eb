import type { BoardsApplied, LeaderboardsAnswer, RankChanged, Row, Rows } from '@laurel/kernel';
import { RUN_TOPS } from './tables.ts';

/** Applied contributions. Their rows are made on demand. */
export class ContributedRows implements BoardsApplied {
  readonly answerPart: LeaderboardsAnswer | null;
  readonly changes: readonly RankChanged[];
  readonly #rows: () => Map<string, readonly Row[]>;
  readonly #tops: readonly Row[];

  constructor(
    answerPart: LeaderboardsAnswer | null,
    changes: readonly RankChanged[],
    rows: () => Map<string, readonly Row[]>,
    tops: readonly Row[],
  ) {
    this.answerPart = answerPart;
    this.changes = changes;
    this.#rows = rows;
    this.#tops = tops;
  }

  get rows(): Rows {
    return this.#tops.length === 0 ? this.#rows() : this.#rows().set(RUN_TOPS, this.#tops);
  }
}
