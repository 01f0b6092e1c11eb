import { addDays, daysSinceMonday, endOfMonth } from './dates.ts';
import type { LocalDate, Period, PeriodRule } from './types.ts';

/** The period that holds a date (specification, section 4). @throws RangeError if it reaches beyond the years 0001 to 9999. */
export function periodOf(date: LocalDate, rule: PeriodRule): Period {
  switch (rule.frequency) {
    case 'daily':
      return { start: date, end: date };
    case 'weekly':
      return weekFrom(addDays(date, -daysSinceWeekStart(date, rule)));
    case 'monthly':
      return { start: `${date.slice(0, 8)}01`, end: endOfMonth(date) };
  }
}

/** The next period of the calendar, even a day that a clock skipped. */
export function nextPeriod(period: Period, rule: PeriodRule): Period {
  return periodOf(addDays(period.end, 1), rule);
}

export function previousPeriod(period: Period, rule: PeriodRule): Period {
  return periodOf(addDays(period.start, -1), rule);
}

/** The `count` periods that end with `last`, oldest first; fewer at the beginning of the calendar. */
export function periodsEndingWith(last: Period, count: number, rule: PeriodRule): readonly Period[] {
  const periods: Period[] = [];
  for (let period = last; periods.length < count;) {
    periods.push(period);
    if (isFirst(period, rule)) break;
    if (periods.length < count) period = previousPeriod(period, rule);
  }
  return periods.reverse();
}

/** Whether the previous period would begin before the year 1. */
const isFirst = ({ start }: Period, { frequency }: PeriodRule): boolean =>
  frequency === 'weekly' ? start < '0001-01-08' : start === '0001-01-01';

/** The periods from `first` to `last`, both inclusive, in order; empty if `last` is before `first`. */
export function periodsFrom(first: Period, last: Period, rule: PeriodRule): readonly Period[] {
  const periods: Period[] = [];
  for (let period = first; period.start <= last.start; period = nextPeriod(period, rule)) periods.push(period);
  return periods;
}

function daysSinceWeekStart(date: LocalDate, rule: PeriodRule): number {
  const days = daysSinceMonday(date);
  return rule.weekStart === 'monday' ? days : (days + 1) % 7;
}

function weekFrom(start: LocalDate): Period {
  return { start, end: addDays(start, 6) };
}
