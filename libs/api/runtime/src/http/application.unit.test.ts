import { Module } from '@nestjs/common';
import { Controller, Get } from '@nestjs/common';
import { ExactNumber } from '@laurel/schemas';
import { fullScopeKey } from '../api-keys.ts';
import { createClock } from '../clock.ts';
import { Health } from '../health.ts';
import { createLogger } from '../logging.ts';
import { createHttpApplication } from './application.ts';
import { type ApiCall, Call } from './call.ts';
import { operation } from './operation.fixture.ts';
import { Route } from './route.ts';

@Controller()
class Forgotten {
  @Get('forgotten')
  answer(): string {
    return 'open to everybody';
  }
}

@Controller()
class Echo {
  @Route(operation('get', '/echo/{text}', 'read'))
  answer(@Call() { account, path: { text } }: ApiCall<'text'>): object {
    return { account, text, exact: new ExactNumber('12345678901234567890.123456') };
  }
}

@Module({})
class TestController {}

const health = () => new Health(createClock({ type: 'system' }));
const start = (controllers: (typeof Forgotten | typeof Echo)[], checks = health()) =>
  createHttpApplication({
    modules: [{ module: TestController, controllers }],
    keys: fullScopeKey('key', 'acme'),
    health: checks,
    logger: createLogger('silent'),
  });

describe('the HTTP application', () => {
  it('does not start with a route that has no operation', async () => {
    await expect(start([Forgotten])).rejects.toThrow('/forgotten serves no operation');
  });

  it('decodes parameters, passes on the account and writes exact numbers', async () => {
    const { fastify, close } = await start([Echo]);
    const { body, headers } = await fastify.inject({ url: '/echo/a%2Fb%2525', headers: { 'x-api-key': 'key' } });
    expect(body).toBe('{"account":"acme","text":"a/b%25","exact":12345678901234567890.123456}');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    await close();
  });

  it('answers /readyz with a problem that says which component is not ready', async () => {
    const checks = health();
    checks.register('points', () => ({ ok: false, detail: { stoppedAt: 12 } }));
    checks.note('tzData', '2025c');
    const { fastify, close } = await start([], checks);
    const response = await fastify.inject({ url: '/readyz' });
    expect(response.statusCode).toBe(503);
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(response.json()).toMatchObject({
      code: 'unavailable',
      error: 'Not ready: points.',
      components: { points: { ok: false, detail: { stoppedAt: 12 } } },
      tzData: '2025c',
    });
    expect((await fastify.inject({ url: '/healthz' })).statusCode).toBe(200);
    await close();
  });

  it('answers /healthz with a problem that says why the process must be restarted', async () => {
    const checks = health();
    let reason: string | null = 'not in its group';
    checks.registerLiveness(() => reason);
    const { fastify, close } = await start([], checks);
    const response = await fastify.inject({ url: '/healthz' });
    expect(response.statusCode).toBe(503);
    expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    expect(response.json()).toMatchObject({
      code: 'unavailable',
      error: 'This process has to be restarted: not in its group.',
    });
    reason = null;
    const alive = await fastify.inject({ url: '/healthz' });
    expect([alive.statusCode, alive.json()]).toEqual([200, { status: 'alive' }]);
    await close();
  });
});
