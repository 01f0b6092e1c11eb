import { leaderboardsPlanOf, type PlannedRun, contributionsOf } from '@laurel/contributions';
import type {
  BoardsCorrection,
  Configuration,
  Effect,
  Occasion,
  RankChanged,
  Row,
  RunValues,
  Subject,
} from '@laurel/kernel';
import { correctedRuns, correctStandings } from './correct-standings.ts';
import { finalRuns, moveStandings } from './rules/leaderboards.ts';
import { UserRuns } from './rules/run-values.ts';
import { isOnBoard, isSame, type Standing } from './rules/standing.ts';
import { finalRunChangeRow, rankChangeRow, runCountRow, standingRow } from './tables.ts';

/** Columns of rank changes that depend on events of other users as well. */
export const RANKS: readonly string[] = ['previous_rank', 'rank', 'participants'];

/**
 * The part of the boards that depends on one user's events: the values, and when each was reached. Ranks depend on
 * other users, so {@link RANKS} are empty here.
 */
export class BoardsOfUser {
  /** Begins without values, to fold the user's events. */
  static newRunValues(): RunValues {
    return new UserRuns();
  }

  readonly #runs = new Map<string, RunOfOne>();
  readonly #finalRunChanges = new Map<string, Row>();

  /** Applies the contributions of an event, in the order of the log. @returns the rows of its rank changes */
  apply(occasion: Occasion, configuration: Configuration, effects: readonly Effect[]): readonly Row[] {
    const contributions = contributionsOf(occasion, leaderboardsPlanOf(configuration), effects);
    const runs = contributions.map(({ run }) => run);
    const changes = this.#noteFinal(runs, occasion, () =>
      moveStandings(contributions, occasion, (run) => this.#runOf(run)),
    );
    return changes.map((change) => rankChangeRow(occasion, change, configuration.names));
  }

  /**
   * Applies a correction of the user's values. Returns the rows of its rank changes.
   * @param before values of the fold without the correction @param after values of the fold with it; both begin with
   * `newRunValues`
   */
  correct({ occasion, before, after, changesFinalRuns }: BoardsCorrection, { names }: Configuration): readonly Row[] {
    const [was, is] = [before as UserRuns, after as UserRuns];
    const runs = correctedRuns(was, is, occasion.occurredAt, changesFinalRuns);
    const standingOf = ({ name }: PlannedRun) => this.#runs.get(name)?.standing;
    const changes = this.#noteFinal(runs, occasion, () =>
      correctStandings(runs, is, occasion, { standingOf, standingsOf: (run) => this.#runOf(run) }),
    );
    return changes.map((change) => rankChangeRow(occasion, change, names));
  }

  /** For each run that was changed after it was final, the newest such change. */
  finalRunChanges(): readonly Row[] {
    return [...this.#finalRunChanges.values()];
  }

  #noteFinal(
    runs: readonly PlannedRun[],
    occasion: Occasion,
    change: () => readonly RankChanged[],
  ): readonly RankChanged[] {
    const before = finalRuns(runs, occasion).map((run) => ({ run, standing: this.#runs.get(run.name)?.standing }));
    const changes = change();
    for (const { run, standing } of before) {
      const after = this.#runs.get(run.name)?.standing;
      if (after !== undefined && !isSame(after, standing))
        this.#finalRunChanges.set(run.name, finalRunChangeRow(run.key, occasion.recordedAt));
    }
    return changes;
  }

  /** A row for each run in which the user has a value above 0. */
  runCounts(): readonly Row[] {
    return [...this.#runs.values()].flatMap(({ run, standing }) =>
      isOnBoard(standing) ? [runCountRow(run.key, 1)] : [],
    );
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

/** A run with this user only. */
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
    return { aheadBefore: null, aheadAfter: null, participants: 0 };
  }
}
