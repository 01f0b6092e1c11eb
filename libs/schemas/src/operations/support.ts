import { z } from 'zod';
import { completionPage, levelUserPage, userOverview, userPage, userTimeline } from '../support.ts';
import { operationsOf } from './operation.ts';
import { ACHIEVEMENT, CURSOR, PAGE_LIMIT, SYSTEM, USER, inPath, inQuery, key, upTo } from './parameters.ts';

const LEVEL = inPath('level', key('The level’s key.', 'learner'));
const TIMELINE_LIMIT = inQuery('limit', upTo(1, 50, 20, 'How many events to show.'));
const ID_PREFIX = inQuery(
  'prefix',
  z
    .string()
    .max(255)
    .meta({ description: 'Only users whose ids begin with this, compared byte by byte.', examples: ['ad'] }),
);
const SOUGHT_EMAIL = inQuery(
  'email',
  z
    .string()
    .min(1)
    .max(320)
    .meta({
      description: 'Only users with this e-mail address. Case does not matter.',
      examples: ['ada@example.org'],
    }),
);
const SOUGHT_NAME = inQuery(
  'name',
  z
    .string()
    .min(1)
    .max(100)
    .meta({
      description: 'Only users whose name, or a word of it, begins with this. Case does not matter.',
      examples: ['lovel'],
    }),
);

export const SUPPORT_OPERATIONS = operationsOf('Support', {
  listUsers: {
    method: 'get',
    path: '/admin/v1/users',
    scope: ['support', 'admin'],
    summary: 'List users',
    description:
      'By id, or by `email` or `name` if the index of users is on (`LAUREL_USER_SEARCH`), with at most 20 users per page. A page may hold fewer users than `limit`; only `next` says whether more follow.',
    parameters: [ID_PREFIX, SOUGHT_EMAIL, SOUGHT_NAME, PAGE_LIMIT, CURSOR],
    answers: { 200: { description: 'A page of users.', schema: userPage } },
    problems: ['invalid_request'],
  },
  getUserOverview: {
    method: 'get',
    path: '/admin/v1/users/{id}',
    scope: ['read', 'support'],
    summary: 'Show a user and where they stand',
    description: 'Profile, totals, streak, achievements and points as of now.',
    parameters: [USER],
    answers: { 200: { description: 'The user.', schema: userOverview } },
    problems: ['unknown_user'],
  },
  listUserEvents: {
    method: 'get',
    path: '/admin/v1/users/{id}/events',
    scope: ['read', 'support'],
    summary: 'List a user’s events and what they caused',
    description: 'Newest recorded first: events that name the user, grants, and the sweeps that settled them.',
    parameters: [USER, TIMELINE_LIMIT, CURSOR],
    answers: { 200: { description: 'A page of events.', schema: userTimeline } },
    problems: ['unknown_user', 'invalid_request'],
  },
  listCompletions: {
    method: 'get',
    path: '/admin/v1/achievements/{key}/completions',
    scope: ['support', 'admin'],
    summary: 'List the users who completed an achievement',
    description: 'Newest first. A page may hold fewer than `limit`: users who were erased are left out.',
    parameters: [ACHIEVEMENT, PAGE_LIMIT, CURSOR],
    answers: { 200: { description: 'A page of completions.', schema: completionPage } },
    problems: ['unknown_achievement', 'invalid_request'],
  },
  listUsersOnLevel: {
    method: 'get',
    path: '/admin/v1/points/{key}/levels/{level}/users',
    scope: ['support', 'admin'],
    summary: 'List the users on a level',
    description:
      'Newest first, each as of their last recorded event. A page may hold fewer than `limit`: users who were erased are left out.',
    parameters: [SYSTEM, LEVEL, PAGE_LIMIT, CURSOR],
    answers: { 200: { description: 'A page of users on the level.', schema: levelUserPage } },
    problems: ['unknown_points_system', 'unknown_level', 'invalid_request'],
  },
});
