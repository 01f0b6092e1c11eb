import { dayExists, nextPeriodStart, type Day, type PeriodRule, type Zone } from '@laurel/calendar';

/** Dates that are excused, both included. */
export interface ExcusedDays {
  readonly from: Day;
  readonly to: Day;
}

/** A streak that ended and was followed by another; excusing the days in between may join the two. */
export interface Lapse {
  readonly length: number;
  readonly startedOn: Day;
  /** First day of the last period that was met or bridged. */
  readonly lastPeriod: Day;
  /** First day of the period in which the next streak began. */
  readonly resumed: Day;
}

/** A period that a freeze bridged, and the streak's length at that time. */
export interface FrozenPeriod {
  readonly period: Day;
  readonly length: number;
}

/** The newest entries of each kind that a state keeps. */
export const MOST_REMEMBERED = 16;

/** Adds a range. */
export const remembered = <T>(list: readonly T[], one: T): readonly T[] => [...list, one].slice(-MOST_REMEMBERED);

/** Adds a range, sorts the ranges and joins adjacent ones. If there are too many, keeps the newest. */
export function withExcused(ranges: readonly ExcusedDays[], added: ExcusedDays): readonly ExcusedDays[] {
  const merged: ExcusedDays[] = [];
  for (const range of [...ranges, added].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last === undefined || range.from > last.to + 1) merged.push(range);
    else merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  return merged.slice(-MOST_REMEMBERED);
}

/** Whether every date of the period is excused; dates that the clock skipped do not count. */
export function isExcused(ranges: readonly ExcusedDays[], period: Day, rule: PeriodRule, zone: Zone): boolean {
  if (ranges.length === 0) return false;
  const next = nextPeriodStart(period, rule);
  let some = false;
  for (let day = period; day < next; day++)
    if (ranges.some(({ from, to }) => from <= day && day <= to)) some = true;
    else if (dayExists(day, zone)) return false;
  return some;
}
