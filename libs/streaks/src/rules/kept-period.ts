import { nextPeriod, periodOf, periodsFrom, previousPeriod } from '@laurel/calendar';
import type { LocalDate, PeriodRule } from '@laurel/calendar';
import type { Streak } from './streak-state.ts';

/** A period that was met or bridged, and the streak's length as of it. */
export interface KeptPeriod {
  readonly start: LocalDate;
  readonly length: number;
  readonly usedFreeze: boolean;
}

/** The periods strictly between L and the one that starts on `next`: bridged, at the length that the streak had. */
export function skippedPeriods(streak: Streak, next: LocalDate, rule: PeriodRule): readonly KeptPeriod[] {
  const first = nextPeriod(periodOf(streak.lastPeriod, rule), rule);
  const last = previousPeriod(periodOf(next, rule), rule);
  return periodsFrom(first, last, rule).map(({ start }) => ({ start, length: streak.length, usedFreeze: false }));
}
