import { boostGrantRequest } from '../boost-grant.ts';
import {
  achievementGrantRequest,
  excusedGrantRequest,
  freezesGrantRequest,
  grantAnswer,
  pointsGrantRequest,
  streakGrantRequest,
} from '../grants.ts';
import {
  grantToManyAnswer,
  grantToManyRequest,
  restoreStreaksAnswer,
  restoreStreaksRequest,
  streakFreezesAnswer,
  streakFreezesRequest,
} from '../grants-to-many.ts';
import { type Operation, operationsOf, RECORDING_PROBLEMS } from './operation.ts';
import { GRANT_KEY, USER } from './parameters.ts';

const GRANTED: Operation['answers'] = {
  201: { description: 'Recorded.', schema: grantAnswer },
  202: {
    description: 'A replay: the key was used before. Nothing changed; the answer shows the state as of now.',
    schema: grantAnswer,
  },
};

export const GRANT_OPERATIONS = operationsOf('Grants', {
  grantPoints: {
    method: 'post',
    path: '/admin/v1/users/{id}/grants/points',
    scope: ['support', 'admin'],
    summary: 'Give a user points, or take some',
    description:
      'Recorded as an event, with who gave it and why. It is one award, cut to the room between 0 and the cap; its trigger is of the type `grant`. The level follows, and so do leaderboards unless `boards` is false. It fires no trigger.',
    parameters: [USER, GRANT_KEY],
    body: {
      schema: pointsGrantRequest,
      example: { pointsSystem: 'xp', amount: 50, reason: 'The lesson of 2 March was not counted.' },
    },
    answers: GRANTED,
    problems: ['unknown_user', 'import_open', ...RECORDING_PROBLEMS],
  },
  grantBoost: {
    method: 'post',
    path: '/admin/v1/users/{id}/grants/boost',
    scope: ['support', 'admin'],
    summary: 'Give a user a boost',
    description:
      'Recorded as an event, with who gave it and why. From the call on it multiplies what triggers of the types metric, streak and achievement give the user in the points system, after the boosts of the configuration. A user may have 20 that are not finished in each system.',
    parameters: [USER, GRANT_KEY],
    body: {
      schema: boostGrantRequest,
      example: { pointsSystem: 'xp', multiplier: 2, minutes: 60, name: 'Happy hour', reason: 'Won in the raffle.' },
    },
    answers: GRANTED,
    problems: ['unknown_user', 'import_open', 'too_many_boosts', ...RECORDING_PROBLEMS],
  },
  grantFreezes: {
    method: 'post',
    path: '/admin/v1/users/{id}/grants/freezes',
    scope: ['support', 'admin'],
    summary: 'Give a user streak freezes',
    description:
      'Recorded as an event, with who gave them and why. The user holds at most the configured maximum by it; without freezes configured it is refused with 422.',
    parameters: [USER, GRANT_KEY],
    body: { schema: freezesGrantRequest, example: { amount: 1, reason: 'The service was down on 2 March.' } },
    answers: GRANTED,
    problems: ['unknown_user', 'import_open', ...RECORDING_PROBLEMS],
  },
  restoreStreak: {
    method: 'post',
    path: '/admin/v1/users/{id}/grants/streak',
    scope: ['support', 'admin'],
    summary: 'Restore a user’s streak',
    description:
      'Recorded as an event, with who restored it and why. A streak that has ended lives again with the length that it had, and the present period can extend it; one that is alive stays as it is. No trigger fires; leaderboards of streaks follow. Without a streak configured it is refused with 422.',
    parameters: [USER, GRANT_KEY],
    body: { schema: streakGrantRequest, example: { reason: 'The service was down on 2 March.' } },
    answers: GRANTED,
    problems: ['unknown_user', 'import_open', ...RECORDING_PROBLEMS],
  },
  excuseDays: {
    method: 'post',
    path: '/admin/v1/users/{id}/grants/excused',
    scope: ['support', 'admin'],
    summary: 'Excuse days of a user’s streak',
    description:
      'Recorded as an event, with who excused them and why. A period of which every date is excused, and which is not met, counts as kept: it uses no freeze and extends nothing. A freeze that was used there comes back, and a streak that ended because of it lives again. No trigger fires; leaderboards of streaks follow. Without a streak configured it is refused with 422.',
    parameters: [USER, GRANT_KEY],
    body: {
      schema: excusedGrantRequest,
      example: { from: '2026-03-02', to: '2026-03-03', reason: 'The service was down.' },
    },
    answers: GRANTED,
    problems: ['unknown_user', 'import_open', ...RECORDING_PROBLEMS],
  },
  grantAchievement: {
    method: 'post',
    path: '/admin/v1/users/{id}/grants/achievement',
    scope: ['support', 'admin'],
    summary: 'Complete an achievement for a user',
    description:
      'Recorded as an event, with who gave it and why. It is complete from now on, whatever its trigger, and settles what it completes and awards as any completion: the achievements made of it, and points for them. One that is complete stays as it is.',
    parameters: [USER, GRANT_KEY],
    body: {
      schema: achievementGrantRequest,
      example: { achievement: 'profile', reason: 'Completed in the old app.' },
    },
    answers: GRANTED,
    problems: ['unknown_user', 'import_open', ...RECORDING_PROBLEMS],
  },
  revokeAchievement: {
    method: 'post',
    path: '/admin/v1/users/{id}/grants/revocation',
    scope: ['support', 'admin'],
    summary: 'Revoke a user’s achievement',
    description:
      'Recorded as an event, with who took it and why. The completion goes from the user’s list and from the counts; the points that it gave stay, and so do achievements made of it. If its condition is met, the next event completes it, and pays for it, again; so does the call, or a grant.',
    parameters: [USER, GRANT_KEY],
    body: { schema: achievementGrantRequest, example: { achievement: 'profile', reason: 'Completed by mistake.' } },
    answers: GRANTED,
    problems: ['unknown_user', 'import_open', ...RECORDING_PROBLEMS],
  },
  createStreakFreezes: {
    method: 'post',
    path: '/admin/v1/streaks/freezes',
    scope: ['support', 'admin'],
    summary: 'Give streak freezes to many users',
    description:
      'In the shape that clients of this API know. One event for each user; what is wrong with one is an issue, the others get theirs. Each holds at most the configured maximum by it.',
    parameters: [GRANT_KEY],
    body: { schema: streakFreezesRequest, example: { freezes: [{ userId: 'ada' }], reason: 'The service was down.' } },
    answers: { 200: { description: 'Recorded, but for the issues.', schema: streakFreezesAnswer } },
    problems: ['import_open', ...RECORDING_PROBLEMS],
  },
  restoreStreaks: {
    method: 'post',
    path: '/admin/v1/streaks/restore',
    scope: ['support', 'admin'],
    summary: 'Restore the streaks of many users',
    description:
      'In the shape that clients of this API know. One event for each user; what is wrong with one is an issue. The last streak lives again with the length that it had.',
    parameters: [GRANT_KEY],
    body: { schema: restoreStreaksRequest, example: { users: [{ id: 'ada' }], reason: 'The service was down.' } },
    answers: { 200: { description: 'Recorded, but for the issues.', schema: restoreStreaksAnswer } },
    problems: ['import_open', ...RECORDING_PROBLEMS],
  },
  grantToMany: {
    method: 'post',
    path: '/admin/v1/grants',
    scope: ['support', 'admin'],
    summary: 'Excuse days of many users, or of everybody',
    description:
      'One event for each user. For everybody call it again with `after` until `next` is null; the key is required then, and whoever has it by that key is passed over, so it can be broken off and begun again.',
    parameters: [GRANT_KEY],
    body: {
      schema: grantToManyRequest,
      example: {
        kind: 'excused',
        from: '2026-03-02',
        to: '2026-03-03',
        reason: 'The service was down.',
        users: ['ada'],
      },
    },
    answers: { 200: { description: 'Recorded, but for the issues.', schema: grantToManyAnswer } },
    problems: ['import_open', ...RECORDING_PROBLEMS],
  },
});
