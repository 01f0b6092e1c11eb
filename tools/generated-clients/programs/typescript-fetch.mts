import { Configuration, EventsApi, ImportApi, UsersApi } from './laurel/index.js';

const { LAUREL_URL, LAUREL_API_KEY, USER_ID } = process.env as Record<string, string>;
const configuration = new Configuration({ basePath: LAUREL_URL, apiKey: LAUREL_API_KEY });
const user = { id: USER_ID };
const event = await new EventsApi(configuration).recordApiMetricEvent({
  key: 'lessons',
  idempotencyKey: 'once',
  metricEventRequest: { user, value: 16_777_217 },
});
const metric = await new UsersApi(configuration).getUserMetric({ id: user.id, key: 'lessons' });
const batch = await new ImportApi(configuration).recordBatch({
  batchRequest: { events: [0.5, 1].map((value) => ({ metric: 'lessons', user, value })) },
});
console.log(
  JSON.stringify({
    total: event.total,
    points: Object.fromEntries(Object.entries(event.points).map(([key, { added }]) => [key, added])),
    current: metric.current,
    accepted: batch.accepted,
    statuses: batch.results.map(({ status }) => status),
  }),
);
