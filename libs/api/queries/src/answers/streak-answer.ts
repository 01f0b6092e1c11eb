import { formatInstant } from '@laurel/calendar';
import type { FreezeDefinition, StreaksAnswer, StreakView } from '@laurel/kernel';
import type { StreakLength, StreakPeriod } from '@laurel/ports';
import { freezeFields, type CurrentStreak, type RankedStreak, type UserStreak } from '@laurel/schemas';

/** The streak in an event's answer. `extended` says whether this event extended it. */
export function currentStreak({ streak, extended }: StreaksAnswer, freezes: FreezeDefinition | null): CurrentStreak {
  return { ...bounds(streak), extended, ...freezeFields(streak.freezes ?? 0, freezes) };
}

/** The streak in a read. `extended` is the instant of the last extension. */
export function userStreak(
  view: StreakView,
  history: readonly StreakPeriod[],
  freezes: FreezeDefinition | null,
): UserStreak {
  return {
    ...bounds(view),
    extended: view.extendedAt === null ? null : formatInstant(view.extendedAt),
    streakHistory: history.map(({ periodStart, periodEnd, length, usedFreeze }) => ({
      periodStart,
      periodEnd,
      length,
      usedPause: false,
      usedFreeze,
    })),
    pauses: [],
    ...freezeFields(view.freezes ?? 0, freezes),
  };
}

/** The streak of one of several users. @param streak undefined if the user never had one */
export function rankedStreak(userId: string, streak?: StreakLength): RankedStreak {
  const { length = 0, extendedAt = null } = streak ?? {};
  return { userId, streakLength: length, extended: extendedAt === null ? null : formatInstant(extendedAt) };
}

function bounds({ length, frequency, started, periodStart, periodEnd, expires }: StreakView) {
  return { length, frequency, started, periodStart, periodEnd, expires };
}
