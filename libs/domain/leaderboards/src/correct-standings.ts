import type { Instant } from '@laurel/calendar';
import { type PlannedRun, isFinal } from '@laurel/contributions';
import type { Occasion, RankChanged } from '@laurel/kernel';
import type { MovedStandings } from './rules/leaderboards.ts';
import { rankOf } from './rules/run-standings.ts';
import { runsOfBoth, type UserRuns } from './rules/run-values.ts';
import { isSame, type Standing } from './rules/standing.ts';

/** Finds and opens the standings of the corrected user. */
export interface CorrectedStandings {
  /** The user's standing in a run. */
  readonly standingOf: (run: PlannedRun) => Standing | undefined;
  /** The run's standings, after saving the user's standing for an undo. */
  readonly standingsOf: (run: PlannedRun) => MovedStandings;
}

/**
 * The runs that a correction may change, in configuration order of the boards. @param before the fold without the
 * correction @param after the fold with it
 */
export const correctedRuns = (
  before: UserRuns,
  after: UserRuns,
  at: Instant,
  changesFinalRuns: boolean,
): readonly PlannedRun[] =>
  runsOfBoth(before, after)
    .filter(({ end }) => changesFinalRuns || !isFinal(end, at))
    .sort((a, b) => a.board.place - b.board.place || a.day - b.day);

/**
 * Replaces the user's standings with those of the corrected fold. A standing that the fold lacks gets the value 0,
 * which is not on the board.
 * @returns a change for each standing that differs, even if only in the instant at which it was reached
 */
export function correctStandings(
  runs: readonly PlannedRun[],
  after: UserRuns,
  { subject, position, occurredAt: at }: Occasion,
  { standingOf, standingsOf }: CorrectedStandings,
): readonly RankChanged[] {
  const changes: RankChanged[] = [];
  for (const run of runs) {
    const present = standingOf(run);
    const wanted = after.byName.get(run.name)?.standing ?? { subject, score: 0, reachedAt: at, position, ordinal: 0 };
    if (isSame(wanted, present) || (wanted.score === 0 && (present?.score ?? 0) === 0)) continue;
    const { aheadBefore, aheadAfter, participants } = standingsOf(run).put(subject, wanted);
    const { key: board, maxParticipants } = run.board;
    changes.push({
      type: 'RankChanged',
      board,
      run: run.day,
      at,
      ordinal: 0,
      previousRank: rankOf(aheadBefore, maxParticipants),
      rank: rankOf(aheadAfter, maxParticipants),
      participants,
      previousValue: present?.score ?? null,
      value: wanted.score,
      due: false,
    });
  }
  return changes;
}
