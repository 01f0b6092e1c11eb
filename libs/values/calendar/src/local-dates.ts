import { DAY_MS, addDays, dateOfDay, dayNumber } from './dates.ts';
import type { DayNumber } from './dates.ts';
import { formatInstant } from './instants.ts';
import { LocalMemory } from './memory.ts';
import { WIDEST_OFFSET_MS, offsetAt, offsetPeriods } from './offsets.ts';
import type { Instant, LocalDate, Zone } from './types.ts';

const ends = new LocalMemory<Instant>(100_000);

/** The date on the zone's clock at an instant. @throws RangeError for no zone, or outside of the years 0001 to 9999. */
export function localDate(instant: Instant, zone: Zone): LocalDate {
  return dateOfDay(Math.floor((instant + offsetAt(instant, zone)) / DAY_MS));
}

/** The local time in the zone at an instant: `2014-05-21T12:30:00.000`. @throws RangeError as {@link localDate} */
export function localTime(instant: Instant, zone: Zone): string {
  return formatInstant(instant + offsetAt(instant, zone)).slice(0, -1);
}

/**
 * The instant at which the zone's clock leaves `date` for good: the supremum of the instants whose local date is `date` or
 * earlier. From then on every local date is later. If the clock is put back over midnight, this is the second midnight; a
 * date that never existed on this clock ends together with the date before it.
 */
export function endOfDate(date: LocalDate, zone: Zone): Instant {
  const day = dayNumber(date);
  return ends.get(zone, day) ?? ends.set(zone, day, findEnd(day, zone));
}

/** Whether the zone's clock ever showed this date: Pacific/Apia went from 2011-12-29 to 2011-12-31. */
export function dateExists(date: LocalDate, zone: Zone): boolean {
  return endOfDate(addDays(date, -1), zone) < endOfDate(date, zone);
}

/** With a constant offset, the date ends when UTC shows local midnight. The latest range of constant offset with such a moment decides. */
function findEnd(day: DayNumber, zone: Zone): Instant {
  const midnight = (day + 1) * DAY_MS;
  const spans = offsetPeriods(midnight - WIDEST_OFFSET_MS, midnight + WIDEST_OFFSET_MS, zone);
  const last = spans.findLast((span) => span.from < midnight - span.offset);
  if (last === undefined) throw new RangeError(`the clock of ${zone} is further from UTC than any known clock`);
  return Math.min(last.until, midnight - last.offset);
}
