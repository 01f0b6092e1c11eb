import { dayExists, nextPeriodStart, type Day, type PeriodRule, type Zone } from '@laurel/calendar';

/** Dates that are excused, both included. */
export interface ExcusedDays {
  readonly from: Day;
  readonly to: Day;
}

/** A streak that ended and was followed by another, as far as excused days may join the two. */
export interface Lapse {
  readonly length: number;
  readonly startedOn: Day;
  /** First day of its last period that was met or bridged. */
  readonly lastPeriod: Day;
  /** First day of the period with which the next streak began. */
  readonly resumed: Day;
}

/** A period that a freeze bridged, and the streak's length as of it. */
export interface FrozenPeriod {
  readonly period: Day;
  readonly length: number;
}

/** The newest entries of each kind that a state keeps. */
export const MOST_REMEMBERED = 16;

/** Adds a range. */
export const remembered = <T>(list: readonly T[], one: T): readonly T[] => [...list, one].slice(-MOST_REMEMBERED);

/** Sorts ranges and joins adjacent ones; keeps the newest if there are too many. */
export function withExcused(ranges: readonly ExcusedDays[], added: ExcusedDays): readonly ExcusedDays[] {
  const merged: ExcusedDays[] = [];
  for (const range of [...ranges, added].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || range.from > last.to + 1) merged.push(range);
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  return merged.slice(-MOST_REMEMBERED);
}

/** Whether every date of the period is excused, except for dates that the clock skipped. */
export function isExcused(ranges: readonly ExcusedDays[], period: Day, rule: PeriodRule, zone: Zone): boolean {
  if (ranges.length === 0) return false;
  const next = nextPeriodStart(period, rule);
  let some = false;
  for (let day = period; day < next; day++)
    if (ranges.some(({ from, to }) => from <= day && day <= to)) some = true;
    else if (dayExists(day, zone)) return false;
  return some;
}
