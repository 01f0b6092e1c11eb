import { ProblemError, problemOf } from '@laurel/schemas';

const MOST_WAITING = 16;

/** Limits of concurrent folds: each holds the state of a user and uses time that other work of the process needs. */
export interface FoldBounds {
  readonly most: number;
  /** The purpose of the folds, as the refusal names it. */
  readonly what: 'explanations' | 'corrections';
}

/** Limits concurrent folds. Up to 16 more wait in the order of arrival. */
export class FoldsAtOnce {
  readonly #bounds: FoldBounds;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(bounds: FoldBounds) {
    this.#bounds = bounds;
  }

  /** @throws ProblemError 503 `overloaded`, with `Retry-After`, if 16 folds already wait */
  assertRoom(): void {
    const { most, what } = this.#bounds;
    if (this.#running < most || this.#waiting.length < MOST_WAITING) return;
    const detail = `${most + MOST_WAITING} ${what} are under way already; nothing was done.`;
    throw new ProblemError(problemOf('overloaded', detail), { 'retry-after': '1' });
  }

  /** @throws as {@link assertRoom}, and any error of the fold */
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

  /** Resolves when another fold has ended and this one may start. */
  #turn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
