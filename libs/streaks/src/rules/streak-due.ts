import type { Instant } from '@laurel/calendar';
import type { StreakDefinition } from '@laurel/contracts';
import { endOfStreak } from './streak-end.ts';
import type { StreakState } from './streak-state.ts';

/**
 * The instant from which on a sweep of this user has something to settle, a freeze to use or an end to announce; null: nothing. A
 * streak of another generation, or under a configuration without streaks, is over since the publication: due at once, -Infinity.
 */
export function streakDueAt(state: StreakState, definition: StreakDefinition | null): Instant | null {
  if (state.streak === null || state.streak.ended) return null;
  if (definition === null || definition.generation !== state.generation) return -Infinity;
  return endOfStreak(state.streak, state.zone, definition.period);
}
