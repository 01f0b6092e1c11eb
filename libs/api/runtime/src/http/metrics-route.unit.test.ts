import { Controller, Module } from '@nestjs/common';
import { fullScopeKey } from '../api-keys.ts';
import { createClock } from '../clock.ts';
import type { MetricsAccess } from '../environment/variable-parsers.ts';
import { Health } from '../health.ts';
import { createLogger } from '../logging.ts';
import { Metrics } from '../metrics.ts';
import { createHttpApplication, type HttpApplication } from './application.ts';
import { operation } from './operation.fixture.ts';
import { Route } from './route.ts';

@Controller()
class Echo {
  @Route(operation('get', '/echo/{text}', 'read'))
  answer(): object {
    return {};
  }
}

@Module({})
class TestController {}

const OPENED: HttpApplication[] = [];
afterEach(async () => {
  for (const { close } of OPENED.splice(0)) await close();
});

async function serving(access: MetricsAccess): Promise<HttpApplication['fastify']> {
  const http = await createHttpApplication({
    modules: [{ module: TestController, controllers: [Echo] }],
    keys: fullScopeKey('key', 'acme'),
    health: new Health(createClock({ type: 'system' })),
    metrics: new Metrics('standalone', access),
    logger: createLogger('silent'),
  });
  OPENED.push(http);
  return http.fastify;
}

const FORWARDED = { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1', 'x-real-ip': '127.0.0.1' };

describe('/metrics', () => {
  it.each(['127.0.0.1', '127.8.0.1', '::1', '::ffff:127.0.0.1'])(
    'answers %s, which is this machine, by default in a standalone',
    async (remoteAddress) => {
      const fastify = await serving('local');
      const { statusCode, headers, body } = await fastify.inject({ url: '/metrics', remoteAddress });
      expect([statusCode, headers['content-type']]).toEqual([200, expect.stringMatching(/^text\/plain/)]);
      expect(body).toContain('process_cpu_seconds_total{process="standalone"}');
    },
  );

  it.each(['10.0.0.7', '192.168.1.1', '::ffff:10.0.0.7', 'fe80::1', '2001:db8::1'])(
    'refuses %s, whatever its headers say',
    async (remoteAddress) => {
      const fastify = await serving('local');
      const { statusCode, body } = await fastify.inject({ url: '/metrics', remoteAddress, headers: FORWARDED });
      expect([statusCode, JSON.parse(body)]).toEqual([403, expect.objectContaining({ code: 'forbidden' })]);
      expect(body).toContain('LAUREL_METRICS=public');
    },
  );

  it('answers everybody when it is public, and nobody when it is off', async () => {
    const remoteAddress = '10.0.0.7';
    const shown = await (await serving('public')).inject({ url: '/metrics', remoteAddress });
    expect(shown.statusCode).toBe(200);
    const off = await (await serving('off')).inject({ url: '/metrics' });
    expect([off.statusCode, off.json()]).toEqual([404, expect.objectContaining({ code: 'unknown_path' })]);
  });

  it('counts answers by method, route template and status, never by path', async () => {
    const fastify = await serving('local');
    const ask = (url: string, key = 'key') => fastify.inject({ url, headers: { 'x-api-key': key } });
    for (let id = 0; id < 50; id++) await ask(`/echo/${id}`);
    await ask('/echo/a', 'another');
    for (let id = 0; id < 50; id++) await ask(`/nothing/${id}`);
    const { body } = await ask('/metrics');
    const counted = [...body.matchAll(/^laurel_http_response_seconds_count\{(.*)\} (\d+)$/gm)].map(
      ([, labels, count]) => [labels?.replace(/,process="standalone"|process="standalone",?/, ''), Number(count)],
    );
    expect(counted).toEqual([
      ['method="GET",route="/echo/:text",status="200"', 50],
      ['method="GET",route="/echo/:text",status="401"', 1],
      ['method="any",route="none",status="404"', 50],
    ]);
  });
});
