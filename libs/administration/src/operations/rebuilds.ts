import { ProblemError, invalidRequest, type AreaName, type RebuildAnswer } from '@laurel/contracts';
import { Runs, type RunsParts } from './runs.ts';

/** Applies the log again for these areas; none named: all. */
export type RunRebuild = (
  areas: readonly AreaName[],
  onProgress: (applied: number, head: number) => void,
) => Promise<void>;

export interface RebuildRunsParts extends RunsParts<RebuildAnswer> {
  readonly run: RunRebuild;
}

/** The rebuilds of a process, one at a time. */
export class RebuildRuns {
  readonly #run: RunRebuild;
  readonly #runs: Runs<RebuildAnswer>;

  constructor({ run, ...parts }: RebuildRunsParts) {
    this.#run = run;
    this.#runs = new Runs(parts);
  }

  /** The latest since the process started. */
  get latest(): RebuildAnswer | null {
    return this.#runs.latest;
  }

  find(id: string): RebuildAnswer | null {
    return this.#runs.find(id);
  }

  /** @throws ProblemError 422 while one is under way */
  start(areas: readonly AreaName[], head: number): RebuildAnswer {
    const { running } = this.#runs;
    if (running)
      throw new ProblemError(
        invalidRequest([{ path: 'areas', message: `cannot be rebuilt now: rebuild ${running.id} is under way` }]),
      );
    return this.#runs.start({ areas: [...areas], applied: 0, head }, (change) =>
      this.#run(areas, (applied, last) => change({ applied, head: last })),
    );
  }
}
