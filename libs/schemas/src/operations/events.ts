import { eventAnswer } from '../event-answer.ts';
import { describedMetricEvent } from '../requests.ts';
import { type Described, operationsOf, RECORDING_PROBLEMS } from './operation.ts';
import { IDEMPOTENCY_KEY, METRIC } from './parameters.ts';

const recordMetricEvent = {
  method: 'post',
  scope: 'ingest',
  summary: 'Record an event',
  description:
    'Adds a value to a metric of a user, and answers with everything that it caused: the total, completed achievements, the streak, points and ranks. The user is created or updated by it. Once an event is recorded it is never answered with an error: while an area is halted, `pending` says what is missing.',
  parameters: [METRIC, IDEMPOTENCY_KEY],
  body: {
    schema: describedMetricEvent,
    example: { user: { id: 'ada', name: 'Ada', tz: 'Europe/Berlin' }, value: 1, attributes: { course: 'spanish' } },
  },
  answers: {
    201: { description: 'Recorded.', schema: eventAnswer },
    202: {
      description: 'A replay: the key was used before. Nothing changed; the answer shows the state as of now.',
      schema: eventAnswer,
    },
  },
  problems: ['unknown_metric', ...RECORDING_PROBLEMS],
} satisfies Omit<Described, 'path'>;

export const EVENT_OPERATIONS = operationsOf('Events', {
  recordMetricEvent: { path: '/v1/metrics/{key}/event', ...recordMetricEvent },
  recordApiMetricEvent: {
    ...recordMetricEvent,
    path: '/api/metrics/{key}/event',
    summary: 'Record an event (alternative path)',
  },
});
