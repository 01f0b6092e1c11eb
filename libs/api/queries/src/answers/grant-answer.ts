import type { Recorded, Replayed } from '@laurel/kernel';
import type { GrantAnswer } from '@laurel/schemas';
import { completedAchievements } from './achievement-answer.ts';
import { leaderboardEntries } from './leaderboard-answer.ts';
import { eventPoints } from './points-answer.ts';
import { currentStreak } from './streak-answer.ts';

/**
 * The answer to a grant (specification, section 10), similar to that to an event. @param idempotencyKey null if none
 * was sent
 */
export function composeGrantAnswer(outcome: Recorded | Replayed, idempotencyKey: string | null): GrantAnswer {
  const { eventId, configuration, sections, pending } = outcome;
  const { streaks, achievements, points, leaderboards } = sections;
  return {
    eventId,
    achievements: completedAchievements(achievements, configuration),
    currentStreak: streaks ? currentStreak(streaks, configuration.streak?.freezes ?? null) : null,
    points: points ? eventPoints(points, configuration) : {},
    leaderboards: leaderboards ? leaderboardEntries(leaderboards, configuration) : {},
    ...(pending.length > 0 && { pending: [...pending] }),
    ...(idempotencyKey !== null && { idempotentReplayed: outcome.kind === 'replayed', idempotencyKey }),
    ...(outcome.kind === 'replayed' && outcome.retracted && { retracted: true as const }),
  };
}
