import { z } from 'zod';
import { preferences, preferencesRequest } from '../preferences.ts';
import { identifyRequest, userUpdateRequest } from '../requests.ts';
import { metricBucket, user, userMetric } from '../user.ts';
import { operationsOf, RECORDING_PROBLEMS } from './operation.ts';
import { METRIC, SUMMARY, USER } from './parameters.ts';

export const USER_OPERATIONS = operationsOf('Users', {
  identifyUser: {
    method: 'post',
    path: '/v1/users',
    scope: 'ingest',
    summary: 'Create or update a user',
    description: 'Fields that are absent stay unchanged. Whatever is recorded first for a user creates them.',
    body: {
      schema: identifyRequest,
      example: {
        id: 'ada',
        name: 'Ada',
        email: 'ada@example.org',
        tz: 'Europe/Berlin',
        attributes: { plan: 'pro' },
      },
    },
    answers: {
      200: { description: 'The user existed and was updated.', schema: user },
      201: { description: 'The user was created.', schema: user },
    },
    problems: RECORDING_PROBLEMS,
  },
  getUser: {
    method: 'get',
    path: '/v1/users/{id}',
    scope: 'read',
    summary: 'Show a user',
    parameters: [USER],
    answers: { 200: { description: 'The user.', schema: user } },
    problems: ['unknown_user', 'invalid_request'],
  },
  putUser: {
    method: 'put',
    path: '/v1/users/{id}',
    scope: 'ingest',
    summary: 'Create or update a user by id',
    description: 'Creates the user if unknown. Fields that are absent stay unchanged.',
    parameters: [USER],
    body: { schema: userUpdateRequest, example: { name: 'Ada Lovelace', tz: 'Europe/London' } },
    answers: { 200: { description: 'The user, created or updated.', schema: user } },
    problems: RECORDING_PROBLEMS,
  },
  updateUser: {
    method: 'patch',
    path: '/v1/users/{id}',
    scope: 'ingest',
    summary: 'Update a known user',
    description: 'Fields that are absent stay unchanged.',
    parameters: [USER],
    body: { schema: userUpdateRequest, example: { attributes: { plan: 'team', trial: null } } },
    answers: { 200: { description: 'The user, updated.', schema: user } },
    problems: ['unknown_user', ...RECORDING_PROBLEMS],
  },
  getUserPreferences: {
    method: 'get',
    path: '/v1/users/{id}/preferences',
    scope: 'read',
    summary: 'Show a user’s notification preferences',
    parameters: [USER],
    answers: { 200: { description: 'The channels by type.', schema: preferences } },
    problems: ['unknown_user', 'invalid_request'],
  },
  updateUserPreferences: {
    method: 'patch',
    path: '/v1/users/{id}/preferences',
    scope: 'ingest',
    summary: 'Change a user’s notification preferences',
    description: 'Types that are absent stay unchanged. A type with an empty list makes no more reminders.',
    parameters: [USER],
    body: { schema: preferencesRequest, example: { notifications: { recap: [], streak_reminder: ['push'] } } },
    answers: { 200: { description: 'The channels by type, changed.', schema: preferences } },
    problems: ['unknown_user', ...RECORDING_PROBLEMS],
  },
  listUserMetrics: {
    method: 'get',
    path: '/v1/users/{id}/metrics',
    scope: 'read',
    summary: 'Show a user’s totals of all metrics',
    parameters: [USER],
    answers: { 200: { description: 'Every metric, in configuration order.', schema: z.array(userMetric) } },
    problems: ['unknown_user', 'invalid_request'],
  },
  getUserMetric: {
    method: 'get',
    path: '/v1/users/{id}/metrics/{key}',
    scope: 'read',
    summary: 'Show a user’s total of a metric',
    parameters: [USER, METRIC],
    answers: { 200: { description: 'The metric.', schema: userMetric } },
    problems: ['unknown_user', 'unknown_metric', 'invalid_request'],
  },
  summarizeUserMetric: {
    method: 'get',
    path: '/v1/users/{id}/metrics/{key}/event-summary',
    scope: 'read',
    summary: 'Show a user’s metric over time',
    description:
      'One entry for every period, including empty and future ones. An event belongs to its date in the user’s time zone at the time.',
    parameters: [USER, METRIC, ...SUMMARY],
    answers: {
      200: {
        description: 'The periods, oldest first.',
        schema: z.array(metricBucket),
      },
    },
    problems: ['unknown_user', 'unknown_metric', 'invalid_request'],
  },
});
