import {
  eventually,
  startFakeEventStoreProcess,
  startTestTopology,
  notifiedOutcomes,
  type FakeEventStoreProcess,
  type Topology,
} from '@laurel/testing/distributed';
import { Client, HTTP_SUITE_CONFIGURATION, type Json } from '@laurel/testing/http-suite';

let eventStore: FakeEventStoreProcess | null = null;
let topology: Topology | null = null;

beforeAll(async () => {
  eventStore = await startFakeEventStoreProcess();
  topology = await startTestTopology({
    configuration: HTTP_SUITE_CONFIGURATION,
    eventStoreUrl: eventStore.url,
    outgoing: true,
    environment: { LAUREL_WEBHOOK_ALLOW: '127.0.0.1' },
  });
});
afterAll(async () => {
  await topology?.stop();
  await eventStore?.stop();
});

it('outcomes of a log in EventStoreDB are created from its copy, from the version that requests them on', async () => {
  const running = topology as Topology;
  const client = new Client(() => ({ baseUrl: running.url, apiKey: running.apiKey }));
  await client.record('lessons', 'before', 3);
  const { document } = await client.read('/admin/v1/configurations/current');
  const body = { document: { ...document, outgoing: { events: ['configuration.published', 'user.created'] } } };
  expect((await client.send('POST', '/admin/v1/configurations', { body })).status).toBe(201);
  await client.record('lessons', 'told', 3);
  let notified: readonly string[] = [];
  const isNotified = async () =>
    (notified = await notifiedOutcomes(running)).some((one) => one.includes('"id":"told"'));
  await eventually(running, 'the user is told of', isNotified, 60_000, () => notified);
  expect(notified.map((one) => JSON.parse(one)).map(({ type, user }) => [type, user?.id])).toEqual([
    ['configuration.published', undefined],
    ['user.created', 'told'],
  ]);
});

it('the export of a user contains their outcomes and deliveries', async () => {
  const running = topology as Topology;
  const client = new Client(() => ({ baseUrl: running.url, apiKey: running.apiKey }));
  // Nobody listens there.
  const url = 'http://127.0.0.1:1/a-secret';
  const { status, json: webhook } = await client.send('POST', '/admin/v1/webhooks', { body: { url } });
  expect(status).toBe(201);
  await client.record('lessons', 'exported', 3);
  let exported: Json = {};
  const isPresent = async () =>
    (exported = await client.read('/admin/v1/users/exported/export')).webhookDeliveries.length > 0;
  await eventually(running, 'it is on its way', isPresent, 60_000, () => exported);
  const [{ id }] = exported.outcomes;
  expect(exported.outcomes).toMatchObject([{ type: 'user.created', user: { id: 'exported' } }]);
  expect(exported.webhookDeliveries).toMatchObject([
    { webhook: webhook.id, origin: 'http://127.0.0.1:1', outcome: id, type: 'user.created', body: null },
  ]);
});
