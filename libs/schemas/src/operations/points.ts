import { z } from 'zod';
import { level, levelUsers, pointsBucket, pointsRange, pointsSystem, userPoints } from '../points.ts';
import { operationsOf } from './operation.ts';
import { SUMMARY, SYSTEM, USER, inQuery, upTo } from './parameters.ts';

const AWARDS = inQuery('awards', upTo(1, 100, 10, 'How many of the newest awards to show.'));

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
