import type { LocalDate } from '@laurel/calendar';
import { effectsOfType, type Effect, type Occasion, type PointsAwarded } from '@laurel/contracts';
import type { LeaderboardsPlan } from './leaderboards-plan.ts';
import { contributionsOf, firstOrdinalOf } from './leaderboards.ts';

/** What a change of a user's value in a run was made of. */
export interface CausesOfChange {
  /** See {@link RunContribution}. */
  readonly due: boolean;
  /** Those that counted, in their order, of a board that ranks by points; what was not due, the event gave as a whole. */
  readonly awards: readonly PointsAwarded[];
}

/**
 * Says it by {@link contributionsOf}, for whoever asks why.
 * @param effects all those of the occasion on points and streaks
 * @param change as the rules emitted it. @returns null: they did not
 */
export function causesOf(
  occasion: Occasion,
  plan: LeaderboardsPlan,
  effects: readonly Effect[],
  change: { readonly board: string; readonly runStart: LocalDate; readonly ordinal: number },
): CausesOfChange | null {
  const inRun = contributionsOf(occasion, plan, effects).filter(
    ({ run }) => run.board.key === change.board && run.start === change.runStart,
  );
  const last = inRun.find(({ ordinal }) => ordinal === change.ordinal);
  if (last === undefined) return null;
  const counted = last.due ? [last] : inRun.filter(({ due }) => !due);
  const given = effectsOfType(effects, 'PointsAwarded');
  const isByPoints = [...plan.onPoints.values()].some((boards) => boards.includes(last.run.board));
  const awards = counted.flatMap(({ ordinal }) => given[ordinal - firstOrdinalOf(occasion.cause)] ?? []);
  return { due: last.due, awards: isByPoints ? awards : [] };
}
