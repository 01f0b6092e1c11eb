import { completionPage, userOverview, userPage, userTimeline } from '../support.ts';
import type { Operation } from './operation.ts';
import { ACHIEVEMENT, CURSOR, ID_PREFIX, PAGE_LIMIT, TIMELINE_LIMIT, USER } from './parameters.ts';

export const SUPPORT_OPERATIONS: readonly Operation[] = [
  {
    id: 'listUsers',
    method: 'get',
    path: '/admin/v1/users',
    scope: 'admin',
    tag: 'Support',
    summary: 'List users',
    description: 'By id. A page may hold fewer users than `limit`; only `next` says whether others follow.',
    parameters: [ID_PREFIX, PAGE_LIMIT, CURSOR],
    answers: { 200: { description: 'A page of users.', schema: userPage } },
    problems: ['invalid_request'],
  },
  {
    id: 'getUserOverview',
    method: 'get',
    path: '/admin/v1/users/{id}',
    scope: 'admin',
    tag: 'Support',
    summary: 'Show a user and where they stand',
    description: 'Profile, totals, streak, achievements and points as of now.',
    parameters: [USER],
    answers: { 200: { description: 'The user.', schema: userOverview } },
    problems: ['unknown_user'],
  },
  {
    id: 'listUserEvents',
    method: 'get',
    path: '/admin/v1/users/{id}/events',
    scope: 'read',
    tag: 'Support',
    summary: 'List a user’s events and what they caused',
    description: 'Newest recorded first: events that name the user, grants, and the sweeps that settled them.',
    parameters: [USER, TIMELINE_LIMIT, CURSOR],
    answers: { 200: { description: 'A page of events.', schema: userTimeline } },
    problems: ['unknown_user', 'invalid_request', 'not_in_this_topology'],
  },
  {
    id: 'listCompletions',
    method: 'get',
    path: '/admin/v1/achievements/{key}/completions',
    scope: 'admin',
    tag: 'Support',
    summary: 'List who completed an achievement',
    description: 'Newest first. A page may hold fewer than `limit`: users who were erased are left out.',
    parameters: [ACHIEVEMENT, PAGE_LIMIT, CURSOR],
    answers: { 200: { description: 'A page of completions.', schema: completionPage } },
    problems: ['unknown_achievement', 'invalid_request'],
  },
];
