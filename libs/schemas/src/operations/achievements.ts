import { z } from 'zod';
import { listedAchievement, userAchievement } from '../achievement.ts';
import { completionAnswer } from '../event-answer.ts';
import { completeAchievementRequest } from '../requests.ts';
import { operationsOf, RECORDING_PROBLEMS } from './operation.ts';
import { ACHIEVEMENT, USER, inQuery, flag } from './parameters.ts';

const INCLUDE_INCOMPLETE = inQuery(
  'includeIncomplete',
  flag('Also those that the user has not completed, without hidden ones.'),
);

export const ACHIEVEMENT_OPERATIONS = operationsOf('Achievements', {
  listAchievements: {
    method: 'get',
    path: '/v1/achievements',
    scope: 'read',
    summary: 'List all achievements',
    answers: {
      200: {
        description: 'The achievements in configuration order, without hidden ones; `achievedAt` is null.',
        schema: z.array(listedAchievement),
      },
    },
    problems: ['invalid_request'],
  },
  listUserAchievements: {
    method: 'get',
    path: '/v1/users/{id}/achievements',
    scope: 'read',
    summary: 'List a user’s achievements',
    parameters: [USER, INCLUDE_INCOMPLETE],
    answers: {
      200: {
        description:
          'The completed achievements, hidden ones included, or all that the user may see, in configuration order.',
        schema: z.array(userAchievement),
      },
    },
    problems: ['unknown_user', 'invalid_request'],
  },
  completeAchievement: {
    method: 'post',
    path: '/v1/achievements/{key}/complete',
    scope: 'ingest',
    summary: 'Complete an achievement',
    description:
      'Only for achievements with the trigger `api`; others are refused with 422. A completion counts for composite achievements, points and leaderboards as an event does, and the answer shows everything that it caused.',
    parameters: [ACHIEVEMENT],
    body: { schema: completeAchievementRequest, example: { user: { id: 'ada' } } },
    answers: {
      201: { description: 'Completed by this call.', schema: completionAnswer },
      202: {
        description:
          'It was already complete: nothing is recorded, not even changes to the user. `achievements`, `points` and `leaderboards` are empty.',
        schema: completionAnswer,
      },
    },
    problems: ['unknown_achievement', 'not_active', ...RECORDING_PROBLEMS],
  },
});
