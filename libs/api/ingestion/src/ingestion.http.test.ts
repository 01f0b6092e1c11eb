import { connect } from 'node:net';
import { once } from 'node:events';
import type { RecordMetricEvent, Refused } from '@laurel/kernel';
import { problem, writeJson, type Scope } from '@laurel/schemas';
import {
  createClock,
  createHttpApplication,
  createLogger,
  fullScopeKey,
  generateApiKey,
  hashApiKey,
  Health,
  type ApiKeys,
  type HttpApplication,
} from '@laurel/runtime';
import { subjectOf } from '@laurel/testing/subjects';
import {
  historyOf,
  MemoryIntake,
  sampleConfiguration,
  findUnguarded,
  MemoryDirectory,
} from '@laurel/testing/http-modules';
import { EventCounts } from './event-counts.ts';
import { IngestionModule } from './ingestion-module.ts';
import type { ComposeEventAnswer, IngestionPorts } from './ports.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const KEY = generateApiKey();
const EVENT = '/api/metrics/commits/event';
const BATCH = '/admin/v1/metrics/events';

const composeEventAnswer: ComposeEventAnswer = (outcome, { metric, idempotencyKey }) => ({
  metricId: metric.id,
  eventId: outcome.eventId,
  total: Number(outcome.sections.users?.total ?? 0n) / 1e6,
  achievements: [],
  currentStreak: null,
  points: {},
  leaderboards: {},
  ...(idempotencyKey !== null && { idempotentReplayed: outcome.kind === 'replayed', idempotencyKey }),
});

interface HttpModule {
  readonly http: HttpApplication;
  readonly intake: MemoryIntake;
  readonly log: string[];
}

/** The routes of users and completions are tested over the whole service. */
const NOT_ASKED_HERE = {} as Pick<
  IngestionPorts,
  | 'users'
  | 'achievements'
  | 'erasures'
  | 'composeUserAnswer'
  | 'composeCompletionAnswer'
  | 'composeGrantAnswer'
  | 'composeSpendAnswer'
  | 'composeRefundAnswer'
>;

async function openHttp(keys: ApiKeys = fullScopeKey(KEY, 'default')): Promise<HttpModule> {
  const configuration = sampleConfiguration('default');
  const intake = new MemoryIntake(configuration);
  const clock = createClock({ type: 'frozen', at: NOW });
  const log: string[] = [];
  const http = await createHttpApplication({
    modules: [
      IngestionModule.register({
        intake,
        corrections: null,
        requests: { find: () => Promise.resolve(null) },
        directory: new MemoryDirectory(),
        clock,
        counts: new EventCounts(),
        configuration: () => historyOf(configuration),
        composeEventAnswer,
        writeEventAnswer: (outcome, request) => writeJson(composeEventAnswer(outcome, request)),
        ...NOT_ASKED_HERE,
      }),
    ],
    keys,
    health: new Health(clock),
    logger: createLogger('debug', { write: (line) => void log.push(line) }),
  });
  return { http, intake, log };
}

let http: HttpModule;
beforeEach(async () => {
  http = await openHttp();
});
afterEach(() => http.http.close());

interface Sent {
  readonly url?: string;
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string | Buffer;
}

async function send({ url = EVENT, method = 'POST', key = KEY, headers = {}, body, text }: Sent = {}) {
  const response = await http.http.fastify.inject({
    method,
    url,
    headers: { ...(key !== null && { 'x-api-key': key }), 'content-type': 'application/json', ...headers },
    payload: text ?? JSON.stringify(body ?? { user: { id: 'u' }, value: 1 }),
  });
  return { status: response.statusCode, headers: response.headers, json: response.json() };
}

async function refusedWith(code: string, status: number, sent: Sent) {
  const { json, headers, status: answered } = await send(sent);
  expect({ status: answered, code: json.code }).toEqual({ status, code });
  expect(headers['content-type']).toMatch(/^application\/problem\+json/);
  expect(problem.safeParse(json).error).toBeUndefined();
  expect(json).toMatchObject({ status, error: json.detail });
  expect(json.type).toMatch(/^\/docs\/errors#[a-z_]+$/);
  return { json, headers };
}

const paths = (json: { errors: { path: string }[] }) => json.errors.map(({ path }) => path);
const submitted = () => http.intake.submitted as RecordMetricEvent[];

describe('POST /api/metrics/:key/event', () => {
  it('answers 404 at an unknown path, with a key or without', async () => {
    await refusedWith('unknown_path', 404, { url: '/v2/anything', key: null });
    await refusedWith('unknown_path', 404, { url: '/api/metrics//event' });
    await refusedWith('unknown_path', 404, { url: '/' });
  });

  it('answers 405 with Allow to another method before it checks the key', async () => {
    const { headers } = await refusedWith('method_not_allowed', 405, { method: 'PUT', key: null });
    expect(headers.allow).toBe('POST');
  });

  it('answers 401 without a key, with an unknown one and with two', async () => {
    await refusedWith('unauthorized', 401, { key: null });
    await refusedWith('unauthorized', 401, { key: '' });
    await refusedWith('unauthorized', 401, { key: generateApiKey() });
    await refusedWith('unauthorized', 401, { key: `${KEY}, ${KEY}` });
  });

  it('answers 401 before it would answer 415, 413, 400, 404 or 422', async () => {
    const wrong = { key: null, url: '/api/metrics/unknown/event', headers: { 'content-type': 'text/plain' } };
    await refusedWith('unauthorized', 401, { ...wrong, text: '{'.repeat(100_000) });
  });

  it('answers 415 when the content type is not JSON', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'nonsense'])
      await refusedWith('unsupported_media_type', 415, { headers: { 'content-type': type } });
    await refusedWith('unsupported_media_type', 415, { headers: { 'content-encoding': 'gzip' } });
    const { statusCode } = await http.http.fastify.inject({
      method: 'POST',
      url: EVENT,
      headers: { 'x-api-key': KEY },
    });
    expect(statusCode).toBe(415);
  });

  it('accepts JSON with parameters and types with a JSON suffix', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON', 'application/vnd.x+json'])
      expect((await send({ headers: { 'content-type': type } })).status).toBe(201);
  });

  it('answers 413 above 64 KiB, but 415 first', async () => {
    const text = JSON.stringify({ user: { id: 'u' }, value: 1, x: 'x'.repeat(65_536) });
    await refusedWith('body_too_large', 413, { text });
    await refusedWith('unsupported_media_type', 415, { text, headers: { 'content-type': 'text/plain' } });
  });

  it('accepts a body of 64 KiB', async () => {
    const frame = JSON.stringify({ user: { id: 'u' }, value: 1, x: '' });
    const text = frame.replace('""', `"${'x'.repeat(65_536 - frame.length)}"`);
    expect((await send({ text })).status).toBe(201);
  });

  it('answers 400 to a body that is not JSON, not UTF-8 or not an object', async () => {
    for (const text of ['', '{', '\ufeff', '[]', '[{}]', '1', 'null', '"x"'])
      await refusedWith('malformed_body', 400, { text });
    await refusedWith('malformed_body', 400, { text: Buffer.from([0x22, 0xff, 0x22]) });
  });

  it('answers 400 to a malformed body before 404 to an unknown metric', async () => {
    await refusedWith('malformed_body', 400, { url: '/api/metrics/unknown/event', text: '{' });
  });

  it('answers 404 to an unknown metric before 422', async () => {
    await refusedWith('unknown_metric', 404, { url: '/api/metrics/unknown/event', body: { value: 'x' } });
    await refusedWith('unknown_metric', 404, { url: '/v1/metrics/constructor/event' });
  });

  it('names the unknown metric and the nearest one, also in a batch', async () => {
    const error = "There is no metric 'comits' (did you mean 'commits'?).";
    const { json } = await refusedWith('unknown_metric', 404, { url: '/v1/metrics/comits/event' });
    expect(json.error).toBe(error);
    const body = [{ metric: 'comits', user: { id: 'u' }, value: 1 }];
    expect((await send({ url: BATCH, body })).json.results).toEqual([
      { index: 0, status: 404, error, code: 'unknown_metric' },
    ]);
  });

  it('suggests the nearest metric for at most a hundred items of a batch', async () => {
    const body = Array.from({ length: 150 }, () => ({ metric: 'comits', user: { id: 'u' }, value: 1 }));
    const { results } = (await send({ url: BATCH, body })).json as { results: { error: string }[] };
    expect(results.filter(({ error }) => error.includes('did you mean'))).toHaveLength(100);
    expect(results.at(-1)?.error).toBe("There is no metric 'comits'.");
  });

  it('names the unknown achievement and the nearest one', async () => {
    const url = '/v1/achievements/firts/complete';
    const { json } = await refusedWith('unknown_achievement', 404, { url, body: { user: { id: 'u' } } });
    expect(json.error).toBe("There is no achievement 'firts' (did you mean 'first'?).");
  });

  it('answers 422 with every problem, not only the first', async () => {
    const body = { user: { id: '', tz: 'Nowhere/Land', attributes: { a: 1 } }, value: 'x', attributes: { b: null } };
    const { json } = await refusedWith('invalid_request', 422, { body, headers: { 'idempotency-key': '' } });
    expect(paths(json)).toEqual([
      'user.id',
      'user.tz',
      'user.attributes.a',
      'value',
      'attributes.b',
      'Idempotency-Key',
    ]);
  });

  it('answers 422 for each field that is missing, of the wrong type or out of range', async () => {
    const user = { id: 'u' };
    const wrong: [unknown, string][] = [
      [{ value: 1 }, 'user'],
      [{ user: {}, value: 1 }, 'user.id'],
      [{ user }, 'value'],
      [{ user: { id: 1 }, value: 1 }, 'user.id'],
      [{ user: { id: '.' }, value: 1 }, 'user.id'],
      [{ user: { id: '..' }, value: 1 }, 'user.id'],
      [{ user: { id: 'a\0' }, value: 1 }, 'user.id'],
      [{ user: { id: '\ud800' }, value: 1 }, 'user.id'],
      [{ user: { id: 'x'.repeat(256) }, value: 1 }, 'user.id'],
      [{ user, value: '1' }, 'value'],
      [{ user, value: null }, 'value'],
      [{ user: null, value: 1 }, 'user'],
      [{ user, value: 1e9 + 1 }, 'value'],
      [{ user: { ...user, subscribeToEmails: 'no' }, value: 1 }, 'user.subscribeToEmails'],
      [{ user: { ...user, deviceTokens: 'token' }, value: 1 }, 'user.deviceTokens'],
      [{ user: { ...user, deviceTokens: Array(21).fill('t') }, value: 1 }, 'user.deviceTokens'],
      [{ user: { ...user, deviceTokens: ['x'.repeat(256)] }, value: 1 }, 'user.deviceTokens.0'],
      [{ user: { ...user, tz: '' }, value: 1 }, 'user.tz'],
      [{ user: { ...user, tz: '+05:30' }, value: 1 }, 'user.tz'],
      [{ user: { ...user, email: 'nobody' }, value: 1 }, 'user.email'],
      [{ user: { ...user, name: 1 }, value: 1 }, 'user.name'],
      [{ user: { ...user, name: 'a\0' }, value: 1 }, 'user.name'],
      [{ user: { ...user, attributes: [] }, value: 1 }, 'user.attributes'],
      [{ user: { ...user, attributes: { k: '\udfff' } }, value: 1 }, 'user.attributes.k'],
      [{ user, value: 1, attributes: 'x' }, 'attributes'],
      [{ user, value: 1, attributes: { '': 'x' } }, 'attributes'],
    ];
    for (const [body, path] of wrong) {
      const { json } = await refusedWith('invalid_request', 422, { body });
      expect(paths(json)).toEqual([path]);
    }
    const { json } = await refusedWith('invalid_request', 422, { text: '{"user":{"id":"u"},"value":1e400}' });
    expect(paths(json)).toEqual(['value']);
    expect(http.intake.submitted).toEqual([]);
  });

  it('answers 503 with Retry-After when nothing was recorded', async () => {
    for (const reason of ['overloaded', 'unavailable'] as const) {
      http.intake.refuse(() => ({ kind: 'refused', reason, eventId: null, retryAfterMs: 1_200 }));
      const { headers } = await refusedWith(reason, 503, {});
      expect(headers['retry-after']).toBe('2');
    }
  });

  it('answers 503 with user, area and repair command when a stored state is damaged', async () => {
    const damage = { account: 'default', subject: subjectOf('ada'), area: 'points', reason: 'v is 99' } as const;
    http.intake.refuse(() => ({ kind: 'refused', reason: 'damaged', eventId: null, retryAfterMs: 8_400, damage }));
    const { json, headers } = await refusedWith('state_damaged', 503, {});
    expect(headers['retry-after']).toBe('9');
    expect(json.error).toMatch(/points state of user "u" of account default .* laurel rebuild points$/);
    const body = [{ metric: 'commits', user: { id: 'u' }, value: 1 }];
    const batch = await send({ url: BATCH, body });
    expect(batch.json.results).toEqual([{ index: 0, status: 503, error: json.error, code: 'state_damaged' }]);
  });

  it('answers 503 with the event when the outcome is unknown', async () => {
    http.intake.refuse(() => ({ kind: 'refused', reason: 'unknown', eventId: 'e-1', retryAfterMs: null }));
    const { json, headers } = await refusedWith('outcome_unknown', 503, {});
    expect(json.eventId).toBe('e-1');
    expect(headers['retry-after']).toBe('1');
  });

  it('answers 500 with an incident id that is in the log, and without details', async () => {
    http.intake.refuse(() => {
      throw new Error('secret detail');
    });
    const { json } = await refusedWith('internal', 500, {});
    expect(JSON.stringify(json)).not.toContain('secret');
    const line = http.log.find((written) => written.includes(json.incidentId));
    expect(line).toContain('secret detail');
  });

  it('answers 500 when the store rejects the event', async () => {
    http.intake.refuse(() => ({ kind: 'refused', reason: 'rejected', eventId: 'e-1', retryAfterMs: null }));
    await refusedWith('internal', 500, {});
  });
});

describe('the scopes of the routes', () => {
  it('forbid with 403 a key that lacks the scope of the route', async () => {
    const scoped = new Map<string, Scope[]>([
      [hashApiKey('reader'), ['read']],
      [hashApiKey('ingester'), ['ingest']],
      [hashApiKey('admin'), ['admin']],
    ]);
    const keys: ApiKeys = {
      find: async (hash) => {
        const scopes = scoped.get(hash);
        return scopes ? { account: 'default', by: 'a-key', scopes: new Set(scopes) } : 'unknown';
      },
    };
    await http.http.close();
    http = await openHttp(keys);
    await refusedWith('forbidden', 403, { key: 'reader' });
    await refusedWith('forbidden', 403, { key: 'admin' });
    await refusedWith('forbidden', 403, { key: 'ingester', url: BATCH, body: [] });
    await refusedWith('forbidden', 403, { key: 'reader', url: '/admin/v1/imports/finish', body: {} });
    await refusedWith('unauthorized', 401, { key: 'nobody' });
    expect((await send({ key: 'ingester' })).status).toBe(201);
    expect((await send({ key: 'admin', url: BATCH, body: [] })).status).toBe(200);
  });

  it('admit no request without a key, whatever path and content type it uses', async () => {
    const { unguarded, sent } = await findUnguarded(await http.http.listen(0, '127.0.0.1'), http.http.routes);
    expect(unguarded).toEqual([]);
    expect(sent).toBeGreaterThan(500);
    expect(http.intake.submitted).toEqual([]);
  });
});

describe('the event route', () => {
  it('answers 201 without idempotency fields when no key was sent', async () => {
    const { status, json } = await send();
    expect(status).toBe(201);
    expect(Object.keys(json)).not.toContain('idempotencyKey');
    expect(Object.keys(json)).not.toContain('idempotentReplayed');
  });

  it('answers 201 to the first use of a key and 202 to the next, at both paths', async () => {
    const headers = { 'idempotency-key': 'k' };
    expect(await send({ headers })).toMatchObject({ status: 201, json: { idempotentReplayed: false, total: 1 } });
    expect(await send({ headers, url: '/v1/metrics/commits/event' })).toMatchObject({
      status: 202,
      json: { idempotentReplayed: true, idempotencyKey: 'k', total: 1 },
    });
  });

  it('submits a command with exactly the sent values', async () => {
    const text = `{"user":{"id":"u/ä","name":"","tz":"Europe/Berlin","attributes":{"__proto__":"p","gone":null}},
      "value":0.3,"attributes":{"__proto__":"q","constructor":"r"},"unknown":1}`;
    await send({ text });
    const [command] = submitted();
    expect(command).toMatchObject({
      account: 'default',
      subject: subjectOf('u/ä'),
      metric: 'commits',
      value: 300_000n,
    });
    expect(command?.occurredAt).toBeNull();
    expect([...(command?.user.attributes ?? [])]).toEqual([['__proto__', 'p'], ['gone', null]]); // prettier-ignore
    expect([...(command?.attributes ?? [])]).toEqual([['__proto__', 'q'], ['constructor', 'r']]); // prettier-ignore
    expect(Object.keys(command?.user ?? {})).toEqual(['name', 'tz', 'attributes', 'attributeHashes']);
    expect([...(command?.user.attributeHashes ?? [])]).toEqual([['#__proto__', '#__proto__=p'], ['#gone', null]]); // prettier-ignore
    expect([...(command?.attributeHashes ?? [])]).toEqual([['#__proto__', '#__proto__=q'], ['#constructor', '#constructor=r']]); // prettier-ignore
  });

  it('treats null fields of a user as absent', async () => {
    const user = { id: 'u', name: null, email: null, tz: null, attributes: null };
    const more = { subscribeToEmails: null, deviceTokens: null };
    expect((await send({ body: { user: { ...user, ...more }, value: 1 } })).status).toBe(201);
    expect(submitted()[0]?.user).toEqual({});
  });

  it('treats null attributes as absent, and null in a required field as missing', async () => {
    expect((await send({ body: { user: { id: 'u' }, value: 1, attributes: null } })).status).toBe(201);
    expect(submitted()[0]?.attributes.size).toBe(0);
    const { json } = await refusedWith('invalid_request', 422, { body: { user: { id: null }, value: null } });
    expect(json.error).toBe('user.id is required; value is required.');
  });

  it('rounds a value to six decimals, half away from zero', async () => {
    for (const [written, value] of [
      ['0.30000000000000004', 300_000n],
      ['0.0000005', 1n],
      ['-0.0000005', -1n],
    ] as const) {
      expect((await send({ text: `{"user":{"id":"u"},"value":${written}}` })).status).toBe(201);
      expect(submitted().at(-1)?.value).toBe(value);
    }
  });

  it('reads a key in a header as UTF-8, so it equals the key in a batch', async () => {
    const idempotencyKey = 'schlüssel-日本';
    const body = [{ metric: 'commits', user: { id: 'u' }, value: 1, idempotencyKey }];
    expect((await send({ url: BATCH, body })).json.results[0].status).toBe(201);
    const header = Buffer.from(idempotencyKey).toString('latin1');
    const { status, json } = await send({ headers: { 'idempotency-key': header } });
    expect({ status, key: json.idempotencyKey }).toEqual({ status: 202, key: idempotencyKey });
  });

  it('refuses a key that is given twice', async () => {
    await refusedWith('invalid_request', 422, { headers: { 'idempotency-key': ['a', 'b'] as unknown as string } });
  });

  it('accepts an idempotency key of 255 characters and refuses one of 256', async () => {
    expect((await send({ headers: { 'idempotency-key': 'k'.repeat(255) } })).status).toBe(201);
    await refusedWith('invalid_request', 422, { headers: { 'idempotency-key': 'k'.repeat(256) } });
  });
});

describe('a batch', () => {
  const item = (more: object = {}) => ({ metric: 'commits', user: { id: 'u' }, value: 1, ...more });
  const batch = (body: unknown, query = '') => send({ url: `${BATCH}${query}`, body });

  it('may be an array or an object with events, and its answer counts the recorded ones', async () => {
    expect(await batch([item(), item()])).toMatchObject({ status: 200, json: { accepted: 2 } });
    const { json } = await batch({ events: [{ ...item(), metric: undefined, key: 'commits' }] });
    expect(json).toEqual({ accepted: 1, results: [{ index: 0, status: 201, eventId: 'event-3' }] });
  });

  it('reports invalid items by index and records the others in order', async () => {
    const body = [
      item({ value: 1 }),
      item({ metric: 'unknown', value: 'x' }),
      item({ value: 'x', user: {} }),
      7,
      item({ metric: undefined }),
      item({ idempotencyKey: '' }),
      item({ value: 2, idempotencyKey: 'k' }),
      item({ value: 3, idempotencyKey: 'k' }),
    ];
    const { json } = await batch(body);
    expect(json.results.map(({ index }: { index: number }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(json.results.map(({ status }: { status: number }) => status)).toEqual([
      201, 404, 422, 422, 422, 422, 201, 202,
    ]);
    expect(json.results.map(({ code }: { code?: string }) => code)).toEqual([
      undefined,
      'unknown_metric',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      'invalid_request',
      undefined,
      undefined,
    ]);
    expect(json.results[2].error).toBe('user.id is required; value must be a number from -1000000000 to 1000000000.');
    expect(json.results[4].error).toBe('metric is required.');
    expect(json.accepted).toBe(2);
    expect(submitted().map(({ value }) => value)).toEqual([1_000_000n, 2_000_000n, 3_000_000n].slice(0, 3));
  });

  it('treats a null key, timestamp or attributes as absent', async () => {
    const nothing = { idempotencyKey: null, timestamp: null, attributes: null };
    const { json } = await batch([item(nothing), item(nothing)]);
    expect(json.accepted).toBe(2);
    expect(submitted()).toMatchObject(Array.from({ length: 2 }, () => ({ keyHash: null, occurredAt: null })));
    expect(http.intake.importOpen).toBe(false);
  });

  it('has the whole answer of each event with results=full', async () => {
    const { json } = await batch([item({ idempotencyKey: 'k' }), item({ idempotencyKey: 'k' })], '?results=full');
    expect(json.results[0].body).toMatchObject({ total: 1, idempotentReplayed: false, idempotencyKey: 'k' });
    expect(json.results[1].body).toMatchObject({ total: 1, idempotentReplayed: true });
  });

  it('accepts a timestamp at most five minutes ahead', async () => {
    const at = (ms: number) => new Date(NOW + ms).toISOString();
    const body = [item({ timestamp: at(300_000) }), item({ timestamp: at(300_001) }), item({ timestamp: 'yesterday' })];
    const { json } = await batch(body);
    expect(json.results.map(({ status }: { status: number }) => status)).toEqual([201, 422, 422]);
    expect(submitted()[0]?.occurredAt).toBe(NOW + 300_000);
  });

  it('is refused with more than 1,000 items, without a list, or with an unknown results value', async () => {
    await refusedWith('invalid_request', 422, { url: BATCH, body: Array.from({ length: 1_001 }, () => item()) });
    await refusedWith('invalid_request', 422, { url: BATCH, body: { events: {} } });
    for (const body of [{}, item()]) {
      const { json } = await refusedWith('invalid_request', 422, { url: BATCH, body });
      expect(json).toMatchObject({
        error: 'events is required.',
        errors: [{ path: 'events', message: 'is required' }],
      });
    }
    await refusedWith('invalid_request', 422, { url: `${BATCH}?results=brief`, body: [] });
    await refusedWith('malformed_body', 400, { url: BATCH, body: 'x' });
    expect((await batch(Array.from({ length: 1_000 }, () => item()))).json.accepted).toBe(1_000);
  });

  it('may have 8 MiB and no more', async () => {
    const sized = (bytes: number) => {
      const frame = JSON.stringify([item({ x: '' })]);
      return frame.replace('""', `"${'x'.repeat(bytes - frame.length)}"`);
    };
    expect((await send({ url: BATCH, text: sized(8 * 1024 * 1024) })).status).toBe(200);
    await refusedWith('body_too_large', 413, { url: BATCH, text: sized(8 * 1024 * 1024 + 1) });
  });

  const refused = (reason: Refused['reason']): Refused => ({ kind: 'refused', reason, eventId: 'e', retryAfterMs: 0 });

  it('is refused as a whole when none of its events was admitted', async () => {
    http.intake.refuse(() => refused('overloaded'));
    const { headers } = await refusedWith('overloaded', 503, { url: BATCH, body: [item(), 7] });
    expect(headers['retry-after']).toBe('1');
  });

  it('is answered item by item when any event was or may have been recorded', async () => {
    const reasons = new Map<bigint, Refused['reason']>([[2_000_000n, 'unavailable'], [3_000_000n, 'unknown'], [4_000_000n, 'rejected']]); // prettier-ignore
    http.intake.refuse((command) => {
      const reason = reasons.get((command as RecordMetricEvent).value);
      return reason ? refused(reason) : null;
    });
    const { json } = await batch([1, 2, 3, 4].map((value) => item({ value })));
    expect(json.results.map(({ status }: { status: number }) => status)).toEqual([201, 503, 503, 500]);
    expect(json.results.map(({ code }: { code?: string }) => code)).toEqual([
      undefined,
      'unavailable',
      'outcome_unknown',
      'internal',
    ]);
    expect(json.results.map(({ eventId }: { eventId?: string }) => eventId)).toEqual([
      'event-1',
      undefined,
      'e',
      undefined,
    ]);
  });

  it('reports an item that would owe a new user too many awards, with the number and the remedy', async () => {
    http.intake.refuse(() => ({
      kind: 'refused',
      reason: 'too_many_awards',
      eventId: null,
      retryAfterMs: null,
      owed: 492_500,
    }));
    const { json } = await batch([item({ timestamp: '1970-01-01T00:00:00Z' })]);
    expect(json.results).toMatchObject([{ index: 0, status: 422 }]);
    expect(json.results[0].error).toMatch(/^timestamp would owe .* 492500 time awards .*unboundedAwards/);
  });

  it('opens an import with known options and refuses unknown ones', async () => {
    const url = '/admin/v1/imports';
    const open = async (body: unknown) => {
      const { status, json } = await send({ url, body });
      return [status, json];
    };
    const none = { unboundedAwards: false, outgoing: false };
    for (const option of [{ unboundedAwards: true }, { outgoing: true }]) {
      expect(await open(option)).toEqual([201, { opened: true, ...none, ...option }]);
      expect(await open(option)).toEqual([200, { opened: false, ...none, ...option }]);
      const shown = await send({ method: 'GET', url });
      expect(shown.json.open).toMatchObject({ ...none, ...option });
    }
    expect(await open({})).toEqual([201, { opened: true, ...none }]);
    const { json } = await refusedWith('invalid_request', 422, { url, body: { quiet: true } });
    expect(json.error).toContain('quiet');
    for (const body of [{ unboundedAwards: 'yes' }, { outgoing: 'yes' }]) {
      const refused = await refusedWith('invalid_request', 422, { url, body });
      expect(refused.json.errors).toEqual([{ path: Object.keys(body)[0], message: 'must be true or false' }]);
    }
  });

  it('passes on who opens and ends an import, and why', async () => {
    const url = '/admin/v1/imports';
    await send({ url, body: { reason: 'old data' } });
    await send({ url: `${url}/finish`, body: { reason: 'all in' } });
    await send({ url: `${url}/finish`, body: { reason: null } });
    await batch([item({ timestamp: '2020-01-01T00:00:00Z' }), item({})]);
    const by = 'environment';
    expect(http.intake.attributions).toEqual([{ by, reason: 'old data' }, { by, reason: 'all in' }, { by }]);
    expect(http.intake.submitted.map((command) => 'importedBy' in command && command.importedBy)).toEqual([by, false]);
  });

  it.each(['', '/finish'])('is refused with a reason that is too long at /admin/v1/imports%s', async (path) => {
    const asked = { url: `/admin/v1/imports${path}`, body: { reason: '\u{1F33F}'.repeat(1_001) } };
    const { json } = await refusedWith('invalid_request', 422, asked);
    expect(json.errors).toEqual([{ path: 'reason', message: expect.stringContaining('1–1000 characters') }]);
    expect(http.intake.attributions).toEqual([]);
  });

  it('ends its import on request', async () => {
    await batch([item({ timestamp: '2020-01-01T00:00:00Z' })]);
    const finish = { method: 'POST', url: '/admin/v1/imports/finish', headers: { 'x-api-key': KEY } } as const;
    expect((await http.http.fastify.inject(finish)).json()).toEqual({ closed: true });
    expect(await http.http.fastify.inject(finish).then((response) => response.statusCode)).toBe(200);
  });
});

describe('the HTTP server', () => {
  async function exchange(text: string): Promise<{ head: string; body: string }> {
    const { port } = new URL(await http.http.listen(0, '127.0.0.1'));
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    socket.write(text.replaceAll('\n', '\r\n'));
    await once(socket, 'close');
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    return { head, body };
  }

  it.each([
    ['bad HTTP', 'NONSENSE\n\n', 400],
    ['an unknown method', 'FROBNICATE / HTTP/1.1\nHost: x\n\n', 400],
    ['headers without end', `GET / HTTP/1.1\nHost: x\nX: ${'x'.repeat(20_000)}\n\n`, 431],
    ['no Host', 'GET /v1/achievements HTTP/1.1\nConnection: close\n\n', 400],
    ['a malformed escape', 'GET /api/metrics/%zz/event HTTP/1.1\nHost: x\nConnection: close\n\n', 400],
    ['a long path', `GET /${'x'.repeat(15_000)} HTTP/1.1\nHost: x\nConnection: close\n\n`, 404],
    ['a long parameter', `POST /api/metrics/${'x'.repeat(15_000)}/event HTTP/1.1\nHost: x\nConnection: close\n\n`, 401],
    ['an unknown expectation', 'GET / HTTP/1.1\nHost: x\nExpect: wonders\nConnection: close\n\n', 417],
    ['an asterisk', 'OPTIONS * HTTP/1.1\nHost: x\nConnection: close\n\n', 404],
  ])('answers %s with a problem', async (_name, text, status) => {
    const { head, body } = await exchange(text);
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(head.toLowerCase()).toContain('content-type: application/problem+json');
    expect(problem.parse(JSON.parse(body)).status).toBe(status);
  });

  it('decodes %2F only within a path parameter', async () => {
    const { json } = await refusedWith('unknown_metric', 404, { url: '/api/metrics/a%2Fb/event' });
    expect(json.code).toBe('unknown_metric');
    await refusedWith('unknown_path', 404, { url: '/api%2Fmetrics/commits/event' });
  });

  it('never logs the API key', async () => {
    await send();
    await send({ key: 'another-key-that-is-a-secret' });
    expect(http.log.length).toBeGreaterThan(0);
    expect(http.log.join('')).not.toContain(KEY);
    expect(http.log.join('')).not.toContain('another-key-that-is-a-secret');
  });

  it('answers health and readiness checks without a key', async () => {
    for (const url of ['/healthz', '/readyz']) {
      const { statusCode } = await http.http.fastify.inject({ url });
      expect(statusCode).toBe(200);
    }
    expect(http.http.routes.filter(({ scopes }) => scopes === null).map(({ path }) => path)).toEqual([
      '/healthz',
      '/healthz',
      '/readyz',
      '/readyz',
    ]);
  });
});
