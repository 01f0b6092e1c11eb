import { negate, smaller, subtract, type Exact } from '@laurel/amounts';

/**
 * Cuts `points` (negative to take points) so that the total stays within 0 and `maxPoints`
 * (specification, section 6). A cap lowered below a total takes nothing away, so there the room is 0.
 */
export function cutToRoom(points: Exact, total: Exact, maxPoints: Exact | null): Exact {
  const room = roomAhead(points, total, maxPoints);
  if (room === null) return points;
  return points > 0 ? smaller(points, room) : negate(smaller(negate(points), room));
}

/** How far the total can still move in the direction of `points`, never negative; null if unlimited. */
export function roomAhead(points: Exact, total: Exact, maxPoints: Exact | null): Exact | null {
  if (points < 0) return total;
  if (maxPoints === null) return null;
  return total < maxPoints ? subtract(maxPoints, total) : 0;
}
