import type { PointsRange } from '@laurel/kernel';

/** Ten equal ranges of whole points do not fit below it; so it is also the top while nobody has any points. */
export const LOWEST_TOP = 10n;

/**
 * 0–0, then ten equal ranges from 1 to `top` (specification, section 8), with the users of each in that order.
 * @param top a power of ten, at least {@link LOWEST_TOP}
 */
export function pointsRanges(top: bigint, users: readonly number[]): readonly PointsRange[] {
  const width = top / 10n;
  return users.map((count, place) => {
    const to = BigInt(place) * width;
    return { from: place === 0 ? 0n : to - width + 1n, to, users: count };
  });
}
