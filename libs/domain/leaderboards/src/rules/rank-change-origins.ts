import type { LocalDate } from '@laurel/calendar';
import { type LeaderboardsPlan, contributionsOf, firstOrdinalOf } from '@laurel/contributions';
import { effectsOfType, groupBy, type Effect, type Occasion, type PointsAwarded } from '@laurel/kernel';

/** The causes of a change of a user's value in a run. */
export interface RankChangeOrigins {
  /** See {@link RunContribution}. */
  readonly due: boolean;
  /** The awards that counted, in order, for a board that ranks by points. Awards that were not due count as one change. */
  readonly awards: readonly PointsAwarded[];
}

/** Finds the causes of a change; null if the rules did not emit it. */
export type OriginOfChange = (change: {
  readonly board: string;
  readonly runStart: LocalDate;
  readonly ordinal: number;
}) => RankChangeOrigins | null;

/**
 * Finds causes by {@link contributionsOf}. The contributions of the event are computed once, because it may have changed a run many times.
 * @param effects all points and streak effects of the event
 */
export function causesIn(occasion: Occasion, plan: LeaderboardsPlan, effects: readonly Effect[]): OriginOfChange {
  const byRun = groupBy(contributionsOf(occasion, plan, effects), ({ run }) => `${run.board.key} ${run.start}`);
  const given = effectsOfType(effects, 'PointsAwarded');
  const first = firstOrdinalOf(occasion);
  return ({ board, runStart, ordinal }) => {
    const inRun = byRun.get(`${board} ${runStart}`) ?? [];
    const last = inRun.find((one) => one.ordinal === ordinal);
    if (last === undefined) return null;
    const counted = last.due ? [last] : inRun.filter(({ due }) => !due);
    const isByPoints = [...plan.onPoints.values()].some((boards) => boards.includes(last.run.board));
    const awards = counted.flatMap((one) => given[one.ordinal - first] ?? []);
    return { due: last.due, awards: isByPoints ? awards : [] };
  };
}
