import { z } from 'zod';
import { leaderboard, leaderboardRunPage, listedLeaderboard, userLeaderboard } from '../leaderboard.ts';
import { operationsOf } from './operation.ts';
import {
  BOARD,
  CURSOR,
  FROM_USER,
  INCLUDE_FINISHED,
  LIMIT,
  NUM_EVENTS,
  OFFSET,
  OWN_RUN,
  PAGE_LIMIT,
  RUN,
  USER,
} from './parameters.ts';

export const LEADERBOARD_OPERATIONS = operationsOf({
  listLeaderboards: {
    method: 'get',
    path: '/v1/leaderboards',
    scope: 'read',
    tag: 'Leaderboards',
    summary: 'List all leaderboards',
    parameters: [INCLUDE_FINISHED],
    answers: {
      200: { description: 'In configuration order, without rankings.', schema: z.array(listedLeaderboard) },
    },
    problems: ['invalid_request'],
  },
  getLeaderboard: {
    method: 'get',
    path: '/v1/leaderboards/{key}',
    scope: 'read',
    tag: 'Leaderboards',
    summary: 'Show the rankings of a leaderboard',
    parameters: [BOARD, RUN, OFFSET, LIMIT, FROM_USER],
    answers: {
      200: {
        description: 'The leaderboard and its rankings, which are empty before it has started.',
        schema: leaderboard,
      },
    },
    problems: ['unknown_leaderboard', 'unknown_run', 'invalid_request'],
  },
  getUserLeaderboard: {
    method: 'get',
    path: '/v1/users/{id}/leaderboards/{key}',
    scope: 'read',
    tag: 'Leaderboards',
    summary: 'Show a user’s place on a leaderboard',
    parameters: [USER, BOARD, OWN_RUN, NUM_EVENTS],
    answers: { 200: { description: 'Rank, value, and the latest changes.', schema: userLeaderboard } },
    problems: ['unknown_user', 'unknown_leaderboard', 'unknown_run', 'invalid_request'],
  },
  listLeaderboardRuns: {
    method: 'get',
    path: '/admin/v1/leaderboards/{key}/runs',
    scope: 'read',
    tag: 'Leaderboards',
    summary: 'List the runs of a leaderboard',
    description: 'Newest first, including those in which nobody has a value.',
    parameters: [BOARD, PAGE_LIMIT, CURSOR],
    answers: { 200: { description: 'A page of runs.', schema: leaderboardRunPage } },
    problems: ['unknown_leaderboard', 'invalid_request'],
  },
});
