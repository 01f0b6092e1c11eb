import { ProblemError, problemOf } from '@laurel/contracts';

/** Folds under way at a time: each holds the state of a user and takes its turn from what else the process does. */
const MOST_FOLDS = 2;
const MOST_WAITING = 16;

/** Lets so many folds run at a time, by default two; others wait, in the order in which they came. */
export class FoldsAtOnce {
  readonly #most: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most = MOST_FOLDS) {
    this.#most = most;
  }

  /** @throws ProblemError 503 `overloaded` if 16 wait already; what the fold throws */
  async run<Result>(fold: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.#most) this.#running += 1;
    else await this.#turn();
    try {
      return await fold();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }

  /** That of a fold which has ended. */
  #turn(): Promise<void> {
    if (this.#waiting.length >= MOST_WAITING) throw new ProblemError(OVERLOADED, { 'retry-after': '1' });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

const OVERLOADED = problemOf('overloaded', `${MOST_FOLDS + MOST_WAITING} explanations are under way already.`);
