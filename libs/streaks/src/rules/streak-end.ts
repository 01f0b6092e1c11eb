import { dateExists, endOfDate, nextPeriod, periodOf } from '@laurel/calendar';
import type { Instant, LocalDate, Period, PeriodRule, Zone } from '@laurel/calendar';
import type { Streak } from './streak-state.ts';

/**
 * E, the instant at which the streak ends: period L + 1 must be over both on the present clock and on the clock in force
 * when L was met. So nobody loses a day by travelling west, and travelling east skips dates, never the streak.
 */
export function endOfStreak(streak: Streak, zone: Zone, rule: PeriodRule): Instant {
  const atPresent = endOfPeriodAfter(streak.lastPeriod, zone, rule);
  return zone === streak.zoneAtMet
    ? atPresent
    : Math.max(atPresent, endOfPeriodAfter(streak.lastPeriod, streak.zoneAtMet, rule));
}

/** The period after the one that starts on `start`. A date that the clock never showed is passed over: nobody could have met it. */
export function periodAfter(start: LocalDate, zone: Zone, rule: PeriodRule): Period {
  let next = nextPeriod(periodOf(start, rule), rule);
  if (rule.frequency === 'daily') while (!dateExists(next.start, zone)) next = nextPeriod(next, rule);
  return next;
}

function endOfPeriodAfter(start: LocalDate, zone: Zone, rule: PeriodRule): Instant {
  return endOfDate(periodAfter(start, zone, rule).end, zone);
}
