export type { Instant, LocalDate, Zone, Frequency, WeekStart, PeriodRule, Period } from './types.ts';
export { bucketsBetween, type Bucket, type DatedChanges, type DateRange } from './buckets.ts';
export { addDays, addMonths, daysBetween, parseDate } from './dates.ts';
export { formatInstant, parseInstant } from './instants.ts';
export { dateExists, endOfDate, localDate, localTime } from './local-dates.ts';
export { nextPeriod, periodOf, periodsEndingWith } from './periods.ts';
export { isZoneName, tzDataVersion, zoneNames } from './zones.ts';
export {
  dayAt,
  dayExists,
  endOfDay,
  formatDay,
  nextPeriodStart,
  parseDay,
  periodStart,
  weekdayOf,
  type Day,
} from './days.ts';
export { instantOnDay } from './instant-on-day.ts';
