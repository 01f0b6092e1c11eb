import type { AreaName } from '@laurel/kernel';
import type { RebuildAnswer, RebuildDifferenceAnswer } from '@laurel/schemas';
import { invalidField } from '@laurel/runtime';
import { Runs, type RunsDependencies } from './runs.ts';

type OnProgress = (applied: number, head: number) => void;

/** Rebuilds these areas from the log; all if none is named. */
export type RunRebuild = (areas: readonly AreaName[], onProgress: OnProgress) => Promise<void>;

/** Rebuilds from the log, and only compares the result with the read models. */
export type CompareRebuild = (
  areas: readonly AreaName[],
  onProgress: OnProgress,
) => Promise<readonly RebuildDifferenceAnswer[]>;

export interface RebuildRunsDependencies extends RunsDependencies<RebuildAnswer> {
  readonly run: RunRebuild;
  readonly compare: CompareRebuild;
}

/** The rebuilds of a process, one at a time. */
export class RebuildRuns {
  readonly #run: RunRebuild;
  readonly #compare: CompareRebuild;
  readonly #runs: Runs<RebuildAnswer>;

  constructor({ run, compare, ...parts }: RebuildRunsDependencies) {
    this.#run = run;
    this.#compare = compare;
    this.#runs = new Runs(parts);
  }

  /** The latest rebuild since the process started. */
  get latest(): RebuildAnswer | null {
    return this.#runs.latest;
  }

  find(id: string): RebuildAnswer | null {
    return this.#runs.find(id);
  }

  /** @throws ProblemError 422 while a rebuild is running */
  start(areas: readonly AreaName[], verify: boolean, head: number): RebuildAnswer {
    const { running } = this.#runs;
    if (running) throw invalidField('areas', `cannot be rebuilt now: rebuild ${running.id} is under way`);
    const begun = { areas: [...areas], verify, differences: [], applied: 0, head };
    return this.#runs.start(begun, async (change) => {
      const onProgress: OnProgress = (applied, last) => change({ applied, head: last });
      if (verify) change({ differences: (await this.#compare(areas, onProgress)).map(shownDifference) });
      else await this.#run(areas, onProgress);
    });
  }
}

/** Limit of a shown state, which may be as long as the user's history. */
const MOST_CHARACTERS = 2_000;
const shortened = (text: string | null): string | null => text && text.slice(0, MOST_CHARACTERS);

const shownDifference = ({ table, userId, stored, expected }: RebuildDifferenceAnswer): RebuildDifferenceAnswer => ({
  table,
  userId,
  stored: shortened(stored),
  expected: shortened(expected),
});
