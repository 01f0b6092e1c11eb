import { batchAnswer, finishImportAnswer, finishImportRequest, importAnswer, importRequest } from '../event-answer.ts';
import { batchRequest } from '../requests.ts';
import { type Operation, RECORDING_PROBLEMS } from './operation.ts';
import { RESULTS } from './parameters.ts';

export const IMPORT_OPERATIONS: readonly Operation[] = [
  {
    id: 'recordBatch',
    method: 'post',
    path: '/admin/v1/metrics/events',
    scope: 'admin',
    tag: 'Import',
    summary: 'Record up to 1,000 events',
    description:
      'They are recorded in order, at most 8 MiB in all. What is wrong with one is its own result; the others go in. In the distributed topology a result says that the event is recorded, not that reads show it already; with `results=full` the answer waits until they do. If the whole batch was turned away (503 `overloaded` or `unavailable`), nothing was recorded and it can be sent again as it is. The first event with a `timestamp` opens an import.',
    parameters: [RESULTS],
    body: {
      schema: batchRequest,
      example: [
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
    answers: { 200: { description: 'A result for each event.', schema: batchAnswer } },
    problems: RECORDING_PROBLEMS,
  },
  {
    id: 'openImport',
    method: 'post',
    path: '/admin/v1/imports',
    scope: 'admin',
    tag: 'Import',
    summary: 'Open an import with options',
    description:
      'Without it the first event with a `timestamp` opens an import, without options. If one is open it gets these options. The import ends as any other. The distributed topology refuses `unboundedAwards`.',
    body: { schema: importRequest, example: { unboundedAwards: true, reason: 'history of the old service' } },
    answers: {
      201: { description: 'It is open with these options.', schema: importAnswer },
      200: { description: 'An import with these options was open.', schema: importAnswer },
    },
  },
  {
    id: 'finishImport',
    method: 'post',
    path: '/admin/v1/imports/finish',
    scope: 'admin',
    tag: 'Import',
    summary: 'End an import',
    description:
      'Ten minutes without an imported event end it, too. Until then nobody’s time awards are swept. The answer waits until reads show everything that was recorded before, or names in `pending` where they do not yet.',
    body: { schema: finishImportRequest, example: { reason: 'all lines are in' }, required: false },
    answers: { 200: { description: 'It is ended.', schema: finishImportAnswer } },
  },
];
