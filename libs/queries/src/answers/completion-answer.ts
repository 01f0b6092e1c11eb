import type { AnsweredCompletion, CompletionAnswer } from '@laurel/contracts';
import { v5 as uuidv5 } from 'uuid';
import { achievementAnswer } from './achievement-answer.ts';
import { eventPoints } from './points-answer.ts';

/** Fixed for ever: the id of a completion is the same whenever it is told. */
const COMPLETIONS = 'c6b8a1de-3a0f-5a55-9a0d-5f1f0a7f4f21';

/** The answer to a completion by call (specification, section 8). Points are those that this very call gave. */
export function composeCompletionAnswer(completion: AnsweredCompletion): CompletionAnswer {
  const { account, userId, definition, achievedAt, configuration, outcome } = completion;
  return {
    completionId: uuidv5(JSON.stringify([account, userId, definition.key]), COMPLETIONS),
    achievement: achievementAnswer(definition, achievedAt, configuration),
    points: outcome?.sections.points ? eventPoints(outcome.sections.points, outcome.configuration) : {},
    ...(outcome !== null && outcome.pending.length > 0 && { pending: [...outcome.pending] }),
  };
}
