import { subtract, type Exact } from '@laurel/amounts';
import { instantOnDay, type Day, type Instant } from '@laurel/calendar';
import { LATEST_REMINDER_MS, type StreakAtRisk } from '@laurel/kernel';
import { isExcused } from './excused-days.ts';
import { freezesAt } from './freeze-account.ts';
import { lastDay, periodAfter, type Streak } from './streak-end.ts';
import type { StreakRules } from './streaks-plan.ts';
import type { StreaksState } from './streaks-state.ts';

interface Reminder {
  readonly at: Instant;
  /** First day of the period that must be met. */
  readonly period: Day;
  /** The last day, on the user's clock, on which the period can be met. */
  readonly expiresOn: Day;
  readonly streak: Streak;
}

/**
 * The next reminder of a period that is not met yet (specification, section 9.21): on the last date on which the period
 * can be met, and before the streak ends. null without reminders or without a streak, and if the user was already
 * reminded of this period or it is excused.
 */
export function nextReminder(
  { streak, reminded, zone, excused }: StreaksState,
  { atRisk, period: rule }: StreakRules,
): Reminder | null {
  if (atRisk === null || streak === null || streak.ended) return null;
  const period = periodAfter(streak.lastPeriod, zone, rule);
  if ((reminded !== null && period <= reminded) || isExcused(excused, period, rule, zone)) return null;
  const expiresOn = lastDay(streak, zone);
  const last = instantOnDay(expiresOn, atRisk, zone);
  const at = last < streak.endsAt ? last : instantOnDay(expiresOn - 1, atRisk, zone);
  return { at, period, expiresOn, streak };
}

/**
 * Settles a reminder that has fallen due. Returns its effect, or null if there is none or it is too late. The state
 * must be settled up to the instant.
 * @param period first day of the current period
 */
export function settleReminder(
  state: StreaksState,
  instant: Instant,
  period: Day,
  rules: StreakRules,
): { readonly at: Instant; readonly effect: Omit<StreakAtRisk, 'type' | 'at'> } | null {
  state.reminded = aheadOf(state, rules);
  const reminder = nextReminder(state, rules);
  if (reminder === null || reminder.at > instant) return null;
  const { at, expiresOn, streak } = reminder;
  state.reminded = reminder.period;
  if (instant - at > LATEST_REMINDER_MS) return null;
  const { length, startedOn, extendedAt, endsAt: expiresAt } = streak;
  const held = state.createdAt === null ? 0 : freezesAt(state.freezes, state.createdAt, instant);
  const missing = missingIn(state, period, rules);
  return { at, effect: { period, length, startedOn, extendedAt, expiresAt, expiresOn, held, missing } };
}

/**
 * The period of the last reminder, or null if it was met, bridged or excused since. For an ended streak, the period
 * that ended it, because the streak may be revived on another clock. So the state is the same whether a sweep found the
 * reminder due or an event came first.
 */
function aheadOf({ streak, reminded, zone }: StreaksState, { period: rule }: StreakRules): Day | null {
  if (streak === null) return null;
  if (streak.ended) return periodAfter(streak.lastPeriod, zone, rule);
  return reminded !== null && reminded > streak.lastPeriod ? reminded : null;
}

function missingIn({ reached, progress }: StreaksState, period: Day, { conditions, metrics }: StreakRules) {
  return conditions.map(({ place, threshold }) => {
    const have: Exact = reached === period ? (progress[place] ?? 0) : 0;
    return { metric: metrics[place] as string, amount: have >= threshold ? 0 : subtract(threshold, have) };
  });
}
