/**
 * What of `points` may be given (or taken, if negative) at `total`: the total stays within 0 and `maxPoints`
 * (specification, section 6). A cap lowered below a total takes nothing away, so there the room is 0.
 */
export function cutToRoom(points: bigint, total: bigint, maxPoints: bigint | null): bigint {
  const room = roomAhead(points, total, maxPoints);
  if (room === null) return points;
  return points > 0n ? smaller(points, room) : -smaller(-points, room);
}

/** How far the total can still move in the direction of `points`, never negative; null: without end. */
export function roomAhead(points: bigint, total: bigint, maxPoints: bigint | null): bigint | null {
  if (points < 0n) return total;
  if (maxPoints === null) return null;
  return total < maxPoints ? maxPoints - total : 0n;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
