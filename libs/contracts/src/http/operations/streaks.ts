import { z } from 'zod';
import { rankedStreak, userStreak } from '../streak.ts';
import type { Operation } from './operation.ts';
import { HISTORY_PERIODS, USER, USER_IDS } from './parameters.ts';

export const STREAK_OPERATIONS: readonly Operation[] = [
  {
    id: 'getUserStreak',
    method: 'get',
    path: '/v1/users/{id}/streak',
    scope: 'read',
    tag: 'Streaks',
    summary: 'Show a user’s streak',
    parameters: [USER, HISTORY_PERIODS],
    answers: { 200: { description: 'The streak as of now.', schema: userStreak } },
    problems: ['unknown_user', 'invalid_request'],
  },
  {
    id: 'listStreaks',
    method: 'get',
    path: '/v1/streaks',
    scope: 'read',
    tag: 'Streaks',
    summary: 'Compare the streaks of several users',
    parameters: [USER_IDS],
    answers: {
      200: {
        description: 'Longest first, equal ones in the order asked. Unknown users have 0 and null.',
        schema: z.array(rankedStreak),
      },
    },
    problems: ['invalid_request'],
  },
];
