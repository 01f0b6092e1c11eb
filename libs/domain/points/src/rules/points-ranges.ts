import type { PointsRange } from '@laurel/kernel';

/**
 * The lowest top: fewer points cannot be split into ten equal ranges of whole points. Also the top while nobody has
 * points.
 */
export const LOWEST_TOP = 10n;

/**
 * The ranges 0–0 and ten equal ones from 1 to `top` (specification, section 8), with the number of users in each.
 * @param top a power of ten, at least {@link LOWEST_TOP}
 */
export function pointsRanges(top: bigint, users: readonly number[]): readonly PointsRange[] {
  const width = top / 10n;
  return users.map((count, place) => {
    const to = BigInt(place) * width;
    return { from: place === 0 ? 0n : to - width + 1n, to, users: count };
  });
}
