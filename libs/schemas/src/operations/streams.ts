import { z } from 'zod';
import { loggedCloudEvents, loggedEvent, type LoggedEvent } from '../export.ts';
import { cloudEvents, outcome } from '../outcomes.ts';
import { type Operation, operationsOf } from './operation.ts';
import { inQuery, type Parameter, upTo } from './parameters.ts';

interface Stream {
  readonly of: 'outcomes' | 'events';
  /** The first readable item. */
  readonly first: string;
  /** An example of `types`. */
  readonly types: string;
  /** The default of `limit`. */
  readonly limit: number;
}

const parametersOf = ({ of, first, types, limit }: Stream): readonly Parameter[] => [
  inQuery(
    'after',
    z.string().meta({ description: `\`Laurel-Cursor\` of the previous answer. Absent: from ${first}.` }),
  ),
  inQuery(
    'until',
    z.string().meta({ description: `\`Laurel-Head\` of a call before: ${of} end there. Absent: no end.` }),
  ),
  inQuery(
    'types',
    z.string().meta({ description: 'Only these types, separated by commas. Absent: all types.', examples: [types] }),
  ),
  inQuery('limit', upTo(1, 1_000, limit, 'How many to show at most.')),
  inQuery('wait', upTo(0, 30, 0, `Seconds to wait for ${of} if there are no more.`)),
];

interface Described {
  readonly schema: z.ZodType;
  readonly example: unknown;
}

const answersOf = (description: string, { schema, example }: Described, batch: Described): Operation['answers'] => ({
  200: {
    description,
    schema,
    example,
    type: 'application/x-ndjson',
    alternatives: { 'application/cloudevents-batch+json': batch },
  },
});

const OUTCOME = {
  id: '8f14e45f-ceea-5167-a5a3-6b1f6a7d3c21',
  type: 'configuration.published',
  timestamp: '2026-03-02T20:00:00.000Z',
  sequence: 1,
  version: 2,
};
const OUTCOME_CLOUD_EVENT = {
  specversion: '1.0',
  id: OUTCOME.id,
  source: '/accounts/default',
  type: 'laurel.configuration.published.v1',
  time: OUTCOME.timestamp,
  sequence: '1',
  datacontenttype: 'application/json',
  data: OUTCOME,
};

const LOGGED: LoggedEvent = {
  id: '01a1fd77-d074-753a-836c-87e905fbb1f9',
  type: 'MetricEventRecorded',
  timestamp: '2026-03-02T20:00:00.000Z',
  recordedAt: '2026-03-02T20:00:00.000Z',
  userId: 'ada',
  configurationVersion: 1,
  details: { metric: 'lessons', value: '2.5' },
};
const LOGGED_CLOUD_EVENT = {
  specversion: '1.0',
  id: LOGGED.id,
  source: '/accounts/default',
  type: 'laurel.recorded.MetricEventRecorded.v1',
  subject: 'ada',
  time: LOGGED.timestamp,
  datacontenttype: 'application/json',
  data: LOGGED,
};

/** Keeps a page within what one read may touch, whichever users its events belong to. */
export const LOGGED_BY_DEFAULT = 30;

export const STREAM_OPERATIONS = operationsOf('Export', {
  readOutcomes: {
    method: 'get',
    path: '/admin/v1/outcomes',
    scope: 'export',
    summary: 'Read outcomes in order',
    description:
      'What happened, of the types that the configuration names (`outgoing`), in the order of the log; the bodies are those under `webhooks`. The header `Laurel-Cursor` is `after` of the next call, and `Laurel-Head` the cursor behind all that there were; with it as `until`, calls come to an end whatever is made meanwhile. With `Accept: application/cloudevents-batch+json` they come as CloudEvents 1.0.',
    parameters: parametersOf({
      of: 'outcomes',
      first: 'the oldest outcome that is kept',
      types: 'streak.lost,achievement.completed',
      limit: 100,
    }),
    answers: answersOf(
      'The outcomes, a line each; none: there are no more at present.',
      { schema: outcome, example: OUTCOME },
      { schema: cloudEvents, example: [OUTCOME_CLOUD_EVENT] },
    ),
    problems: ['cursor_expired', 'not_in_this_topology', 'invalid_request'],
  },
  readEvents: {
    method: 'get',
    path: '/admin/v1/events',
    scope: 'export',
    summary: 'Read the log in order',
    description:
      'Every event that was recorded, from the first on, in the order of recording. The header `Laurel-Cursor` is `after` of the next call; it is the one that was sent if there are no more at present. `Laurel-Head` is the cursor behind all that there were; with it as `until`, calls come to an end whatever is recorded meanwhile. With `types`, a call looks at 1,000 events, so that one with fewer than `limit`, or without any, need not be the last. With `Accept: application/cloudevents-batch+json` they come as CloudEvents 1.0.',
    parameters: parametersOf({
      of: 'events',
      first: 'the first event',
      types: 'MetricEventRecorded,UserErased',
      limit: LOGGED_BY_DEFAULT,
    }),
    answers: answersOf(
      'The events, a line each.',
      { schema: loggedEvent, example: LOGGED },
      { schema: loggedCloudEvents, example: [LOGGED_CLOUD_EVENT] },
    ),
    problems: ['invalid_request'],
  },
});
