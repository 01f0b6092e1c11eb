import type { Exact } from '@laurel/amounts';
import { periodStart, type Day, type Instant, type WeekStart } from '@laurel/calendar';
import { CAP_PERIODS, type CapPeriod } from '@laurel/kernel';

/**
 * Where a user is on their own clock, which never moves back: the day tells which periods are current (specification,
 * section 6). Immutable.
 */
export interface Present {
  /** The latest instant of a record, a time award or a grant of points. */
  readonly at: Instant;
  /** The latest date of these. */
  readonly day: Day;
  /** The points that count against each cap in its current period, by {@link CapId}. */
  readonly used: ReadonlyMap<CapId, Exact>;
}

/** The letter of its period, then the number of the trigger, or of the points system as a negative number. */
export type CapId = `${Letter}${number}`;
type Letter = 'd' | 'w' | 'm';

export const capId = (per: CapPeriod, number: number): CapId => `${per[0] as Letter}${number}`;

const FREQUENCIES = { d: CAP_PERIODS.day, w: CAP_PERIODS.week, m: CAP_PERIODS.month };

/** The present after something happened at an instant, on that day of the user's clock. */
export function presentAfter(present: Present | null, at: Instant, day: Day, weekStart: WeekStart): Present {
  if (present === null) return { at, day, used: NOTHING_USED };
  if (at <= present.at && day <= present.day) return present;
  const used = day > present.day && present.used.size > 0 ? stillUsed(present, day, weekStart) : present.used;
  return { at: Math.max(at, present.at), day: Math.max(day, present.day), used };
}

export const NOTHING_USED: Present['used'] = new Map();

/** Leaves out the caps whose period is over. */
function stillUsed({ day: before, used }: Present, day: Day, weekStart: WeekStart): Present['used'] {
  const current = [...used].filter(([id]) => {
    const rule = { frequency: FREQUENCIES[id[0] as Letter], weekStart };
    return periodStart(before, rule) === periodStart(day, rule);
  });
  return new Map(current);
}
