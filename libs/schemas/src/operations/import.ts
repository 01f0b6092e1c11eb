import { z } from 'zod';
import {
  batchAnswer,
  finishImportAnswer,
  finishImportRequest,
  importAnswer,
  importRequest,
  openImportAnswer,
  streamResult,
} from '../event-answer.ts';
import { batchRequest, describedBatchItem } from '../requests.ts';
import { operationsOf, RECORDING_PROBLEMS } from './operation.ts';
import { inQuery } from './parameters.ts';

const RESULTS = inQuery(
  'results',
  z.enum(['full']).meta({ description: 'With `full`, the `body` of each result is the full answer to its event.' }),
);

export const IMPORT_OPERATIONS = operationsOf('Import', {
  recordBatch: {
    method: 'post',
    path: '/admin/v1/metrics/events',
    scope: 'admin',
    summary: 'Record many events',
    description:
      'As JSON up to 1,000 events, at most 8 MiB in all; as a stream of NDJSON any number of them. They are recorded in order. What is wrong with one is its own result; the others go in. In the distributed topology a result says that the event is recorded, not that reads show it already; with `results=full` the answer waits until they do. If the whole batch was turned away (503 `overloaded` or `unavailable`), nothing was recorded and it can be sent again as it is. The first event with a `timestamp` opens an import.\n\n**As a stream** (`Content-Type: application/x-ndjson`): an event a line of at most 64 KiB, no bound on the whole. The results come as NDJSON, in order, while the request is still being sent, so read them while you send: the service reads no further ahead than about a thousand events. The status is 200 with the first result; what is refused before is an error as usual. What the service turns away for the moment it submits again by itself. A last line without `index` says why the stream was ended before its end: after 20 lines in a row that are not JSON, after two minutes in which nothing happens, when the service stops, or when the store takes nothing for half a minute. What has no result was not recorded then; if the connection breaks, it may have been, and a key makes it safe to send again.',
    parameters: [RESULTS],
    body: {
      schema: batchRequest,
      example: {
        events: [
          {
            metric: 'words',
            user: { id: 'grace', name: 'Grace', tz: 'America/New_York' },
            value: 120,
            timestamp: '2026-03-01T09:00:00Z',
            idempotencyKey: 'import-1',
          },
          { metric: 'chapters', user: { id: 'grace' }, value: 1 },
        ],
      },
      alternatives: {
        'application/x-ndjson': {
          schema: describedBatchItem,
          example: { metric: 'chapters', user: { id: 'grace' }, value: 1, idempotencyKey: 'import-2' },
        },
      },
    },
    answers: {
      200: {
        description: 'A result for each event; of a stream, a line each.',
        schema: batchAnswer,
        alternatives: {
          'application/x-ndjson': {
            schema: streamResult,
            example: { index: 0, status: 201, eventId: '01a1fd77-d074-753a-836c-87e905fbb1f9' },
          },
        },
      },
    },
    problems: RECORDING_PROBLEMS,
  },
  openImport: {
    method: 'post',
    path: '/admin/v1/imports',
    scope: 'admin',
    summary: 'Open an import with options',
    description:
      'Without it the first event with a `timestamp` opens an import, without options. If one is open it gets these options, and an option that is left out is off. The import ends as any other. Imported events make no outcomes, unless it is opened with `outgoing`: then those that follow make the outcomes that the configuration names, as live ones do. The distributed topology refuses `unboundedAwards` as `invalid_request`.',
    body: { schema: importRequest, example: { unboundedAwards: true, reason: 'history of the old service' } },
    answers: {
      201: { description: 'The import is open with these options.', schema: importAnswer },
      200: { description: 'An import with these options was already open.', schema: importAnswer },
    },
  },
  finishImport: {
    method: 'post',
    path: '/admin/v1/imports/finish',
    scope: 'admin',
    summary: 'End an import',
    description:
      'An import also ends after ten minutes without an imported event. Until it ends, no time awards are swept. The answer waits until reads show everything that was recorded before, or lists in `pending` the areas that do not show it yet.',
    body: { schema: finishImportRequest, example: { reason: 'all lines are in' }, required: false },
    answers: { 200: { description: 'The import has ended.', schema: finishImportAnswer } },
  },
  getOpenImport: {
    method: 'get',
    path: '/admin/v1/imports',
    scope: 'read',
    summary: 'Show the import that is open',
    answers: {
      200: { description: 'The import and its progress; null: none is open.', schema: openImportAnswer },
    },
  },
});
