import { type LocalDate, type PeriodRule, periodOf, periodsFrom } from '@laurel/calendar';
import type { PointsBucket } from '@laurel/contracts';

/** Dates from `from` to `to`, both inclusive. */
export interface DateRange {
  readonly from: LocalDate;
  readonly to: LocalDate;
}

/** What awards add up to, around a range of dates. */
export interface PointsChanges {
  /** All that are dated before the range. */
  readonly before: bigint;
  /** Those of each date within it; a date without awards may be absent. */
  readonly byDate: ReadonlyMap<LocalDate, bigint>;
}

export const NO_CHANGES: PointsChanges = { before: 0n, byDate: new Map() };

export function added(a: PointsChanges, b: PointsChanges): PointsChanges {
  const byDate = new Map(a.byDate);
  for (const [date, change] of b.byDate) addTo(byDate, date, change);
  return { before: a.before + b.before, byDate };
}

/**
 * A bucket for every period that the range touches, also an empty and a future one; the first and the last are cut to the
 * range (specification, section 6).
 */
export function pointsSummary(range: DateRange, rule: PeriodRule, changes: PointsChanges): readonly PointsBucket[] {
  const changeOf = new Map<LocalDate, bigint>();
  for (const [date, change] of changes.byDate) addTo(changeOf, periodOf(date, rule).start, change);
  let total = changes.before;
  return periodsFrom(periodOf(range.from, rule), periodOf(range.to, rule), rule).map(({ start }) => {
    const change = changeOf.get(start) ?? 0n;
    total += change;
    return { date: start < range.from ? range.from : start, total, change };
  });
}

/** Adds to what the map holds under the key, or to 0. */
export function addTo<Key>(sums: Map<Key, bigint>, key: Key, points: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + points);
}
