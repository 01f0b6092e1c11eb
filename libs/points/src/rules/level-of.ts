import type { PointsLevel } from '@laurel/contracts';

/** The highest level whose points are reached by `total`; null below all of them. `levels` by points, ascending. */
export function levelOf(levels: readonly PointsLevel[], total: bigint): PointsLevel | null {
  return levels.findLast((level) => level.points <= total) ?? null;
}
