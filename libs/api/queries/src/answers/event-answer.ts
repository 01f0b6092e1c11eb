import type { Recorded, Replayed } from '@laurel/kernel';
import type { AnsweredRequest } from '@laurel/ports';
import { type EventAnswer, jsonAmount } from '@laurel/schemas';
import { completedAchievements } from './achievement-answer.ts';
import { leaderboardEntries } from './leaderboard-answer.ts';
import { eventPoints } from './points-answer.ts';
import { currentStreak } from './streak-answer.ts';

/**
 * The answer to an event (specification, sections 2 and 3). It never fails, because the event is recorded: missing parts are null or
 * empty, and `pending` names them.
 */
export function composeEventAnswer(
  outcome: Recorded | Replayed,
  { metric, idempotencyKey }: AnsweredRequest,
): EventAnswer {
  const { configuration, sections, pending } = outcome;
  const { users, streaks, achievements, points, leaderboards } = sections;
  const total = users?.total ?? null;
  return {
    metricId: metric.id,
    eventId: outcome.eventId,
    total: total === null ? null : jsonAmount(total),
    achievements: completedAchievements(achievements, configuration),
    currentStreak: streaks ? currentStreak(streaks, configuration.streak?.freezes ?? null) : null,
    points: points ? eventPoints(points, configuration) : {},
    leaderboards: leaderboards ? leaderboardEntries(leaderboards, configuration) : {},
    ...(pending.length > 0 && { pending: [...pending] }),
    ...(idempotencyKey !== null && { idempotentReplayed: outcome.kind === 'replayed', idempotencyKey }),
    ...(outcome.kind === 'replayed' && outcome.retracted && { retracted: true as const }),
  };
}
