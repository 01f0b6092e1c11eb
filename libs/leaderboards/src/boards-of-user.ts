import type { Configuration, Effect, Occasion, RankChanged, Row, Subject } from '@laurel/contracts';
import { leaderboardsPlanOf, type PlannedRun } from './rules/leaderboards-plan.ts';
import { contributionsOf, moveStandings } from './rules/leaderboards.ts';
import type { Standing } from './rules/standing.ts';
import { rankChangeRow, standingRow } from './tables.ts';

/** Columns of rank changes that follow from others' events, too. */
export const RANKS: readonly string[] = ['previous_rank', 'rank'];

/**
 * The boards as far as they follow from the events of one user: the values, and when each was reached. Ranks depend on others, so
 * {@link RANKS} are empty here.
 */
export class BoardsOfUser {
  readonly #runs = new Map<string, RunOfOne>();

  /** Applies what an event contributes, in the order of the log; answers its rows of rank changes. */
  apply(occasion: Occasion, configuration: Configuration, effects: readonly Effect[]): readonly Row[] {
    const changes: RankChanged[] = [];
    const sink = { effects, reasons: null, emit: (effect: Effect) => void changes.push(effect as RankChanged) };
    const contributions = contributionsOf(occasion, leaderboardsPlanOf(configuration), effects);
    moveStandings(contributions, occasion, (run) => this.#runOf(run), sink);
    return changes.map((change) => rankChangeRow(occasion, change, configuration.names));
  }

  /** A row for each run in which the user has a value. */
  standings(): readonly Row[] {
    return [...this.#runs.values()].flatMap(({ run, standing }) =>
      standing === undefined ? [] : [standingRow(run.key, standing)],
    );
  }

  #runOf(run: PlannedRun): RunOfOne {
    const known = this.#runs.get(run.name);
    if (known !== undefined) return known;
    const opened = new RunOfOne(run);
    this.#runs.set(run.name, opened);
    return opened;
  }
}

/** A run in which nobody else takes part. */
class RunOfOne {
  readonly run: PlannedRun;
  standing: Standing | undefined;

  constructor(run: PlannedRun) {
    this.run = run;
  }

  get(_subject: Subject): Standing | undefined {
    return this.standing;
  }

  put(_subject: Subject, standing: Standing | undefined) {
    this.standing = standing;
    return { aheadBefore: null, aheadAfter: null };
  }
}
