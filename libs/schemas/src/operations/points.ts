import { z } from 'zod';
import { listedBoost } from '../boosts.ts';
import { level, levelUsers, pointsBucket, pointsRange, pointsSystem, userPoints } from '../points.ts';
import { refundAnswer, refundRequest, spendAnswer, spendRequest } from '../spends.ts';
import { operationsOf, RECORDING_PROBLEMS } from './operation.ts';
import { REFUND_KEY, SPEND, SPEND_KEY, SUMMARY, SYSTEM, USER, flag, inQuery, upTo } from './parameters.ts';

const AWARDS = inQuery('awards', upTo(1, 100, 10, 'How many of the newest awards to show.'));

const INCLUDE_FINISHED = inQuery(
  'includeFinished',
  flag('Whether to list boosts that are finished: past their end, or removed from the configuration.'),
);

export const POINTS_OPERATIONS = operationsOf('Points', {
  getUserPoints: {
    method: 'get',
    path: '/v1/users/{id}/points/{key}',
    scope: 'read',
    summary: 'Show a user’s points',
    parameters: [USER, SYSTEM, AWARDS],
    answers: { 200: { description: 'Total, level and newest awards as of now.', schema: userPoints } },
    problems: ['unknown_user', 'unknown_points_system', 'invalid_request'],
  },
  spendPoints: {
    method: 'post',
    path: '/v1/users/{id}/points/{key}/spend',
    scope: 'ingest',
    summary: 'Spend a user’s points',
    description:
      'Decided once, at its place among the user’s events: all of the amount is taken, or nothing. Of parallel calls exactly as many succeed as the total allows. A spend counts on no leaderboard and fires no trigger.',
    parameters: [USER, SYSTEM, SPEND_KEY],
    body: { schema: spendRequest, example: { amount: 20, reason: 'A hint', reference: 'order-4711' } },
    answers: {
      201: { description: 'The points were taken.', schema: spendAnswer },
      202: { description: 'A replay of a spend that succeeded. Nothing changed now.', schema: spendAnswer },
    },
    problems: [
      'unknown_user',
      'unknown_points_system',
      'insufficient_points',
      'spend_undecided',
      ...RECORDING_PROBLEMS,
    ],
  },
  refundSpend: {
    method: 'post',
    path: '/v1/users/{id}/points/{key}/spends/{eventId}/refund',
    scope: 'ingest',
    summary: 'Give back what a spend took',
    description:
      'Decided like a spend. Several refunds of one spend give back at most what it took. A refund counts on no leaderboard and fires no trigger.',
    parameters: [USER, SYSTEM, SPEND, REFUND_KEY],
    body: { schema: refundRequest, example: { amount: 20, reason: 'The order was cancelled.' } },
    answers: {
      201: { description: 'The points were given back.', schema: refundAnswer },
      202: { description: 'A replay of a refund that succeeded. Nothing changed now.', schema: refundAnswer },
    },
    problems: [
      'unknown_user',
      'unknown_points_system',
      'unknown_spend',
      'already_refunded',
      'refund_undecided',
      ...RECORDING_PROBLEMS,
    ],
  },
  summarizeUserPoints: {
    method: 'get',
    path: '/v1/users/{id}/points/{key}/event-summary',
    scope: 'read',
    summary: 'Show a user’s points over time',
    description:
      'One entry for every period, including empty and future ones. An award belongs to its date in the user’s time zone at the time.',
    parameters: [USER, SYSTEM, ...SUMMARY],
    answers: { 200: { description: 'The periods, oldest first.', schema: z.array(pointsBucket) } },
    problems: ['unknown_user', 'unknown_points_system', 'invalid_request'],
  },
  listPointsSystems: {
    method: 'get',
    path: '/v1/points',
    scope: 'read',
    summary: 'List the points systems',
    answers: { 200: { description: 'The configured systems, each with its triggers.', schema: z.array(pointsSystem) } },
    problems: ['invalid_request'],
  },
  getPointsSystem: {
    method: 'get',
    path: '/v1/points/{key}',
    scope: 'read',
    summary: 'Show a points system',
    parameters: [SYSTEM],
    answers: { 200: { description: 'The system with its triggers.', schema: pointsSystem } },
    problems: ['unknown_points_system', 'invalid_request'],
  },
  listPointsLevels: {
    method: 'get',
    path: '/v1/points/{key}/levels',
    scope: 'read',
    summary: 'List the levels of a points system',
    parameters: [SYSTEM],
    answers: { 200: { description: 'The levels by their points, lowest first.', schema: z.array(level) } },
    problems: ['unknown_points_system', 'invalid_request'],
  },
  listBoosts: {
    method: 'get',
    path: '/v1/points/{key}/boosts',
    scope: 'read',
    summary: 'List the boosts of a points system',
    parameters: [SYSTEM, INCLUDE_FINISHED],
    answers: {
      200: {
        description: 'The boosts in configuration order, then those that were removed.',
        schema: z.array(listedBoost),
      },
    },
    problems: ['unknown_points_system', 'invalid_request'],
  },
  listUserBoosts: {
    method: 'get',
    path: '/v1/users/{id}/points/{key}/boosts',
    scope: 'read',
    summary: 'List the boosts that apply to a user',
    parameters: [USER, SYSTEM, INCLUDE_FINISHED],
    answers: {
      200: {
        description: 'The boosts in configuration order, then the user’s own, then those that were removed.',
        schema: z.array(listedBoost),
      },
    },
    problems: ['unknown_user', 'unknown_points_system', 'invalid_request'],
  },
  countUsersByLevel: {
    method: 'get',
    path: '/v1/points/{key}/level-summary',
    scope: 'read',
    summary: 'Count the users at each level',
    description: 'Refused with 422 for a system without levels.',
    parameters: [SYSTEM],
    answers: {
      200: {
        description: 'The levels by their points, lowest first.',
        schema: z.array(levelUsers),
      },
    },
    problems: ['unknown_points_system', 'invalid_request'],
  },
  countUsersByPoints: {
    method: 'get',
    path: '/v1/points/{key}/summary',
    scope: 'read',
    summary: 'Count the users by their points',
    description: 'The number of users without points, then ten equal ranges from 1 to the highest total, rounded up.',
    parameters: [SYSTEM],
    answers: {
      200: {
        description: 'The ranges, lowest first.',
        schema: z.array(pointsRange),
      },
    },
    problems: ['unknown_points_system', 'invalid_request'],
  },
});
