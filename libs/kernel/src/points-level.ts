import type { Exact } from '@laurel/amounts';

/** The highest level that `total` reaches, or null if it is below all levels. @param levels by points, ascending */
export function levelReached<Level extends { readonly points: Exact }>(
  levels: readonly Level[],
  total: Exact,
): Level | null {
  let reached: Level | null = null;
  for (const level of levels) {
    if (level.points > total) break;
    reached = level;
  }
  return reached;
}

/** The number of users with a total in a range. */
export interface PointsRange {
  /** Both inclusive. */
  readonly from: bigint;
  readonly to: bigint;
  readonly users: number;
}
