import { z } from 'zod';
import { explainedEvent } from '../explained-event.ts';
import { explainedPoints, explainedPointsOfEvent } from '../explained-points.ts';
import { explainedStanding } from '../explained-standing.ts';
import { explainedStreak } from '../explained-streak.ts';
import { explainedAchievement } from '../explained-achievement.ts';
import { operationsOf } from './operation.ts';
import { ACHIEVEMENT, BOARD, EVENT, ENTRIES_CURSOR, OWN_RUN, SYSTEM, USER, inQuery, upTo } from './parameters.ts';

const EVENT_USERS = inQuery('limit', upTo(1, 10, 10, 'Of how many of its users to show what it caused.'));
const EVENT_CURSOR = inQuery(
  'cursor',
  z
    .string()
    .meta({ description: '`next` of the previous page: the users that follow it. Absent: from the first user.' }),
);
const EXPLAINED_LIMIT = inQuery('limit', upTo(1, 50, 20, 'How many entries to show.'));
const EXPLAINED_CONTRIBUTIONS = inQuery('limit', upTo(1, 50, 20, 'How many contributions to show.'));
const EXPLAINED_PERIODS = inQuery('periods', upTo(1, 100, 14, 'How many periods to show.'));
const EXPLAINED_DATE = inQuery(
  'date',
  z.iso.date().meta({ description: 'A date within the last period to show. Absent: the current one.' }),
);

export const EXPLAIN_OPERATIONS = operationsOf('Explanations', {
  explainPoints: {
    method: 'get',
    path: '/admin/v1/users/{id}/explain/points/{key}',
    scope: ['read', 'support'],
    summary: 'Explain a user’s points',
    description:
      'What gave and took points, newest first. The changes of all entries add up to `recorded`. The rules themselves say why, by applying the user’s events again; those of a user with more than 500 in the background first.',
    parameters: [USER, SYSTEM, EXPLAINED_LIMIT, ENTRIES_CURSOR],
    answers: { 200: { description: 'A page of entries, and what they add up to.', schema: explainedPoints } },
    problems: ['unknown_user', 'unknown_points_system', 'invalid_request'],
  },
  explainPointsOfEvent: {
    method: 'get',
    path: '/admin/v1/users/{id}/explain/points/{key}/events/{eventId}',
    scope: ['read', 'support'],
    summary: 'Explain why an event gave points, or none',
    description: 'Each trigger of the system in the version of the event: what it gave, or why it gave nothing.',
    parameters: [USER, SYSTEM, EVENT],
    answers: { 200: { description: 'What each trigger did.', schema: explainedPointsOfEvent } },
    problems: ['unknown_user', 'unknown_points_system', 'unknown_event'],
  },
  explainAchievement: {
    method: 'get',
    path: '/admin/v1/users/{id}/explain/achievements/{key}',
    scope: ['read', 'support'],
    summary: 'Explain a user’s achievement',
    description: 'Which event completed it, or what is missing, as the rules decide it from the user’s state.',
    parameters: [USER, ACHIEVEMENT],
    answers: { 200: { description: 'Which event completed it, or what is missing.', schema: explainedAchievement } },
    problems: ['unknown_user', 'unknown_achievement'],
  },
  explainStreak: {
    method: 'get',
    path: '/admin/v1/users/{id}/explain/streak',
    scope: ['read', 'support'],
    summary: 'Explain a user’s streak',
    description:
      'For each period, the progress of each condition and whether the period was met, bridged or missed; and the changes of the user’s time zone.',
    parameters: [USER, EXPLAINED_DATE, EXPLAINED_PERIODS],
    answers: {
      200: { description: 'The periods, when streaks ended, and when the time zone changed.', schema: explainedStreak },
    },
    problems: ['unknown_user', 'invalid_request'],
  },
  explainStanding: {
    method: 'get',
    path: '/admin/v1/users/{id}/explain/leaderboards/{key}',
    scope: ['read', 'support'],
    summary: 'Explain a user’s place on a leaderboard',
    description:
      'What made up the value, event by event, who is next to the user, and why one who is not ranked is not. The changes on all pages add up to the value.',
    parameters: [USER, BOARD, OWN_RUN, EXPLAINED_CONTRIBUTIONS, ENTRIES_CURSOR],
    answers: { 200: { description: 'The place, and what it results from.', schema: explainedStanding } },
    problems: ['unknown_user', 'unknown_leaderboard', 'invalid_request'],
  },
  getEvent: {
    method: 'get',
    path: '/admin/v1/events/{eventId}',
    scope: ['read', 'support'],
    summary: 'Show an event and all that it caused',
    description: 'Personal fields are left out. What a sweep caused comes in pages, as it may settle many users.',
    parameters: [EVENT, EVENT_USERS, EVENT_CURSOR],
    answers: { 200: { description: 'The event.', schema: explainedEvent } },
    problems: ['unknown_event', 'invalid_request'],
  },
});
