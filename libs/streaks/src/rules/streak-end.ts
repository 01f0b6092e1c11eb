import { addDays, dateExists, endOfDate, nextPeriod, periodOf } from '@laurel/calendar';
import type { Instant, LocalDate, PeriodRule, Zone } from '@laurel/calendar';
import type { Streak } from './streak-state.ts';

/**
 * E, the instant at which the streak ends: period L + 1 must be over both on the present clock and on the clock in force
 * when L was met. So nobody loses a day by travelling west, and going back home is never worse than having stayed there.
 */
export function endOfStreak(streak: Streak, zone: Zone, rule: PeriodRule): Instant {
  const atPresent = endOfNextPeriod(streak.lastPeriod, zone, rule);
  return zone === streak.zoneAtMet
    ? atPresent
    : Math.max(atPresent, endOfNextPeriod(streak.lastPeriod, streak.zoneAtMet, rule));
}

function endOfNextPeriod(start: LocalDate, zone: Zone, rule: PeriodRule): Instant {
  return rule.frequency === 'daily'
    ? endOfDate(nextExistingDate(start, zone), zone)
    : endOfDate(nextPeriod(periodOf(start, rule), rule).end, zone);
}

/** A date that the clock never showed is passed over: nobody could have met it. */
function nextExistingDate(date: LocalDate, zone: Zone): LocalDate {
  let next = addDays(date, 1);
  while (!dateExists(next, zone)) next = addDays(next, 1);
  return next;
}
