import { localDate, periodOf } from '@laurel/calendar';
import type { Instant, Period } from '@laurel/calendar';
import type { StreakDefinition, StreakView } from '@laurel/contracts';
import { freezesAt } from './freeze-account.ts';
import { settle } from './settle.ts';
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
 * The streak as it reads at an instant, freezes used whether or not a record has found that yet. Without a definition no
 * streaks are kept; a state of an older generation reads as if nothing had been recorded since.
 */
export function readStreak(stored: StreakState, at: Instant, definition: StreakDefinition | null): StreakView {
  if (definition === null) return NO_STREAK_KEPT;
  const { state } = settle(inGeneration(stored, definition), at, definition);
  const period = currentPeriod(state, at, definition);
  return {
    ...readLength(livingStreak(state, at, definition), state, definition),
    frequency: definition.frequency,
    periodStart: period.start,
    periodEnd: period.end,
    ...(definition.freezes === null ? {} : { freezes: freezesShown(state, at) }),
  };
}

/** An import of events older than the user's creation shows what was held at it. */
function freezesShown({ freezes, createdAt }: StreakState, at: Instant): number {
  return createdAt === null ? 0 : freezesAt(freezes, createdAt, Math.max(at, createdAt));
}

/** The period of the instant on the user's clock, but never one before the period that they have already reached. */
export function currentPeriod(state: StreakState, at: Instant, definition: StreakDefinition): Period {
  const today = periodOf(localDate(at, state.zone), definition.period);
  return state.reached !== null && state.reached > today.start ? periodOf(state.reached, definition.period) : today;
}

/** The streak if it is alive at that instant: E is not yet reached. The state must be settled up to the instant. */
export function livingStreak(state: StreakState, at: Instant, definition: StreakDefinition): Streak | null {
  const { streak } = state;
  return streak !== null && at < endOfStreak(streak, state.zone, definition.period) ? streak : null;
}

function readLength(alive: Streak | null, { zone }: StreakState, { period: rule }: StreakDefinition) {
  if (alive === null) return { length: 0, started: null, expires: null, extendedAt: null };
  return {
    length: alive.length,
    started: alive.startedOn,
    expires: localDate(endOfStreak(alive, zone, rule) - 1, zone),
    extendedAt: alive.extendedAt,
  };
}
