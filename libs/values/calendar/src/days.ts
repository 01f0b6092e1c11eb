import { DAY_MS, FIRST_DAY, LAST_DAY, dateOfDay, dayNumber, type DayNumber } from './dates.ts';
import { endOfDate } from './local-dates.ts';
import { WIDEST_OFFSET_MS } from './offsets.ts';
import type { Instant, PeriodRule, Zone } from './types.ts';
import { clockOf } from './zone-clock.ts';

/** A date as days since 1970-01-01, for the rules. `YYYY-MM-DD` is for input and output. */
export type Day = DayNumber;

/** The day on the zone's clock at an instant. @throws RangeError for no zone, or outside of the years 0001 to 9999. */
export function dayAt(instant: Instant, zone: Zone): Day {
  const day = Math.floor((instant + clockOf(zone).offsetAt(instant)) / DAY_MS);
  if (!(day >= FIRST_DAY && day <= LAST_DAY))
    throw new RangeError(`no date of the years 0001 to 9999: ${instant} in ${zone}`);
  return day;
}

/** The instant at which the zone's clock leaves the day for good, like `endOfDate`. */
export function endOfDay(day: Day, zone: Zone): Instant {
  const midnight = (day + 1) * DAY_MS;
  const clock = clockOf(zone);
  const offset = clock.offsetAt(midnight - WIDEST_OFFSET_MS);
  // No zone changes its clock twice within such a short time, so equal offsets mean that it did not change.
  if (offset === clock.offsetAt(midnight + WIDEST_OFFSET_MS)) return midnight - offset;
  return endOfDate(dateOfDay(day), zone);
}

/** Whether the zone's clock ever showed the day: Pacific/Apia went from 2011-12-29 to 2011-12-31. */
export function dayExists(day: Day, zone: Zone): boolean {
  const clock = clockOf(zone);
  const before = clock.offsetAt(day * DAY_MS - WIDEST_OFFSET_MS);
  // Without a change, the clock showed all of the day.
  if (before === clock.offsetAt((day + 1) * DAY_MS + WIDEST_OFFSET_MS)) return true;
  return endOfDay(day - 1, zone) < endOfDay(day, zone);
}

/** 0 is Monday, 6 is Sunday. */
export const weekdayOf = (day: Day): number => modulo(day + 3, 7);

/** First day of the period that holds the day (specification, section 4). */
export function periodStart(day: Day, { frequency, weekStart }: PeriodRule): Day {
  switch (frequency) {
    case 'daily':
      return day;
    case 'weekly':
      return day - modulo(day + (weekStart === 'monday' ? 3 : 4), 7);
    case 'monthly':
      if (day < month.first || day >= month.next) month = { first: firstOfMonth(day, 0), next: firstOfMonth(day, 1) };
      return month.first;
  }
}

/** First day of the period after the one that starts on `start`. */
export function nextPeriodStart(start: Day, { frequency }: PeriodRule): Day {
  switch (frequency) {
    case 'daily':
      return start + 1;
    case 'weekly':
      return start + 7;
    case 'monthly':
      return firstOfMonth(start, 1);
  }
}

/** The last result: subsequent days usually lie in the same month. */
let month = { first: 0, next: 0 };

/** First day of a month: the one `later` months after the month of `day`. */
function firstOfMonth(day: Day, later: number): Day {
  const date = new Date(day * DAY_MS);
  return date.setUTCMonth(date.getUTCMonth() + later, 1) / DAY_MS;
}

const modulo = (n: number, divisor: number): number => ((n % divisor) + divisor) % divisor;

/** A day as `YYYY-MM-DD`, and back. @throws RangeError outside of the years 0001 to 9999. */
export const formatDay = dateOfDay;
export const parseDay = dayNumber;
