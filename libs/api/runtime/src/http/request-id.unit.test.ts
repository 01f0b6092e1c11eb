import { Controller, Module } from '@nestjs/common';
import { fullScopeKey } from '../api-keys.ts';
import { createClock } from '../clock.ts';
import { Health } from '../health.ts';
import { createLogger } from '../logging.ts';
import { createHttpApplication, type HttpApplication } from './application.ts';
import { operation } from './operation.fixture.ts';
import { Route } from './route.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

@Controller()
class Faulty {
  @Route(operation('get', '/faulty', 'read'))
  answer(): never {
    throw new Error('a bug');
  }
}

@Module({})
class TestController {}

describe('the id of a request', () => {
  let http: HttpApplication;
  let log: string[];
  beforeEach(async () => {
    log = [];
    http = await createHttpApplication({
      modules: [{ module: TestController, controllers: [Faulty] }],
      keys: fullScopeKey('key', 'acme'),
      health: new Health(createClock({ type: 'system' })),
      logger: createLogger('error', { write: (line) => void log.push(line) }),
    });
  });
  afterEach(() => http.close());

  const idFor = async (url: string, id?: string, key = 'key') => {
    const headers = { 'x-api-key': key, ...(id !== undefined && { 'x-request-id': id }) };
    return (await http.fastify.inject({ url, headers })).headers['x-request-id'];
  };

  it.each(['7f3a', 'a.b:c/d+e=f-g_h', 'x'.repeat(128)])('is the valid id that the caller sent: %s', async (id) => {
    expect(await idFor('/healthz', id)).toBe(id);
  });

  it.each(['', 'x'.repeat(129), 'two words', '"quoted"', '<b>'])('is generated when the caller sent %j', async (id) => {
    expect(await idFor('/healthz', id)).toMatch(UUID);
  });

  it('differs for each request', async () => {
    expect(await idFor('/healthz')).not.toBe(await idFor('/healthz'));
  });

  it('is part of the answer to a refused request', async () => {
    expect(await idFor('/nothing', 'a')).toBe('a');
    expect(await idFor('/faulty', 'b', 'another')).toBe('b');
    expect(await idFor('/%zz', 'c')).toBe('c');
  });

  it('is part of the log line of an error', async () => {
    expect(await idFor('/faulty', 'order-17')).toBe('order-17');
    expect(JSON.parse(log.at(-1) ?? '{}')).toMatchObject({ requestId: 'order-17', msg: 'request failed' });
  });
});
