import { formatDay, nextPeriodStart, type Instant } from '@laurel/calendar';
import { EffectList, momentAt, type Emitter, type StreakView } from '@laurel/kernel';
import { freezesShown } from './freeze-account.ts';
import { lastDay, livingStreak } from './streak-end.ts';
import type { StreakRules, StreaksPlan } from './streaks-plan.ts';
import { currentPeriod, enterGeneration, settle, streaksRules } from './streaks.ts';
import type { StreaksState } from './streaks-state.ts';

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
 * The streak at an instant, including freezes that no event has used yet. Without a definition there are no streaks; a
 * state of an older generation reads as if nothing had been recorded since.
 */
export function viewStreak(state: StreaksState, at: Instant, { rules }: StreaksPlan): StreakView {
  if (rules === null) return NO_STREAK_KEPT;
  const settled = isSettled(state, at, rules) ? state : settledAt(state, at, rules, effectsOfTime(state, at));
  const start = currentPeriod(settled, at, rules);
  return {
    ...lengthAt(settled, at),
    frequency: rules.period.frequency,
    periodStart: formatDay(start),
    periodEnd: formatDay(nextPeriodStart(start, rules.period) - 1),
    ...(rules.freezes !== null && { freezes: freezesShown(settled.freezes, settled.createdAt, at) }),
  };
}

/** With freezes, the account must also be under the plan's terms, which settling ensures. */
const isSettled = ({ generation, streak, freezes }: StreaksState, at: Instant, rules: StreakRules): boolean =>
  generation === rules.generation &&
  freezes === null &&
  rules.freezes === null &&
  (streak === null || streak.ended || at < streak.endsAt);

/** An emitter for the changes that time alone causes in a view of a streak. */
export const effectsOfTime = ({ zone }: StreaksState, at: Instant): EffectList =>
  new EffectList(momentAt(at, zone), { version: 0 });

/** A copy of the state, settled up to an instant. The emitter gets the effects of settling. */
export function settledAt(state: StreaksState, at: Instant, rules: StreakRules, out: Emitter): StreaksState {
  const settled = streaksRules.clone(state);
  enterGeneration(settled, at, rules, out);
  if (settled.createdAt !== null) settle(settled, settled.createdAt, at, rules, out);
  return settled;
}

function lengthAt(state: StreaksState, at: Instant) {
  const alive = livingStreak(state, at);
  if (alive === null) return { length: 0, started: null, expires: null, extendedAt: null };
  return {
    length: alive.length,
    started: formatDay(alive.startedOn),
    expires: formatDay(lastDay(alive, state.zone)),
    extendedAt: alive.extendedAt,
  };
}
