import { z } from 'zod';
import {
  exportedAward,
  exportedEvent,
  exportedRanking,
  exportedWinner,
  loggedCloudEvents,
  loggedEvent,
  type ExportedAward,
  type ExportedEvent,
  type LoggedEvent,
} from '../export.ts';
import { cloudEvents, outcome } from '../outcomes.ts';
import { userExport } from '../user-export.ts';
import { type Operation, operationsOf } from './operation.ts';
import {
  EXPORT_FORMAT,
  EXPORT_FROM,
  EXPORT_TO,
  LOGGED_AFTER,
  LOGGED_LIMIT,
  LOGGED_TYPES,
  LOGGED_UNTIL,
  LOGGED_WAIT,
  OUTCOMES_AFTER,
  OUTCOMES_LIMIT,
  OUTCOMES_TYPES,
  OUTCOMES_UNTIL,
  OUTCOMES_WAIT,
  USER,
  WINNERS_BOARD,
  WINNERS_LIMIT,
  WINNERS_RUN,
} from './parameters.ts';

const STREAMED =
  'Streamed: it may be as large as the account. If it cannot be completed the connection is cut, so a body that arrived whole is whole. As CSV (RFC 4180, with a header) a text that a spreadsheet would take for a formula begins with an apostrophe; NDJSON has every text as it is.';

const download = <Row extends z.ZodType>(
  schema: Row,
  description: string,
  example: z.output<Row>,
): Operation['answers'] => ({
  200: {
    description,
    schema,
    example,
    type: 'application/x-ndjson',
    alternatives: {
      'text/csv': {
        schema: z.string().meta({ description: 'A header, and a line for each row.' }),
        example: `${Object.keys(example as object).join(',')}\r\n`,
      },
    },
  },
});

const EVENT: ExportedEvent = {
  id: '01a1fd77-d074-753a-836c-87e905fbb1f9',
  timestamp: '2026-03-02T20:00:00.000Z',
  recordedAt: '2026-03-02T20:00:00.000Z',
  userId: 'ada',
  metric: 'lessons',
  value: 2.5,
  attributes: { course: 'go' },
  imported: false,
  configurationVersion: 1,
};
const AWARD: ExportedAward = {
  id: '3fa85f64-5717-5562-b3fc-2c963f66afa6',
  at: '2026-03-02T20:00:00.000Z',
  date: '2026-03-02',
  userId: 'ada',
  points: 'xp',
  triggerId: '9b2d7c4e-8f0a-5b1c-9d3e-4f5a6b7c8d9e',
  awarded: 10,
  total: 340,
};
const PLACE = { leaderboard: 'weekly', run: '2026-03-02', runEnd: '2026-03-08', rank: 1, userId: 'ada' };
const REACHED = { value: 12.5, reachedAt: '2026-03-08T18:30:00.000Z' };

const OUTCOME = {
  id: '8f14e45f-ceea-5167-a5a3-6b1f6a7d3c21',
  type: 'configuration.published',
  timestamp: '2026-03-02T20:00:00.000Z',
  sequence: 1,
  version: 2,
};

const LOGGED: LoggedEvent = {
  id: EVENT.id,
  type: 'MetricEventRecorded',
  timestamp: EVENT.timestamp,
  recordedAt: EVENT.recordedAt,
  userId: 'ada',
  configurationVersion: 1,
  details: { metric: 'lessons', value: '2.5' },
};

const RANGE = [EXPORT_FROM, EXPORT_TO, EXPORT_FORMAT];

export const EXPORT_OPERATIONS = operationsOf({
  exportEvents: {
    method: 'get',
    path: '/admin/v1/export/events',
    scope: 'export',
    tag: 'Export',
    summary: 'Export metric events',
    description: `Those whose \`timestamp\` lies in the range, in the order of recording, up to the newest when it begins. ${STREAMED}`,
    parameters: RANGE,
    answers: download(exportedEvent, 'The events, a line each.', EVENT),
    problems: ['invalid_request', 'overloaded'],
  },
  exportAwards: {
    method: 'get',
    path: '/admin/v1/export/awards',
    scope: 'export',
    tag: 'Export',
    summary: 'Export awards of points',
    description: `Those given in the range and recorded, of all points systems. Time awards follow when they are recorded. ${STREAMED}`,
    parameters: RANGE,
    answers: download(exportedAward, 'The awards, a line each.', AWARD),
    problems: ['invalid_request', 'overloaded'],
  },
  exportRankings: {
    method: 'get',
    path: '/admin/v1/export/rankings',
    scope: 'export',
    tag: 'Export',
    summary: 'Export the rankings of runs',
    description: `Of every run that touches the dates of the range, by leaderboard, run and rank. A run of at most 10,000 ranked users is shown as of one moment; a larger one that goes on may change meanwhile. ${STREAMED}`,
    parameters: RANGE,
    answers: download(exportedRanking, 'The ranked rows, a line each.', { ...PLACE, ...REACHED }),
    problems: ['invalid_request', 'overloaded'],
  },
  exportWinners: {
    method: 'get',
    path: '/admin/v1/export/winners',
    scope: 'export',
    tag: 'Export',
    summary: 'Export the winners of a run',
    description: `The ranked users of a final run, with their contact details. A run that is not final has no winners: 422. ${STREAMED}`,
    parameters: [WINNERS_BOARD, WINNERS_RUN, WINNERS_LIMIT, EXPORT_FORMAT],
    answers: download(exportedWinner, 'The winners by rank, a line each.', {
      ...PLACE,
      name: 'Ada',
      email: 'ada@example.org',
      ...REACHED,
      changedAt: null,
    }),
    problems: ['unknown_leaderboard', 'unknown_run', 'invalid_request', 'overloaded'],
  },
  exportUser: {
    method: 'get',
    path: '/admin/v1/users/{id}/export',
    scope: 'export',
    tag: 'Export',
    summary: 'Export everything held about a user',
    description:
      'For users who ask for their data: profile, events with what was said of the user in them, awards, streak, completions, ranks, and what was told of the user, in outcomes and to webhooks. No other user is named. Streamed; if it cannot be completed the connection is cut. Its parts are read one after the other, so that an event that comes meanwhile may be in some of them only. It reads the whole log.',
    parameters: [USER],
    answers: { 200: { description: 'Everything.', schema: userExport } },
    problems: ['unknown_user', 'overloaded'],
  },
  readOutcomes: {
    method: 'get',
    path: '/admin/v1/outcomes',
    scope: 'export',
    tag: 'Export',
    summary: 'Read outcomes in order',
    description:
      'What happened, of the types that the configuration names (`outgoing`), in the order of the log; the bodies are those under `webhooks`. The header `Laurel-Cursor` is `after` of the next call, and `Laurel-Head` the cursor behind all that there were; with it as `until`, calls come to an end whatever is made meanwhile. With `Accept: application/cloudevents-batch+json` they come as CloudEvents 1.0.',
    parameters: [OUTCOMES_AFTER, OUTCOMES_UNTIL, OUTCOMES_TYPES, OUTCOMES_LIMIT, OUTCOMES_WAIT],
    answers: {
      200: {
        description: 'The outcomes, a line each; none: there are no more at present.',
        schema: outcome,
        example: OUTCOME,
        type: 'application/x-ndjson',
        alternatives: {
          'application/cloudevents-batch+json': {
            schema: cloudEvents,
            example: [
              {
                ...{ specversion: '1.0', id: OUTCOME.id, source: '/accounts/default' },
                ...{ type: 'laurel.configuration.published.v1', time: OUTCOME.timestamp, sequence: '1' },
                ...{ datacontenttype: 'application/json', data: OUTCOME },
              },
            ],
          },
        },
      },
    },
    problems: ['cursor_expired', 'not_in_this_topology', 'invalid_request'],
  },
  readEvents: {
    method: 'get',
    path: '/admin/v1/events',
    scope: 'export',
    tag: 'Export',
    summary: 'Read the log in order',
    description:
      'Every event that was recorded, from the first on, in the order of recording. The header `Laurel-Cursor` is `after` of the next call; it is the one that was sent if there are no more at present. `Laurel-Head` is the cursor behind all that there were; with it as `until`, calls come to an end whatever is recorded meanwhile. With `types`, a call looks at 1,000 events, so that one with fewer than `limit`, or without any, need not be the last. With `Accept: application/cloudevents-batch+json` they come as CloudEvents 1.0.',
    parameters: [LOGGED_AFTER, LOGGED_UNTIL, LOGGED_TYPES, LOGGED_LIMIT, LOGGED_WAIT],
    answers: {
      200: {
        description: 'The events, a line each.',
        schema: loggedEvent,
        example: LOGGED,
        type: 'application/x-ndjson',
        alternatives: {
          'application/cloudevents-batch+json': {
            schema: loggedCloudEvents,
            example: [
              {
                ...{ specversion: '1.0', id: LOGGED.id, source: '/accounts/default' },
                ...{ type: 'laurel.recorded.MetricEventRecorded.v1', subject: 'ada', time: LOGGED.timestamp },
                ...{ datacontenttype: 'application/json', data: LOGGED },
              },
            ],
          },
        },
      },
    },
    problems: ['invalid_request'],
  },
});
