import { z } from 'zod';
import { rankedStreak, streakSurvival, userStreak } from '../streak.ts';
import { operationsOf } from './operation.ts';
import { USER, inQuery, required, upTo } from './parameters.ts';

const HISTORY_PERIODS = inQuery(
  'historyPeriods',
  upTo(1, 366, 7, 'How many periods of history, ending with the current one.'),
);
const USER_IDS = required(
  inQuery(
    'userIds',
    z
      .array(z.string())
      .min(1)
      .max(100)
      .meta({
        description:
          'The users. Repeat the parameter, or separate ids by commas. Only a literal comma separates: an escaped one (`%2C`) belongs to an id, so a client that escapes commas repeats the parameter.',
        examples: [['ada', 'grace']],
      }),
  ),
);

export const STREAK_OPERATIONS = operationsOf('Streaks', {
  getUserStreak: {
    method: 'get',
    path: '/v1/users/{id}/streak',
    scope: 'read',
    summary: 'Show a user’s streak',
    parameters: [USER, HISTORY_PERIODS],
    answers: { 200: { description: 'The streak as of now.', schema: userStreak } },
    problems: ['unknown_user', 'invalid_request'],
  },
  listStreaks: {
    method: 'get',
    path: '/v1/streaks',
    scope: 'read',
    summary: 'Compare the streaks of several users',
    parameters: [USER_IDS],
    answers: {
      200: {
        description: 'Longest first; equal ones in the order of the request. Unknown users have 0 and null.',
        schema: z.array(rankedStreak),
      },
    },
    problems: ['invalid_request'],
  },
  getStreakSurvival: {
    method: 'get',
    path: '/admin/v1/streaks/survival',
    scope: 'read',
    summary: 'Count the streaks that reached each length',
    description:
      'Counts streaks since the configured frequency last changed. An ended streak counts as ended once an event of the user or a sweep has recorded it.',
    answers: {
      200: { description: 'How many streaks reached each length, and how many ended at it.', schema: streakSurvival },
    },
    problems: ['invalid_request'],
  },
});
