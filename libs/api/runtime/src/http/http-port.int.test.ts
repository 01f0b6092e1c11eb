import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo } from 'node:net';
import { operations, problem } from '@laurel/schemas';
import { createClock } from '../clock.ts';
import { Health } from '../health.ts';
import { createLogger } from '../logging.ts';
import { createHttpApplication } from './application.ts';
import { HttpPort } from './http-port.ts';
import { routeOf } from './route.ts';

const clock = createClock({ type: 'system' });
const logger = createLogger('silent');
const open = (port = 0, basePath = '') => HttpPort.open({ port, host: '127.0.0.1', clock, logger, basePath });

const application = (port: HttpPort) =>
  createHttpApplication({
    modules: [],
    keys: { find: () => 'unknown' as const },
    health: new Health(clock),
    logger,
    port,
    install: (fastify) =>
      void fastify.route({ ...routeOf(operations.getOpenApiDocument), handler: async () => ({ served: true }) }),
  });

async function ask(url: string, path: string, agent?: Agent, method = 'GET') {
  const asked = request(new URL(path, url), { method, ...(agent && { agent }) });
  asked.end(method === 'POST' ? '{"user":{"id":"ada"},"value":1}' : undefined);
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const { port } = response.socket.address() as AddressInfo & { readonly port: number };
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = String(Buffer.concat(chunks));
  return { status: response.statusCode, headers: response.headers, json: text === '' ? null : JSON.parse(text), port };
}

describe('a port while the process starts', () => {
  it('answers every request with 503 and the current step, and /healthz with 200', async () => {
    const port = await open();
    port.starting('opening the database');
    for (const [method, path] of [
      ['GET', '/'],
      ['POST', '/v1/metrics/lessons/event'],
      ['GET', '/admin/v1/status'],
      ['GET', '/healthz/x'],
    ] as const) {
      const { status, headers, json } = await ask(port.url, path, undefined, method);
      expect([status, headers['retry-after'], headers['content-type']]).toEqual([
        503,
        '1',
        'application/problem+json; charset=utf-8',
      ]);
      expect(problem.parse(json)).toMatchObject({
        code: 'starting',
        detail: 'The service is starting: opening the database, for 0 s.',
      });
    }
    expect(await ask(port.url, '/healthz?x')).toMatchObject({ status: 200, json: { status: 'alive' } });
    expect(await ask(port.url, '/healthz', undefined, 'HEAD')).toMatchObject({ status: 200, json: null });
    expect(await ask(port.url, '/readyz')).toMatchObject({
      status: 503,
      json: {
        code: 'starting',
        components: { start: { ok: false, detail: { step: 'opening the database', seconds: 0 } } },
      },
    });
    await port.close();
  });

  it('serves below the public path and uses it in error links', async () => {
    const port = await open(0, '/laurel');
    expect(await ask(port.url, '/laurel/healthz')).toMatchObject({ status: 200 });
    expect(await ask(port.url, '/')).toMatchObject({ json: { type: '/laurel/docs/errors#starting' } });
    await port.close();
  });

  it('is refused at once when it is in use, with the variable to change', async () => {
    const busy = createServer().listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const { port } = busy.address() as AddressInfo;
    await expect(open(port)).rejects.toThrow(`port ${port} of 127.0.0.1 is in use; set LAUREL_PORT to another`);
    busy.close();
  });

  it('can be closed while a connection is open that has sent nothing', async () => {
    const port = await open();
    const silent = connect(Number(new URL(port.url).port), '127.0.0.1');
    await once(silent, 'connect');
    const ended = once(silent, 'close');
    await port.close();
    await ended;
  });

  it('can be closed before anything was served', async () => {
    const port = await open();
    const agent = new Agent({ keepAlive: true });
    await ask(port.url, '/readyz', agent);
    await port.close();
    await expect(ask(port.url, '/readyz')).rejects.toThrow('ECONNREFUSED');
    agent.destroy();
  });
});

describe('the application on an open port', () => {
  it('takes over on the same connection', async () => {
    const port = await open();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const before = await ask(port.url, '/openapi.json', agent);
    const http = await application(port);
    expect((await ask(port.url, '/openapi.json', agent)).json).toMatchObject({ code: 'starting' });
    expect(await http.listen(1, 'ignored')).toBe(port.url);
    const after = await ask(port.url, '/openapi.json', agent);
    expect([before.status, after.status, after.json]).toEqual([503, 200, { served: true }]);
    expect(after.port).toBe(before.port);
    agent.destroy();
    await http.close();
  });

  it('drops no request and no connection while it takes over', async () => {
    const port = await open();
    const agent = new Agent({ keepAlive: true, maxSockets: 8 });
    let stopped = false;
    const statuses: (number | undefined)[] = [];
    const client = async () => {
      while (!stopped) statuses.push((await ask(port.url, '/openapi.json', agent)).status);
    };
    const clients = Promise.all(Array.from({ length: 8 }, client));
    while (statuses.length < 8) await new Promise((resolve) => setImmediate(resolve));
    const http = await application(port);
    await http.listen(0, '127.0.0.1');
    while (statuses.at(-1) !== 200) await new Promise((resolve) => setImmediate(resolve));
    stopped = true;
    await clients;
    expect(new Set(statuses)).toEqual(new Set([503, 200]));
    expect(statuses.lastIndexOf(503)).toBeLessThan(statuses.indexOf(200) + 8);
    agent.destroy();
    await http.close();
  });

  it('closes together with the port once running requests are answered', async () => {
    const port = await open();
    const http = await application(port);
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await http.listen(0, '127.0.0.1');
    const listeners = port.server.listeners('request') as ((...given: unknown[]) => void)[];
    port.server.removeAllListeners('request');
    port.server.on('request', (...given) => void held.then(() => listeners.forEach((listener) => listener(...given))));
    const asked = ask(port.url, '/openapi.json');
    await once(port.server, 'request');
    const closed = http.close();
    answer();
    expect((await asked).status).toBe(200);
    await closed;
    await expect(ask(port.url, '/openapi.json')).rejects.toThrow('ECONNREFUSED');
  });
});
