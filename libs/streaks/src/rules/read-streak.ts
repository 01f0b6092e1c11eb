import { localDate, periodOf } from '@laurel/calendar';
import type { Instant, Period } from '@laurel/calendar';
import type { StreakDefinition, StreakView } from '@laurel/contracts';
import { endOfStreak } from './streak-end.ts';
import { inGeneration } from './streak-state.ts';
import type { Streak, StreakState } from './streak-state.ts';

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
 * The streak as it reads at an instant. Without a definition no streaks are kept. A state of an older generation reads as if
 * nothing had been recorded.
 */
export function readStreak(state: StreakState, at: Instant, definition: StreakDefinition | null): StreakView {
  if (definition === null) return NO_STREAK_KEPT;
  const current = inGeneration(state, definition);
  const period = currentPeriod(current, at, definition);
  const bounds = { frequency: definition.frequency, periodStart: period.start, periodEnd: period.end };
  const alive = livingStreak(current, at, definition);
  if (alive === null) return { length: 0, ...bounds, started: null, expires: null, extendedAt: null };
  return {
    length: alive.length,
    ...bounds,
    started: alive.startedOn,
    expires: localDate(endOfStreak(alive, current.zone, definition.period) - 1, current.zone),
    extendedAt: alive.extendedAt,
  };
}

/** The period of the instant on the user's clock, but never one before the period that they have already reached. */
export function currentPeriod(state: StreakState, at: Instant, definition: StreakDefinition): Period {
  const today = periodOf(localDate(at, state.zone), definition.period);
  return state.reached !== null && state.reached > today.start ? periodOf(state.reached, definition.period) : today;
}

/** The streak if it is alive at that instant: E is not yet reached. */
export function livingStreak(state: StreakState, at: Instant, definition: StreakDefinition): Streak | null {
  const { streak } = state;
  return streak !== null && at < endOfStreak(streak, state.zone, definition.period) ? streak : null;
}
