import { z } from 'zod';
import { consoleLink, consoleLinkRequest, consoleSession, currentSession, signInRequest } from '../console.ts';
import type { Operation } from './operation.ts';
import { SESSION } from './parameters.ts';

export const CONSOLE_OPERATIONS: readonly Operation[] = [
  {
    id: 'signIn',
    method: 'post',
    path: '/console/session',
    scope: null,
    tag: 'Console',
    summary: 'Sign in with a browser',
    description:
      'Exchanges an API key, or the token of a link, for the cookie `laurel_session`. Over plain HTTP only in a browser on the machine of the service. At most ten failed attempts a minute from an address.',
    body: { schema: signInRequest, example: { key: 'lrl_…' } },
    answers: { 201: { description: 'Signed in: the cookie is in `Set-Cookie`.', schema: consoleSession } },
    problems: ['unauthorized', 'forbidden', 'rate_limited', 'unavailable'],
  },
  {
    id: 'getSession',
    method: 'get',
    path: '/console/session',
    scope: null,
    tag: 'Console',
    summary: 'Show the session of the cookie',
    answers: { 200: { description: 'Who is signed in.', schema: currentSession } },
    problems: ['unavailable'],
  },
  {
    id: 'signOut',
    method: 'delete',
    path: '/console/session',
    scope: null,
    tag: 'Console',
    summary: 'Sign out',
    description: 'Ends the session of the cookie, if there is one, and takes the cookie back.',
    answers: { 204: { description: 'Nobody is signed in any more.', schema: null } },
    problems: ['forbidden', 'unavailable'],
  },
  {
    id: 'createConsoleLink',
    method: 'post',
    path: '/admin/v1/console-links',
    scope: 'admin',
    tag: 'Console',
    summary: 'Create a link that signs in once',
    description: 'For a browser that has no key. It may be used once, within 30 minutes.',
    body: { schema: consoleLinkRequest, example: { scopes: ['read'] } },
    answers: { 201: { description: 'The link, which is never shown again.', schema: consoleLink } },
    problems: ['forbidden'],
  },
  {
    id: 'listConsoleSessions',
    method: 'get',
    path: '/admin/v1/console-sessions',
    scope: 'admin',
    tag: 'Console',
    summary: 'List who is signed in',
    answers: { 200: { description: 'The sessions, oldest first: at most 1,000.', schema: z.array(consoleSession) } },
  },
  {
    id: 'endConsoleSession',
    method: 'delete',
    path: '/admin/v1/console-sessions/{id}',
    scope: 'admin',
    tag: 'Console',
    summary: 'End a session',
    parameters: [SESSION],
    answers: { 200: { description: 'The session that has ended.', schema: consoleSession } },
    problems: ['unknown_session'],
  },
];
