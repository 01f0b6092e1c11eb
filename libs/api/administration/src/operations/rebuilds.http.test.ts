import { Health, createHttpApplication, createLogger, generateApiKey, type HttpApplication } from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { AdministrationModule } from '../administration-module.ts';
import type { AdministrationPorts, Rebuilds } from '../ports.ts';

const ADMIN = generateApiKey();
const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

let http: HttpApplication | null = null;
afterEach(() => http?.close());

async function ask(rebuilds: Rebuilds | null, method: 'GET' | 'POST', path: string) {
  const clock = new ManualClock();
  const ports = { rebuilds, clock } as unknown as AdministrationPorts;
  http = await createHttpApplication({
    modules: [AdministrationModule.register(ports)],
    keys: { find: () => ({ account: 'default', by: 'the-key', scopes: new Set(['admin'] as const) }) },
    health: new Health(clock),
    logger: createLogger('silent'),
    clock,
  });
  const response = await http.fastify.inject({
    method,
    url: `/admin/v1/rebuilds${path}`,
    headers: { 'x-api-key': ADMIN, ...(method === 'POST' && { 'content-type': 'application/json' }) },
    ...(method === 'POST' && { payload: '{"areas":["points"]}' }),
  });
  return { status: response.statusCode, json: response.json<Record<string, unknown>>() };
}

describe('rebuilds in a process without read models', () => {
  it('are refused with the name of the program that can run them', async () => {
    const { status, json } = await ask(null, 'POST', '');
    expect(status).toBe(422);
    expect(json['error']).toMatch(/^areas cannot be rebuilt from here: run `rebuild` of the service that owns them/);
  });

  it('are unknown by their id', async () => {
    expect((await ask(null, 'GET', `/${ID}`)).status).toBe(404);
  });
});

it('a rebuild starts with the requested areas', async () => {
  const asked: unknown[] = [];
  const rebuild = { id: ID } as ReturnType<Rebuilds['start']>;
  const rebuilds: Rebuilds = { start: (areas) => (asked.push(areas), rebuild), find: () => rebuild };
  expect(await ask(rebuilds, 'POST', '')).toEqual({ status: 202, json: { id: ID } });
  expect(asked).toEqual([['points']]);
});
