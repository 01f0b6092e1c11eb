import { execFile } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { askOf } from './testing/ask.ts';
import { serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LOADER = fileURLToPath(new URL('../../../libs/testing/src/typescript-loader.mjs', import.meta.url));
const run = promisify(execFile);

const SOURCES = ['--no-warnings', '--conditions=@laurel/source', '--import', LOADER];
const EXAMPLES: readonly (readonly [string, string, readonly string[]])[] = [
  ['TypeScript', process.execPath, [...SOURCES, 'examples/typescript/shop.ts']],
  ['Python', 'python3', ['examples/python/shop.py']],
];

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }], freezes: { initial: 1, max: 2 } }
points:
  - { key: gems, name: Gems, triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }] }
`;

/** A proxy that loses the first answer to each request with a key, and answers the second one with 503. */
async function losingAnswers(target: string) {
  const calls = new Map<string, number>();
  const proxy = createServer((request, response) => void forward(request, response));
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { url = '', method = 'GET', headers } = request;
    const { 'x-api-key': apiKey, 'idempotency-key': key } = headers;
    const attempt = key === undefined ? 3 : (calls.get(`${url} ${String(key)}`) ?? 0) + 1;
    calls.set(`${url} ${String(key)}`, attempt);
    const body = await text(request);
    if (attempt === 2) {
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '0' });
      response.end(JSON.stringify({ code: 'spend_undecided', detail: 'It cannot be decided yet.' }));
      return;
    }
    const answer = await fetch(`${target}${url}`, {
      method,
      headers: {
        'x-api-key': String(apiKey),
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': String(key) }),
      },
      ...(body !== '' && { body }),
    });
    if (attempt === 1) {
      request.socket.destroy();
      return;
    }
    response.writeHead(answer.status, { 'content-type': 'application/json' });
    response.end(await answer.text());
  };
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    get lost() {
      return calls.size;
    },
    close: () => new Promise<void>((resolve) => void proxy.close(() => resolve()).closeAllConnections()),
  };
}

describe.each(EXAMPLES)('the shop in %s', (_language, program, words) => {
  let served: Served;
  const ask = askOf(() => served);

  const gemsOf = async (user: string) =>
    (await ask<{ readonly total: number }>(`/v1/users/${user}/points/gems`)).answer.total;

  beforeAll(async () => {
    served = await serveOnFreshDatabase(CONFIGURATION);
    await ask('/v1/metrics/lessons/event', { user: { id: 'ada' }, value: 10 });
  });
  afterAll(async () => {
    await served?.close();
  });

  const shop = (apiKey: string, user = 'ada', url = served.baseUrl) => {
    const env = { ...process.env, NODE_OPTIONS: '', PYTHONIOENCODING: 'utf-8' };
    return run(program, [...words, user], { cwd: ROOT, env: { ...env, LAUREL_URL: url, LAUREL_API_KEY: apiKey } });
  };

  it('sells, refunds and refuses, and sells nothing again in a second run', async () => {
    const first = (await shop(served.apiKey)).stdout;
    expect(first.trim().split('\n')).toEqual([
      'a hat: sold',
      'cancelled: 30 gems given back',
      'a freeze: sold',
      'a freeze: refused, the user holds the maximum',
      'everything: refused, 99920 gems are missing',
    ]);
    expect((await shop(served.apiKey)).stdout).toBe(first);
    expect(await gemsOf('ada')).toBe(80);
    expect((await ask<{ readonly freezes: number }>('/v1/users/ada/streak')).answer.freezes).toBe(2);
  });

  it('takes nothing twice if answers are lost, or the verdict is not known at once', async () => {
    await ask('/v1/metrics/lessons/event', { user: { id: 'cara' }, value: 10 });
    const proxy = await losingAnswers(served.baseUrl);
    try {
      const { stdout } = await shop(served.apiKey, 'cara', proxy.url);
      expect(stdout.trim().split('\n').slice(0, 3)).toEqual([
        ...['a hat: sold', 'cancelled: 30 gems given back', 'a freeze: sold'],
      ]);
    } finally {
      await proxy.close();
    }
    expect(proxy.lost).toBeGreaterThan(4);
    expect(await gemsOf('cara')).toBe(80);
  });

  it('prints why a request is refused', async () => {
    await expect(shop(served.apiKey, 'bea')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('unknown_user'),
    });
  });
});
