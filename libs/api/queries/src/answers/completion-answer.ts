import type { AnsweredCompletion } from '@laurel/ports';
import { achievementAnswer, type CompletionAnswer } from '@laurel/schemas';
import { v5 as uuidv5 } from 'uuid';
import { completedAchievements } from './achievement-answer.ts';
import { leaderboardEntries } from './leaderboard-answer.ts';
import { eventPoints } from './points-answer.ts';

/** Must never change: a completion has the same id in every answer. */
const COMPLETIONS = 'c6b8a1de-3a0f-5a55-9a0d-5f1f0a7f4f21';

/**
 * The answer to a completion by an API call (specification, section 8): the achievement, and the other effects of the
 * call.
 */
export function composeCompletionAnswer(completion: AnsweredCompletion): CompletionAnswer {
  const { account, userId, definition, achievedAt, outcome } = completion;
  const completionId = uuidv5(JSON.stringify([account, userId, definition.key]), COMPLETIONS);
  const achievement = achievementAnswer(definition, achievedAt);
  if (outcome === null) return { completionId, achievement, achievements: [], points: {}, leaderboards: {} };
  const { achievements, points, leaderboards } = outcome.sections;
  return {
    completionId,
    achievement,
    achievements: completedAchievements(achievements, outcome.configuration).filter(({ id }) => id !== definition.id),
    points: points ? eventPoints(points, outcome.configuration) : {},
    leaderboards: leaderboards ? leaderboardEntries(leaderboards, outcome.configuration) : {},
    ...(outcome.pending.length > 0 && { pending: [...outcome.pending] }),
  };
}
