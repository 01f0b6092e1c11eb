import { periodOf, periodsFrom } from './periods.ts';
import type { LocalDate, PeriodRule } from './types.ts';

/** Dates from `from` to `to`, both inclusive. */
export interface DateRange {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** The dated changes of a total, around a range of dates. */
export interface DatedChanges {
  /** The sum of all changes before the range. */
  readonly before: bigint;
  /** The sum of the changes on each date of the range; a date without any may be absent. */
  readonly byDate: ReadonlyMap<LocalDate, bigint>;
}

/** One period of a summary. */
export interface Bucket {
  /** First date of the period, not before the range's first. */
  readonly date: LocalDate;
  /** The total at the end of the period, or of the range. */
  readonly total: bigint;
  readonly change: bigint;
}

/**
 * A bucket for every period that the range touches, also an empty and a future one, by date ascending; the first and the
 * last are cut to the range (specification, section 6).
 */
export function bucketsBetween(range: DateRange, rule: PeriodRule, changes: DatedChanges): readonly Bucket[] {
  const changeOf = sumsByPeriod(changes.byDate, rule);
  let total = changes.before;
  return periodsFrom(periodOf(range.from, rule), periodOf(range.to, rule), rule).map(({ start }) => {
    const change = changeOf.get(start) ?? 0n;
    total += change;
    return { date: start < range.from ? range.from : start, total, change };
  });
}

/** The sums of the changes by the start of each period. */
function sumsByPeriod(byDate: ReadonlyMap<LocalDate, bigint>, rule: PeriodRule): ReadonlyMap<LocalDate, bigint> {
  const sums = new Map<LocalDate, bigint>();
  for (const [date, change] of byDate) {
    const { start } = periodOf(date, rule);
    sums.set(start, (sums.get(start) ?? 0n) + change);
  }
  return sums;
}
