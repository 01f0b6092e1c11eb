import { exactOf, type Exact } from '@laurel/amounts';

/** Totals below it are counted individually, higher ones by their first three digits. */
const ONE_BY_ONE = 1_000n;

/**
 * The lowest total that is counted together with this one. Of a total with more than three digits it is the total itself if all but the
 * first three are 0, or else the total behind that: 1,230 stands alone, and 1,231 for 1,231–1,239. So no range of a summary
 * (`points-ranges.ts`) holds only a part of those who are counted together, and neither does a level at up to three digits and zeros.
 */
export function markOf(total: bigint): bigint {
  if (total < ONE_BY_ONE) return total;
  const unit = 10n ** BigInt(String(total).length - 3);
  const lowest = total - (total % unit);
  return lowest === total || unit === 1n ? lowest : lowest + 1n;
}

/** {@link markOf} a total as the rules have it. */
export function markOfTotal(total: Exact): Exact {
  if (typeof total === 'bigint') return exactOf(markOf(total));
  if (total < 1_000) return total;
  let unit = 10;
  while (total >= unit * 1_000) unit *= 10;
  const lowest = total - (total % unit);
  return lowest === total ? lowest : lowest + 1;
}

/** Whether no group of totals that are counted together lies on both sides of a bound. */
export const isMark = (bound: bigint): boolean => markOf(bound) === bound;
