import { Controller, Module, Req } from '@nestjs/common';
import type { Clock } from '@laurel/ports';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type ApiKeys, hashApiKey, type Principal } from '../api-keys.ts';
import { createClock } from '../clock.ts';
import { Health } from '../health.ts';
import { createLogger } from '../logging.ts';
import { createHttpApplication, type HttpApplication } from './application.ts';
import { jsonBody } from './json-body.ts';
import { RateLimits } from './rate-limits.ts';
import { operation } from './operation.fixture.ts';
import { Route } from './route.ts';

let reached = 0;

@Controller()
class TestController {
  @Route(operation('get', '/read', 'read'))
  read(): object {
    reached += 1;
    return {};
  }

  @Route(operation('post', '/ingest', 'ingest'))
  ingest(@Req() request: FastifyRequest): object {
    reached += 1;
    return jsonBody(request);
  }

  @Route(operation('get', '/fail', 'read'))
  fail(): never {
    throw new Error('a bug');
  }

  @Route(operation('get', '/admin', 'admin'))
  admin(): object {
    return {};
  }
}

@Module({ controllers: [TestController] })
class TestHttpModule {}

const limited = (keyId: string, requestsPerMinute: number): Principal => ({
  account: 'acme',
  by: keyId,
  scopes: new Set(['read', 'ingest'] as const),
  rateLimit: { keyId, requestsPerMinute },
});

describe('a key with a rate limit', () => {
  let elapsedMs: number;
  let application: HttpApplication;

  beforeEach(async () => {
    reached = 0;
    elapsedMs = 1_234.567;
    const clock: Clock = { ...createClock({ type: 'system' }), elapsedMs: () => elapsedMs };
    const principals = new Map<string, Principal>([
      [hashApiKey('three'), limited('a', 3)],
      [hashApiKey('also three'), limited('b', 3)],
      [hashApiKey('free'), { account: 'acme', by: 'c', scopes: new Set(['read']) }],
    ]);
    const keys: ApiKeys = { find: (hash) => principals.get(hash) ?? 'unknown' };
    application = await createHttpApplication({
      modules: [{ module: TestHttpModule }],
      keys,
      health: new Health(clock),
      logger: createLogger('silent'),
      clock,
    });
  });
  afterEach(() => application.close());

  const ask = async (key: string, url = '/read', text?: string) => {
    const { statusCode, headers, json } = await application.fastify.inject({
      method: text === undefined ? 'GET' : 'POST',
      url,
      headers: { 'x-api-key': key, ...(text !== undefined && { 'content-type': 'application/json' }) },
      ...(text !== undefined && { payload: text }),
    });
    const { ratelimit, 'ratelimit-policy': policy, 'retry-after': retryAfter } = headers;
    return { status: statusCode, ratelimit, policy, retryAfter, json: json<unknown>() };
  };

  it('sees the remaining requests in every answer, and 429 when there are none', async () => {
    const policy = '"default";q=3;w=60';
    expect(await ask('three')).toMatchObject({ status: 200, policy, ratelimit: '"default";r=2;t=20' });
    expect(await ask('three', '/ingest', '{')).toMatchObject({ status: 400, policy, ratelimit: '"default";r=1;t=40' });
    expect(await ask('three', '/fail')).toMatchObject({ status: 500, policy, ratelimit: '"default";r=0;t=60' });
    const refused = await ask('three');
    expect(refused).toMatchObject({ status: 429, policy, ratelimit: '"default";r=0;t=60', retryAfter: '20' });
    expect(refused.json).toMatchObject({
      status: 429,
      code: 'rate_limited',
      error: expect.stringContaining('3 requests'),
    });
    expect(reached).toBe(1);
  });

  it('succeeds again as soon as Retry-After has passed, not before', async () => {
    for (let request = 0; request < 3; request++) await ask('three');
    elapsedMs += 19_999;
    expect(await ask('three')).toMatchObject({ status: 429, retryAfter: '1' });
    elapsedMs += 1;
    expect(await ask('three')).toMatchObject({ status: 200, ratelimit: '"default";r=0;t=60' });
    expect(await ask('three')).toMatchObject({ status: 429, retryAfter: '20' });
    elapsedMs += 3_600_000;
    expect(await ask('three')).toMatchObject({ status: 200, ratelimit: '"default";r=2;t=20' });
  });

  it('is not charged for forbidden or refused requests', async () => {
    for (let request = 0; request < 5; request++)
      expect(await ask('three', '/admin')).toMatchObject({ status: 403, ratelimit: '"default";r=3;t=0' });
    for (let request = 0; request < 3; request++) expect((await ask('three')).status).toBe(200);
    for (let request = 0; request < 5; request++) expect((await ask('three')).retryAfter).toBe('20');
    expect(await ask('three', '/admin')).toMatchObject({ status: 403, ratelimit: '"default";r=0;t=60' });
  });

  it('is refused before any of the body is read', async () => {
    for (let request = 0; request < 3; request++) await ask('three', '/ingest', '{}');
    expect(await ask('three', '/ingest', '{')).toMatchObject({ status: 429 });
    expect(reached).toBe(3);
  });

  it('is counted separately from other keys', async () => {
    for (let request = 0; request < 4; request++) await ask('three');
    expect(await ask('also three')).toMatchObject({ status: 200, ratelimit: '"default";r=2;t=20' });
    const free = await ask('free');
    expect(free).toMatchObject({ status: 200 });
    expect([free.policy, free.ratelimit]).toEqual([undefined, undefined]);
  });

  it('is forgotten once its bucket is full again', () => {
    let now = 0;
    const limits = new RateLimits({ elapsedMs: () => now });
    const reply = { header: () => reply } as unknown as FastifyReply;
    for (let key = 0; key < 1_000; key++) {
      now += 1_000;
      limits.admit(reply, { keyId: 'steady', requestsPerMinute: 100 });
      limits.admit(reply, { keyId: `k${key}`, requestsPerMinute: 1 });
    }
    expect(limits.size).toBe(61);
    expect(limits.admit(reply, { keyId: 'k999', requestsPerMinute: 1 })).toMatchObject({ status: 429 });
  });
});
