import { exactOf, type Exact } from '@laurel/amounts';

/** Totals below this are counted individually, higher ones by their first three digits. */
const ONE_BY_ONE = 1_000n;

/**
 * The lowest total that is counted together with this one. A total with more than three digits is counted alone if all
 * digits after the third are 0, and otherwise together with the others that share its first three digits: 1,230 alone,
 * then 1,231–1,239 as 1,231. So no range of a summary (`points-ranges.ts`) separates users who are counted together,
 * and neither does a level of up to three digits followed by zeros.
 */
export function markOf(total: bigint): bigint {
  if (total < ONE_BY_ONE) return total;
  const unit = 10n ** BigInt(String(total).length - 3);
  const lowest = total - (total % unit);
  return lowest === total || unit === 1n ? lowest : lowest + 1n;
}

/** {@link markOf} a total in the number type of the rules. */
export function markOfTotal(total: Exact): Exact {
  if (typeof total === 'bigint') return exactOf(markOf(total));
  if (total < 1_000) return total;
  let unit = 10;
  while (total >= unit * 1_000) unit *= 10;
  const lowest = total - (total % unit);
  return lowest === total ? lowest : lowest + 1;
}

/** Whether all totals that are counted together are on the same side of a bound. */
export const isMark = (bound: bigint): boolean => markOf(bound) === bound;
