import { DAY_MS } from './dates.ts';
import type { Day } from './days.ts';
import { findChange, WIDEST_OFFSET_MS } from './offsets.ts';
import type { Instant, Zone } from './types.ts';
import { clockOf } from './zone-clock.ts';

/**
 * The first instant at which the zone's clock shows the time on the day, or a later time. The clock reaches a skipped time with the leap;
 * of a time that it shows twice, the first counts.
 * @param minutes since 00:00, less than 1,440
 * @throws RangeError if there is no such zone
 */
export function instantOnDay(day: Day, minutes: number, zone: Zone): Instant {
  const shown = day * DAY_MS + minutes * 60_000;
  const clock = clockOf(zone);
  const before = clock.offsetAt(shown - WIDEST_OFFSET_MS);
  const after = clock.offsetAt(shown + WIDEST_OFFSET_MS);
  const first = shown - before;
  // No zone changes its clock twice within such a short time.
  if (before === after || clock.offsetAt(first) === before) return first;
  const second = shown - after;
  return clock.offsetAt(second) === after ? second : findChange(second, first, before, zone);
}
