import { z } from 'zod';
import { leaderboard, leaderboardRunPage, listedLeaderboard, userLeaderboard } from '../leaderboard.ts';
import { operationsOf } from './operation.ts';
import { BOARD, CURSOR, OWN_RUN, PAGE_LIMIT, RUN, USER, inQuery, flag, upTo } from './parameters.ts';

const INCLUDE_FINISHED = inQuery('includeFinished', flag('Finished leaderboards as well.'));
const NUM_EVENTS = inQuery('numEvents', upTo(0, 100, 10, 'How many of the user’s newest changes of value to show.'));
const OFFSET = inQuery('offset', upTo(0, 2 ** 31 - 1, 0, 'How many rows to pass over.'));
const LIMIT = inQuery('limit', upTo(0, 1_000, 10, 'How many rows to show; 0: none.'));
const FROM_USER = inQuery(
  'userId',
  z.string().meta({
    description: 'The offset counts from this user’s place. No rows if the user is not ranked or unknown.',
    examples: ['ada'],
  }),
);

export const LEADERBOARD_OPERATIONS = operationsOf('Leaderboards', {
  listLeaderboards: {
    method: 'get',
    path: '/v1/leaderboards',
    scope: 'read',
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
    summary: 'Show a user’s place on a leaderboard',
    parameters: [USER, BOARD, OWN_RUN, NUM_EVENTS],
    answers: { 200: { description: 'Rank, value, and the latest changes.', schema: userLeaderboard } },
    problems: ['unknown_user', 'unknown_leaderboard', 'unknown_run', 'invalid_request'],
  },
  listLeaderboardRuns: {
    method: 'get',
    path: '/admin/v1/leaderboards/{key}/runs',
    scope: 'read',
    summary: 'List the runs of a leaderboard',
    description: 'Newest first, including those in which nobody has a value.',
    parameters: [BOARD, PAGE_LIMIT, CURSOR],
    answers: { 200: { description: 'A page of runs.', schema: leaderboardRunPage } },
    problems: ['unknown_leaderboard', 'invalid_request'],
  },
});
