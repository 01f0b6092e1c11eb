import { z } from 'zod';
import {
  exportedAward,
  exportedEvent,
  exportedRanking,
  exportedWinner,
  type ExportedAward,
  type ExportedEvent,
} from '../export.ts';
import { userExport } from '../user-export.ts';
import { type Operation, operationsOf } from './operation.ts';
import { USER, inQuery, required, key, upTo } from './parameters.ts';

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

const bound = (name: string, description: string) =>
  inQuery(name, z.string().meta({ description, examples: ['2026-03-01', '2026-03-01T12:00:00Z'] }));
const EXPORT_FROM = bound('from', 'From this date in UTC, or instant, on. Absent: from the first.');
const EXPORT_TO = bound('to', 'Before this date in UTC, or instant. Absent: up to the last.');
const EXPORT_FORMAT = inQuery(
  'format',
  z.enum(['ndjson', 'csv']).default('ndjson').meta({ description: 'One JSON object per line, or CSV.' }),
);
const RANGE = [EXPORT_FROM, EXPORT_TO, EXPORT_FORMAT];
const WINNERS_BOARD = required(inQuery('leaderboard', key('The leaderboard’s key.', 'weekly')));
const WINNERS_RUN = inQuery(
  'run',
  z.iso.date().meta({ description: 'Any date within the run. Absent: the newest final run.' }),
);
const WINNERS_LIMIT = inQuery('limit', upTo(1, 1_000, 10, 'How many winners, from the first on.'));

export const EXPORT_OPERATIONS = operationsOf('Export', {
  exportEvents: {
    method: 'get',
    path: '/admin/v1/export/events',
    scope: 'export',
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
    summary: 'Export everything held about a user',
    description:
      'For users who ask for their data: profile, events with what was said of the user in them, awards, streak, completions, ranks, and what was told of the user, in outcomes and to webhooks. No other user is named. Streamed; if it cannot be completed the connection is cut. Its parts are read one after the other, so that an event that comes meanwhile may be in some of them only. It reads the whole log.',
    parameters: [USER],
    answers: { 200: { description: 'Everything.', schema: userExport } },
    problems: ['unknown_user', 'overloaded'],
  },
});
