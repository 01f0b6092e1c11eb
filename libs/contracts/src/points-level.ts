import type { Exact } from '@laurel/amounts';

/** The highest level whose points are reached by `total`; null below all of them. `levels` by points, ascending. */
export const levelReached = <Level extends { readonly points: Exact }>(
  levels: readonly Level[],
  total: Exact,
): Level | null => levels.findLast(({ points }) => points <= total) ?? null;
