import { Controller, Module } from '@nestjs/common';
import { type ApiKeys, fullScope, generateApiKey, hashApiKey } from '../api-keys.ts';
import { createClock } from '../clock.ts';
import { Health } from '../health.ts';
import { createLogger } from '../logging.ts';
import { createHttpApplication, type HttpApplication } from './application.ts';
import { operation } from './operation.fixture.ts';
import { Route } from './route.ts';

@Controller()
class TestController {
  @Route(operation('get', '/door', 'read'))
  read(): object {
    return {};
  }

  @Route(operation('delete', '/door', 'admin'))
  shut(): object {
    return {};
  }
}

@Module({ controllers: [TestController] })
class TestHttpModule {}

describe('a caller without a valid key', () => {
  let http: HttpApplication;
  beforeAll(async () => {
    const refused = new Map([
      [hashApiKey('revoked key'), 'revoked'],
      [hashApiKey('expired key'), 'expired'],
    ] as const);
    const find: ApiKeys['find'] = (hash) =>
      hash === hashApiKey('good key') ? fullScope('acme', 'a-key') : (refused.get(hash) ?? 'unknown');
    http = await createHttpApplication({
      modules: [{ module: TestHttpModule }],
      keys: { find: (hash) => Promise.resolve(find(hash)) },
      health: new Health(createClock({ type: 'system' })),
      logger: createLogger('silent'),
    });
  });
  afterAll(() => http.close());

  const key = generateApiKey();

  it.each([
    ['no key', {}, 'The header X-API-KEY is missing.'],
    ['an empty one', { 'x-api-key': '' }, 'The header X-API-KEY is missing.'],
    [
      'one in Authorization',
      { authorization: 'Bearer good key' },
      'The header X-API-KEY is missing; Authorization (such as Bearer) is not read.',
    ],
    ['an unknown one', { 'x-api-key': 'another key' }, 'The API key in X-API-KEY is unknown.'],
    ['one that was never made', { 'x-api-key': key }, 'The API key in X-API-KEY is unknown.'],
    [
      'one that was cut off',
      { 'x-api-key': key.slice(0, -1) },
      'The API key in X-API-KEY is unknown: its checksum is wrong, so it was mistyped or cut off.',
    ],
    ['a revoked one', { 'x-api-key': 'revoked key' }, 'The API key in X-API-KEY was revoked.'],
    ['an expired one', { 'x-api-key': 'expired key' }, 'The API key in X-API-KEY has expired.'],
  ])('is told what is wrong with it: %s', async (_, headers, error) => {
    const { statusCode, body } = await http.fastify.inject({ url: '/door', headers });
    expect([statusCode, JSON.parse(body)]).toEqual([401, expect.objectContaining({ code: 'unauthorized', error })]);
    expect(body).not.toContain('another key');
    expect(body).not.toContain(key.slice(0, -1));
  });

  it('is told nothing when the key is valid', async () => {
    expect((await http.fastify.inject({ url: '/door', headers: { 'x-api-key': 'good key' } })).statusCode).toBe(200);
  });
});

describe('a caller with a cookie', () => {
  const GOOD = 'good'.padEnd(43, '-');
  const served = async (sessions: boolean) => {
    const find = (token: string) =>
      Promise.resolve(token === GOOD ? { ...fullScope('acme', 'a-key'), scopes: new Set(['read' as const]) } : null);
    return createHttpApplication({
      modules: [{ module: TestHttpModule }],
      keys: { find: () => 'unknown' },
      ...(sessions && {
        sessions: { sessions: { find, isOpen: () => Promise.resolve(true) }, publicUrl: 'https://laurel.example' },
      }),
      health: new Health(createClock({ type: 'system' })),
      logger: createLogger('silent'),
    });
  };
  let http: HttpApplication;
  beforeAll(async () => {
    http = await served(true);
  });
  afterAll(() => http.close());
  const ask = async (method: 'GET' | 'DELETE', headers: Record<string, string>) => {
    const { statusCode, body } = await http.fastify.inject({ method, url: '/door', headers });
    return [statusCode, JSON.parse(body).error];
  };
  const cookie = `laurel_session=${GOOD}`;

  it('may do what the session may', async () => {
    expect(await ask('GET', { cookie })).toEqual([200, undefined]);
    expect(await ask('DELETE', { cookie, 'sec-fetch-site': 'same-origin' })).toEqual([
      403,
      'The API key lacks the scope admin.',
    ]);
  });

  it('is told that the session has ended', async () => {
    expect(await ask('GET', { cookie: `laurel_session=${'old'.padEnd(43, '-')}` })).toEqual([
      401,
      'The session has ended. Sign in again.',
    ]);
  });

  it('cannot change anything from a page of another site', async () => {
    for (const origin of ['https://evil.example', 'http://laurel.example'])
      expect(await ask('DELETE', { cookie, origin })).toEqual([403, expect.stringContaining('page of this service')]);
    expect(await ask('DELETE', { cookie, origin: 'https://laurel.example' })).toEqual([
      403,
      expect.stringContaining('scope admin'),
    ]);
  });

  it('is identified by the key when the request has both', async () => {
    expect(await ask('GET', { cookie, 'x-api-key': 'another' })).toEqual([401, expect.stringContaining('is unknown')]);
  });

  it('is refused by a service without sessions', async () => {
    const without = await served(false);
    const { statusCode } = await without.fastify.inject({ url: '/door', headers: { cookie } });
    await without.close();
    expect(statusCode).toBe(401);
  });
});
