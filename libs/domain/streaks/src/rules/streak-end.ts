import {
  dayAt,
  dayExists,
  endOfDay,
  nextPeriodStart,
  type Day,
  type Instant,
  type PeriodRule,
  type Zone,
} from '@laurel/calendar';

/** Immutable: replaced when it changes. */
export interface Streak {
  readonly length: number;
  /** The user's day of the extension that began it. */
  readonly startedOn: Day;
  /** First day of L, the last period that was met or bridged. */
  readonly lastPeriod: Day;
  /** The clock in force when the last met period was met. */
  readonly zoneAtMet: Zone;
  readonly extendedAt: Instant;
  /** Whether an event has found that the streak ended: its end was emitted, and it uses no more freezes. */
  readonly ended: boolean;
  /** E by the user's present clock: the instant at which the streak ends unless it is extended. */
  readonly endsAt: Instant;
}

/**
 * The streak with its end E: period L + 1 must be over both by the present clock and by the clock in force when L was
 * met. So nobody loses a day by travelling west; travelling east skips days, and never ends the streak.
 */
export function withEnd(streak: Omit<Streak, 'endsAt'>, zone: Zone, rule: PeriodRule): Streak {
  const { length, startedOn, lastPeriod, zoneAtMet, extendedAt, ended } = streak;
  const here = endOfPeriodAfter(lastPeriod, zone, rule);
  const endsAt = zone === zoneAtMet ? here : Math.max(here, endOfPeriodAfter(lastPeriod, zoneAtMet, rule));
  return { length, startedOn, lastPeriod, zoneAtMet, extendedAt, ended, endsAt };
}

/** The streak if it is alive at that instant, otherwise null. The state must be settled up to the instant. */
export const livingStreak = ({ streak }: { readonly streak: Streak | null }, at: Instant): Streak | null =>
  streak !== null && at < streak.endsAt ? streak : null;

/** The last day, on the present clock, on which the streak is alive. */
export const lastDay = ({ endsAt }: Streak, zone: Zone): Day => dayAt(endsAt - 1, zone);

/**
 * First day of the period after the one that starts on `start`. A day that the clock never showed is skipped, because
 * nobody could have met it.
 */
export function periodAfter(start: Day, zone: Zone, rule: PeriodRule): Day {
  let next = nextPeriodStart(start, rule);
  if (rule.frequency === 'daily') while (!dayExists(next, zone)) next++;
  return next;
}

const endOfPeriodAfter = (start: Day, zone: Zone, rule: PeriodRule): Instant =>
  endOfDay(nextPeriodStart(periodAfter(start, zone, rule), rule) - 1, zone);

/** 0 unless it is alive. */
export const livingLength = (streak: Streak | null): number => (streak === null || streak.ended ? 0 : streak.length);
