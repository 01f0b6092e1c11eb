import { add, type Exact } from '@laurel/amounts';
import type { Instant } from '@laurel/calendar';
import { contributionsOf, leaderboardsPlanOf, type PlannedRun, isFinal } from '@laurel/contributions';
import type { Configuration, Effect, Occasion, RunDifference, RunValue, RunValues } from '@laurel/kernel';
import { isSame, type Standing } from './standing.ts';

/** One user's standing in a run. */
export interface RunOfOne {
  readonly run: PlannedRun;
  readonly standing: Standing;
}

/** A user's standings in all runs, computed by folding the user's events. */
export class UserRuns implements RunValues {
  readonly #byName: Map<string, RunOfOne>;

  constructor(byName: ReadonlyMap<string, RunOfOne> = new Map()) {
    this.#byName = new Map(byName);
  }

  get byName(): ReadonlyMap<string, RunOfOne> {
    return this.#byName;
  }

  get size(): number {
    return this.#byName.size;
  }

  add(occasion: Occasion, configuration: Configuration, effects: readonly Effect[]): void {
    const { subject, position } = occasion;
    for (const { run, change, sets, at, ordinal } of contributionsOf(
      occasion,
      leaderboardsPlanOf(configuration),
      effects,
    )) {
      const present: Exact = this.#byName.get(run.name)?.standing.score ?? 0;
      const score = sets ? change : add(present, change);
      if (score !== present)
        this.#byName.set(run.name, { run, standing: { subject, score, reachedAt: at, position, ordinal } });
    }
  }

  clone(): UserRuns {
    return new UserRuns(this.#byName);
  }
}

/** The runs in either of them, each once. */
export const runsOfBoth = (before: UserRuns, after: UserRuns): PlannedRun[] =>
  [...new Map([...before.byName, ...after.byName]).values()].map(({ run }) => run);

/** The runs in which the values, or the instants at which they were reached, differ. */
export function runDifferences(before: UserRuns, after: UserRuns, at: Instant): readonly RunDifference[] {
  return runsOfBoth(before, after).flatMap((run) => {
    const [was, is] = [before.byName.get(run.name)?.standing, after.byName.get(run.name)?.standing];
    if (is === undefined ? was === undefined : isSame(is, was)) return [];
    const { board, start: runStart, end: runEnd } = run;
    const difference = { board: board.key, runStart, runEnd, isFinal: isFinal(runEnd, at) };
    return [{ ...difference, before: valueIn(was), after: valueIn(is) }];
  });
}

const valueIn = (standing: Standing | undefined): RunValue | null =>
  standing === undefined ? null : { value: BigInt(standing.score), reachedAt: standing.reachedAt };
