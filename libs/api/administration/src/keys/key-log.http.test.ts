import type { ApiKeyAnswer } from '@laurel/schemas';
import { createHttpApplication, createLogger, generateApiKey, Health, type HttpApplication } from '@laurel/runtime';
import { ManualClock } from '@laurel/testing/clock';
import { AdministrationModule } from '../administration-module.ts';
import type { AdministrationPorts } from '../ports.ts';

const ADMIN = generateApiKey();
const SECRET = generateApiKey();
const ID = '3fa85f64-5717-4562-b3fc-2c963f66afa6';

const answer = (revoked: boolean) =>
  ({ id: ID, label: 'till', scopes: ['ingest'], revoked }) as unknown as ApiKeyAnswer;

describe('the log of keys', () => {
  let http: HttpApplication;
  let log: string[];
  beforeEach(async () => {
    log = [];
    const clock = new ManualClock();
    const logger = createLogger('info', { write: (line) => void log.push(line) });
    const keys = {
      list: () => Promise.resolve([answer(false)]),
      create: () => Promise.resolve({ ...answer(false), key: SECRET }),
      revoke: (_account: string, id: string) => Promise.resolve(id === ID ? answer(true) : null),
    };
    http = await createHttpApplication({
      modules: [AdministrationModule.register({ keys, clock, logger } as unknown as AdministrationPorts)],
      keys: { find: () => ({ account: 'default', by: 'the-key', scopes: new Set(['admin'] as const) }) },
      health: new Health(clock),
      logger: createLogger('silent'),
      clock,
    });
  });
  afterEach(() => http.close());

  const ask = async (method: 'GET' | 'POST' | 'DELETE', path = '', payload?: object) => {
    const headers = { 'x-api-key': ADMIN, 'x-request-id': 'r-1' };
    const url = `/admin/v1/keys${path}`;
    return (await http.fastify.inject({ method, url, headers, ...(payload && { payload }) })).statusCode;
  };

  it('has a line for each created or revoked key, and never the key', async () => {
    expect(await ask('POST', '', { label: 'till', scopes: ['ingest'], reason: 'a till' })).toBe(201);
    expect(await ask('DELETE', `/${ID}?reason=left%20the%20company`)).toBe(200);
    expect(await ask('DELETE', '/another')).toBe(404);
    expect(await ask('GET')).toBe(200);
    const lines = log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const about = { requestId: 'r-1', account: 'default', keyId: ID, label: 'till' };
    expect(lines).toEqual([
      expect.objectContaining({
        ...about,
        msg: 'API key created',
        scopes: ['ingest'],
        by: 'the-key',
        reason: 'a till',
      }),
      expect.objectContaining({ ...about, msg: 'API key revoked', by: 'the-key', reason: 'left the company' }),
    ]);
    for (const secret of [SECRET, ADMIN]) expect(log.join('')).not.toContain(secret);
  });

  it.each([
    ['POST', '', { label: 'till', scopes: ['ingest'], reason: 'x'.repeat(1_001) }],
    ['DELETE', `/${ID}?reason=${'x'.repeat(1_001)}`, undefined],
    ['DELETE', `/${ID}?reason=`, undefined],
  ] as const)('has no line when the reason is refused: %s', async (method, path, body) => {
    expect(await ask(method, path, body)).toBe(422);
    expect(log).toEqual([]);
  });
});
