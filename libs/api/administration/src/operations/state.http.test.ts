import { Health, createHttpApplication, createLogger, generateApiKey } from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { AdministrationModule } from '../administration-module.ts';
import type { AdministrationPorts } from '../ports.ts';

/** Turns of the event loop in which an export that has begun would go on. */
const TURNS = 10;

async function ask(method: 'GET' | 'HEAD') {
  let read = 0;
  async function* state(): AsyncGenerator<string> {
    for (; read < 3; read++) yield await Promise.resolve(`${read}\n`);
  }
  const clock = new ManualClock();
  const http = await createHttpApplication({
    modules: [AdministrationModule.register({ operations: { state }, clock } as unknown as AdministrationPorts)],
    keys: { find: () => ({ account: 'default', by: 'the-key', scopes: new Set(['admin'] as const) }) },
    health: new Health(clock),
    logger: createLogger('silent'),
    clock,
  });
  const headers = { 'x-api-key': generateApiKey() };
  const { statusCode, body } = await http.fastify.inject({ method, url: '/admin/v1/state', headers });
  for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
  await http.close();
  return { statusCode, body, read };
}

describe('the state of an account', () => {
  it('is streamed in chunks', async () => {
    expect(await ask('GET')).toEqual({ statusCode: 200, body: '0\n1\n2\n', read: 3 });
  });

  it('is not read for HEAD', async () => {
    expect(await ask('HEAD')).toEqual({ statusCode: 200, body: '', read: 0 });
  });
});
