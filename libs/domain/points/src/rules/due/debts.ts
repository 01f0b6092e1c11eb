import type { Instant } from '@laurel/calendar';
import { countTicks } from './schedule.ts';
import { tallyOf } from './tally.ts';
import { firstDue, timeAwards, type Debt } from './time-awards.ts';

/** The first instant at which any of the debts gives a time award, or null if none does before a total changes. */
export function firstDueOf(debts: readonly Debt[]): Instant | null {
  let first: Instant | null = null;
  for (const debt of debts) {
    const due = firstDue(debt);
    if (due !== null && (first === null || due < first)) first = due;
  }
  return first;
}

/** The number of time awards in the debts. */
export const awardsOwed = (debts: readonly Debt[]): number =>
  debts.reduce((awards, debt) => awards + tallyOf(debt).awards, 0);

/**
 * The instant up to which the debts, all up to `upTo`, may be settled so that at most `atMost` time awards are given:
 * `upTo`, or an earlier instant after which more are due. Always includes the first award, so settling in chunks makes
 * progress.
 */
export function settleBoundOf(debts: readonly Debt[], upTo: Instant, atMost: number): Instant {
  if (ticksOf(debts) <= atMost) return upTo;
  const due = debts.flatMap((debt) => firstInstants(debt, atMost + 1)).sort((a, b) => a - b);
  const [first, beyond] = [due[0], due[atMost]];
  return first === undefined || beyond === undefined ? upTo : Math.max(beyond - 1, first);
}

/**
 * Number of due instants, including those whose award would be cut to nothing: an upper limit of the awards that is
 * computed without walking them.
 */
const ticksOf = (debts: readonly Debt[]): number =>
  debts.reduce(
    (sum, { spans, createdAt, window }) =>
      spans.reduce((ticks, span) => ticks + countTicks(span, createdAt, window), sum),
    0,
  );

function firstInstants(debt: Debt, limit: number): Instant[] {
  const instants: Instant[] = [];
  for (const { at } of timeAwards(debt)) {
    instants.push(at);
    if (instants.length === limit) break;
  }
  return instants;
}
