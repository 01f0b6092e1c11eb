import { grantAnswer, pointsGrantRequest } from '../grants.ts';
import { type Operation, RECORDING_PROBLEMS } from './operation.ts';
import { GRANT_KEY, USER } from './parameters.ts';

export const GRANT_OPERATIONS: readonly Operation[] = [
  {
    id: 'grantPoints',
    method: 'post',
    path: '/admin/v1/users/{id}/grants/points',
    scope: 'admin',
    tag: 'Grants',
    summary: 'Give a user points, or take some',
    description:
      'Recorded as an event, with who gave it and why. It is one award, cut to the room between 0 and the cap; its trigger is of the type `grant`. The level follows, and so do leaderboards unless `boards` is false. It fires no trigger.',
    parameters: [USER, GRANT_KEY],
    body: {
      schema: pointsGrantRequest,
      example: { system: 'xp', amount: 50, reason: 'The lesson of 2 March was not counted.' },
    },
    answers: {
      201: { description: 'Recorded.', schema: grantAnswer },
      202: {
        description: 'A replay: the key was used before. Nothing changed; the answer shows the state as of now.',
        schema: grantAnswer,
      },
    },
    problems: ['unknown_user', ...RECORDING_PROBLEMS],
  },
];
