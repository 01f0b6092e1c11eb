import { gunzipSync } from 'node:zlib';
import { DEMO_CONFIGURATION } from '@laurel/configuration';
import { OPERATIONS, TAGS } from '@laurel/schemas';
import { openApiDocument } from '@laurel/openapi';
import { Client, type Json } from '@laurel/testing/http-suite';
import { serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

/** Nothing in it has a name that the description of the release uses in its examples. */
const OTHER = {
  version: 1,
  metrics: [{ key: 'runs', name: 'Runs' }],
  achievements: [
    { key: 'far', name: 'Far', trigger: { type: 'metric', metric: 'runs', value: 100 } },
    { key: 'said-so', name: 'Said so', trigger: { type: 'api' } },
  ],
  points: [{ key: 'miles', name: 'Miles', triggers: [{ type: 'metric', metric: 'runs', threshold: 1, points: 2 }] }],
  leaderboards: [{ key: 'runners', name: 'Runners', rankBy: 'metric', metric: 'runs', start: '2026-01-01' }],
};

/** They would name events that only this service has, or replace its configuration. */
const WITHOUT_EXAMPLES = ['previewCorrection', 'correctEvents', 'publishConfiguration'];
/** It needs an idempotency key, and a user with points. */
const OF_A_BUYER = 'spendPoints';
/** It names a spend, whose id only its answer tells. */
const OF_A_SPEND = ['refundSpend'];
/** They name a webhook, whose id only its creation tells. */
const OF_A_WEBHOOK = [
  ...['enableWebhook', 'disableWebhook', 'rotateWebhookSecret', 'testWebhook'],
  ...['resendWebhookDelivery', 'replayWebhook'],
];
/** The key that it shows is nobody's. */
const WITH_A_KEY = 'signIn';

let served: Served;
let client: Client;

beforeEach(async () => {
  served = await serveOnFreshDatabase(DEMO_CONFIGURATION);
  client = new Client(() => served);
});
afterEach(async () => {
  await served?.close();
});

const publish = (document: object) =>
  client.send('POST', '/admin/v1/configurations', { body: { document } }).then(({ status }) => status);
/** With what is for browsers only. */
const WHOLE = `/openapi.json?tags=${Object.keys(TAGS).join()}`;
const described = async (): Promise<Json> => (await client.read(WHOLE)) as Json;

interface Shown {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
}

/** Every request of a method that the document shows, as it shows it. */
function shown({ paths }: Json, method: string): Shown[] {
  return Object.entries<Json>(paths).flatMap(([path, { [method]: operation }]) => {
    if (operation === undefined) return [];
    const parameters: Json[] = operation.parameters ?? [];
    const example = (name: string) => String(parameters.find((parameter) => parameter.name === name).example);
    if (parameters.some((parameter) => parameter.in === 'path' && parameter.example === undefined)) return [];
    const body = operation.requestBody?.content['application/json'].example;
    if (operation.requestBody !== undefined && body === undefined) return [];
    return [{ id: operation.operationId, method, path: path.replace(/\{(\w+)\}/g, (_, name) => example(name)), body }];
  });
}

async function refusalsOf(requests: readonly Shown[]) {
  const refused: unknown[] = [];
  for (const { id, method, path, body } of requests) {
    const sent = body === undefined ? {} : { body };
    const { status, json } = await client.send(method.toUpperCase(), path, sent);
    const results: Json[] = json?.results ?? [];
    const refusals = results.filter((result) => result.status >= 400);
    if (status >= 400 || refusals.length > 0) refused.push({ id, path, status, json });
  }
  return refused;
}

describe.each([
  ['the demo', null, []],
  // It has no streak.
  [
    'another configuration',
    OTHER,
    ['grantFreezes', 'restoreStreak', 'excuseDays', 'createStreakFreezes', 'restoreStreaks', 'grantToMany'],
  ],
])('the example requests in /openapi.json with %s in force', (_, configuration, unconfigured) => {
  beforeEach(async () => {
    if (configuration !== null) expect(await publish(configuration)).toBe(201);
  });

  it('succeed as shown and publish nothing', async () => {
    const { version } = await client.read('/admin/v1/configurations/current');
    const requests = shown(await described(), 'post');
    expect(requests.length).toBeGreaterThan(8);
    const sent = new Set(requests.map(({ id }) => id));
    const posts = OPERATIONS.filter(({ method }) => method === 'post').map(({ id }) => id);
    expect(posts.filter((id) => !sent.has(id))).toEqual([
      ...OF_A_SPEND,
      ...unconfigured,
      ...WITHOUT_EXAMPLES,
      ...OF_A_WEBHOOK,
    ]);
    const [refused, ...others] = await refusalsOf(requests.filter(({ id }) => id !== OF_A_BUYER));
    expect([refused, others]).toEqual([expect.objectContaining({ id: WITH_A_KEY, status: 401 }), []]);
    expect((await client.read('/admin/v1/configurations/current')).version).toBe(version);
    const reads = shown(await described(), 'get').filter(({ path }) => /^\/v1\/(?!.*summary|streaks)/.test(path));
    expect(reads.length).toBeGreaterThan(8);
    expect(await refusalsOf(reads)).toEqual([]);
  });
});

describe('GET /openapi.json', () => {
  it('changes only when another configuration is published', async () => {
    const etag = async () => (await client.send('GET', '/openapi.json', { key: null })).headers.get('etag');
    const first = await etag();
    expect(await etag()).toBe(first);
    await publish(OTHER);
    const second = await etag();
    expect(second).not.toBe(first);
    expect(await etag()).toBe(second);
    const compressed = await served.http.fastify.inject({
      url: WHOLE,
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(JSON.parse(gunzipSync(compressed.rawPayload).toString())).toEqual(await described());
  });

  it('says that the configuration has no value for an example instead of showing a failing one', async () => {
    await publish({ version: 1, metrics: [{ key: 'runs', name: 'Runs' }] });
    const { paths } = await described();
    const [key] = paths['/v1/achievements/{key}/complete'].post.parameters;
    expect(key).not.toHaveProperty('example');
    expect(key.description).toMatch(/configuration in force has none/);
    expect(paths['/v1/metrics/{key}/event'].post.parameters[0].example).toBe('runs');
  });

  it('reveals only a few keys of the configuration, because it needs no API key', async () => {
    const metrics = Array.from({ length: 2_000 }, (_, index) => ({ key: `m${index}`, name: 'Shown to nobody' }));
    await publish({ version: 1, metrics });
    const document = JSON.stringify(await described());
    expect(document).not.toContain('Shown to nobody');
    expect(document.length).toBeLessThan(JSON.stringify(openApiDocument()).length + 1_000);
  });
});
