import { formatDay, nextPeriodStart, dayAt, type Instant } from '@laurel/calendar';
import { EffectList, type StreakView } from '@laurel/contracts';
import { freezesAt } from './freeze-account.ts';
import {
  currentPeriod,
  livingStreak,
  settle,
  streaksRules,
  type StreakRules,
  type StreaksPlan,
  type StreaksState,
} from './streaks.ts';

const NO_STREAK_KEPT: StreakView = {
  length: 0,
  frequency: 'daily',
  started: null,
  periodStart: null,
  periodEnd: null,
  expires: null,
  extendedAt: null,
};

/**
 * The streak as it reads at an instant, freezes used whether or not an event has found that yet. Without a definition no streaks are
 * kept; a state of an older generation reads as if nothing had been recorded since.
 */
export function viewStreak(state: StreaksState, at: Instant, plan: StreaksPlan): StreakView {
  if (plan === null) return NO_STREAK_KEPT;
  const settled = isSettled(state, at, plan) ? state : settledAt(state, at, plan);
  const start = currentPeriod(settled, at, plan);
  return {
    ...lengthAt(settled, at),
    frequency: plan.period.frequency,
    periodStart: formatDay(start),
    periodEnd: formatDay(nextPeriodStart(start, plan.period) - 1),
    ...(plan.freezes !== null && { freezes: freezesShown(settled, at) }),
  };
}

/** With freezes the account must be under the plan's terms, which settling sees to. */
const isSettled = ({ generation, streak, freezes }: StreaksState, at: Instant, plan: StreakRules): boolean =>
  generation === plan.generation &&
  freezes === null &&
  plan.freezes === null &&
  (streak === null || streak.ended || at < streak.endsAt);

function settledAt(state: StreaksState, at: Instant, plan: StreakRules): StreaksState {
  const settled = streaksRules.clone(state);
  if (settled.generation !== plan.generation) {
    settled.streak = null;
    settled.reached = null;
  }
  if (settled.createdAt !== null) settle(settled, settled.createdAt, at, plan, new EffectList());
  return settled;
}

/** An import of events older than the user's creation shows what was held at it. */
function freezesShown({ freezes, createdAt }: StreaksState, at: Instant): number {
  return createdAt === null ? 0 : freezesAt(freezes, createdAt, Math.max(at, createdAt));
}

function lengthAt(state: StreaksState, at: Instant) {
  const alive = livingStreak(state, at);
  if (alive === null) return { length: 0, started: null, expires: null, extendedAt: null };
  return {
    length: alive.length,
    started: formatDay(alive.startedOn),
    expires: formatDay(dayAt(alive.endsAt - 1, state.zone)),
    extendedAt: alive.extendedAt,
  };
}
