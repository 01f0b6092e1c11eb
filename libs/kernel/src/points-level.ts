import type { Exact } from '@laurel/amounts';

/** The highest level that `points` reach, or null if it is below all levels. @param levels by points, ascending */
export function levelReached<Level extends { readonly points: Exact }>(
  levels: readonly Level[],
  points: Exact,
): Level | null {
  let reached: Level | null = null;
  for (const level of levels) {
    if (level.points > points) break;
    reached = level;
  }
  return reached;
}

/** What the levels of a system follow: the present total, or all that the user has earned. */
export const LEVELS_BY = ['total', 'earned'] as const;
export type LevelsBy = (typeof LEVELS_BY)[number];

/** A user's points in a system. */
export interface PointsStanding<Points extends Exact = Exact> {
  readonly total: Points;
  readonly earned: Points;
}

/** The level of a user in a system, or null if below all levels. */
export const levelOf = <Level extends { readonly points: Exact }>(
  { levels, levelsBy }: { readonly levels: readonly Level[]; readonly levelsBy: LevelsBy },
  standing: PointsStanding,
): Level | null => levelReached(levels, pointsFollowed(levelsBy, standing));

export const pointsFollowed = <Points extends Exact>(
  levelsBy: LevelsBy,
  { total, earned }: PointsStanding<Points>,
): Points => (levelsBy === 'earned' ? earned : total);

/** The number of users with a total in a range. */
export interface PointsRange {
  /** Both inclusive. */
  readonly from: bigint;
  readonly to: bigint;
  readonly users: number;
}
