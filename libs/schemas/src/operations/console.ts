import { z } from 'zod';
import { consoleLink, consoleLinkRequest, consoleSession, currentSession, signInRequest } from '../console.ts';
import { liveEvents } from '../support.ts';
import { operationsOf } from './operation.ts';
import { inPath, inQuery } from './parameters.ts';

const PAGE = { description: 'The page, which then requests what it shows.', schema: null, type: 'text/html' };
const NOT_MODIFIED = { description: 'Not modified: it still is the version named in `If-None-Match`.', schema: null };

const LIVE_EXAMPLE = {
  events: [
    {
      userId: 'ada',
      id: '01890a5d-ac96-774b-bcce-b302099a8057',
      type: 'MetricEventRecorded',
      words: '1 Lessons finished',
      occurredAt: '2026-03-02T09:30:00.000Z',
      recordedAt: '2026-03-02T09:30:00.012Z',
      version: 1,
      metric: 'lessons',
      value: 1,
      attributes: {},
      imported: false,
      effects: {
        users: [
          {
            type: 'MetricTotalChanged',
            metric: 'lessons',
            change: 1,
            total: 8,
            date: '2026-03-02',
            words: '1 Lessons finished, now 8',
          },
        ],
        streaks: [
          {
            type: 'StreakExtended',
            at: '2026-03-02T09:30:00.000Z',
            length: 5,
            period: '2026-03-02',
            words: 'streak of 5 days, was 4',
          },
        ],
        achievements: [],
        points: [],
      },
      pointsLeftOut: 0,
    },
  ],
  skipped: 0,
};

const CONSOLE_PAGE = inPath('page', z.string().meta({ description: 'Its name.', examples: ['users'] }));
const CONSOLE_ID = inPath('id', z.string().meta({ description: 'The id of what the page shows.', examples: ['ada'] }));
const CONSOLE_FILE = inPath(
  'file',
  z.string().meta({ description: 'The name of the file, as the page refers to it.', examples: ['main.js'] }),
);
const SESSION = inPath('id', z.uuid().meta({ description: 'The session’s id, which is not its token.' }));
const LIVE_USER = inQuery('userId', z.string().meta({ description: 'Only events of this user.', examples: ['ada'] }));
const LIVE_METRIC = inQuery(
  'metric',
  z.string().meta({ description: 'Only events of this metric.', examples: ['lessons'] }),
);
const LIVE_AFTER = inQuery(
  'after',
  z.string().meta({
    description: 'The `id` of the last message seen: the stream continues after it. `Last-Event-ID` takes precedence.',
  }),
);

export const CONSOLE_OPERATIONS = operationsOf('Console', {
  getConsole: {
    method: 'get',
    path: '/console',
    scope: null,
    summary: 'The console, for browsers',
    answers: { 200: PAGE, 304: NOT_MODIFIED },
    problems: ['unknown_path'],
  },
  getConsolePage: {
    method: 'get',
    path: '/console/{page}',
    scope: null,
    summary: 'A page of the console',
    parameters: [CONSOLE_PAGE],
    answers: { 200: PAGE, 304: NOT_MODIFIED },
    problems: ['unknown_path'],
  },
  getConsolePageOfOne: {
    method: 'get',
    path: '/console/{page}/{id}',
    scope: null,
    summary: 'A page of the console about one thing, such as a user',
    parameters: [CONSOLE_PAGE, CONSOLE_ID],
    answers: { 200: PAGE, 304: NOT_MODIFIED },
    problems: ['unknown_path'],
  },
  getConsoleAsset: {
    method: 'get',
    path: '/console/assets/{file}',
    scope: null,
    summary: 'A file that the pages of the console load',
    description: 'Its name changes with its content, so it can be cached for ever.',
    parameters: [CONSOLE_FILE],
    answers: { 200: { description: 'The file.', schema: null, type: '*/*' }, 304: NOT_MODIFIED },
    problems: ['unknown_path'],
  },
  signIn: {
    method: 'post',
    path: '/console/session',
    scope: null,
    summary: 'Sign in with a browser',
    description:
      'Exchanges an API key, or the token of a link, for the cookie `laurel_session`. Over plain HTTP only in a browser on the machine of the service. At most ten failed attempts a minute from an address.',
    body: { schema: signInRequest, example: { key: 'lrl_…' } },
    answers: { 201: { description: 'Signed in: the cookie is in `Set-Cookie`.', schema: consoleSession } },
    problems: ['unauthorized', 'forbidden', 'rate_limited', 'unavailable'],
  },
  getSession: {
    method: 'get',
    path: '/console/session',
    scope: null,
    summary: 'Show the session of the cookie',
    answers: { 200: { description: 'Who is signed in.', schema: currentSession } },
    problems: ['overloaded', 'unavailable'],
  },
  signOut: {
    method: 'delete',
    path: '/console/session',
    scope: null,
    summary: 'Sign out',
    description: 'Ends the session of the cookie, if there is one, and removes the cookie.',
    answers: { 204: { description: 'Signed out.', schema: null } },
    problems: ['forbidden', 'unavailable'],
  },
  createConsoleLink: {
    method: 'post',
    path: '/admin/v1/console-links',
    scope: 'admin',
    summary: 'Create a link that signs in once',
    description: 'For a browser without a key. The link works once, within 30 minutes.',
    body: { schema: consoleLinkRequest, example: { scopes: ['read'] } },
    answers: { 201: { description: 'The link, which is never shown again.', schema: consoleLink } },
    problems: ['forbidden'],
  },
  listConsoleSessions: {
    method: 'get',
    path: '/admin/v1/console-sessions',
    scope: 'admin',
    summary: 'List who is signed in',
    answers: { 200: { description: 'The sessions, oldest first: at most 1,000.', schema: z.array(consoleSession) } },
  },
  endConsoleSession: {
    method: 'delete',
    path: '/admin/v1/console-sessions/{id}',
    scope: 'admin',
    summary: 'End a session',
    parameters: [SESSION],
    answers: { 200: { description: 'The session that has ended.', schema: consoleSession } },
    problems: ['unknown_session'],
  },
  watchEvents: {
    method: 'get',
    path: '/admin/v1/live',
    scope: 'read',
    summary: 'Watch events as they are recorded',
    description:
      'Server-sent events. A message `events` carries what was recorded of users since the one before, and what each event caused: at most 50 of them, and at most 4 messages a second; `skipped` counts those left out. Its `id` is a cursor: sent as `Last-Event-ID`, or as `after`, it resumes behind it, without a gap and without an event twice. Without a cursor, the stream begins with the newest of the log. `resync`, without an id: the cursor was more than 1,000 events behind, or there was more than could be read, and what follows begins now. Sweeps are left out. A comment comes at least every 15 seconds. At most 32 watch one process; who does not read is disconnected, and so is a watcher whose session or key has ended.',
    parameters: [LIVE_USER, LIVE_METRIC, LIVE_AFTER],
    answers: {
      200: {
        description: 'The stream. Each `data` of a message `events` is of this form.',
        schema: liveEvents,
        type: 'text/event-stream',
        example: LIVE_EXAMPLE,
      },
    },
    problems: ['invalid_request', 'overloaded'],
  },
});
