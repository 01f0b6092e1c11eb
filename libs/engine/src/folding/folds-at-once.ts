import { ProblemError, problemOf } from '@laurel/schemas';

const MOST_WAITING = 16;

/** Folds under way at a time: each holds the state of a user and takes its turn from what else the process does. */
export interface FoldBounds {
  readonly most: number;
  /** What they are for, as the refusal names them. */
  readonly what: 'explanations' | 'corrections';
}

/** Lets so many folds run at a time; 16 others wait, in the order in which they came. */
export class FoldsAtOnce {
  readonly #bounds: FoldBounds;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(bounds: FoldBounds) {
    this.#bounds = bounds;
  }

  /** @throws ProblemError 503 `overloaded`, with `Retry-After`, if 16 wait already */
  assertRoom(): void {
    const { most, what } = this.#bounds;
    if (this.#running < most || this.#waiting.length < MOST_WAITING) return;
    const detail = `${most + MOST_WAITING} ${what} are under way already; nothing was done.`;
    throw new ProblemError(problemOf('overloaded', detail), { 'retry-after': '1' });
  }

  /** @throws as {@link assertRoom}; what the fold throws */
  async run<Result>(fold: () => Promise<Result>): Promise<Result> {
    this.assertRoom();
    if (this.#running < this.#bounds.most) this.#running += 1;
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
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
