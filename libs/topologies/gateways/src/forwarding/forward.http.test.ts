import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Credential } from '@laurel/runtime';
import Fastify, { type FastifyInstance } from 'fastify';
import { forwardToOutgoing, forwardToWorking } from './forward.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly key: unknown;
  /** What it says of the page that it comes from. */
  readonly from: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Resolves once the connection, or its request, is over before it was answered. */
  readonly cut: Promise<unknown>;
}

let upstream: Server;
let gateway: FastifyInstance;
let url: string;
let seen: Seen[];
/** Whom the guard has let in; null: it was not asked. */
let caller: Credential | null;
/** How the other process answers. */
let answer: (response: ServerResponse) => void;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

beforeEach(async () => {
  seen = [];
  caller = null;
  answer = (response) => void response.writeHead(201, { 'laurel-cursor': '7' }).end('made');
  upstream = createServer((request, response) => {
    const cut = once(response, 'close').then(() => response.writableFinished === false);
    void textOf(request).then((body) => {
      const { method, headers } = request;
      const from = { site: headers['sec-fetch-site'], origin: headers.origin };
      seen.push({ method, url: request.url, key: headers['x-api-key'], from, body, cut });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  gateway = Fastify();
  gateway.decorate('basePath', '/laurel');
  gateway.decorateRequest('credential', null);
  gateway.addHook('onRequest', async (request) => void (request.credential = caller));
  gateway.setErrorHandler((error: Error, _, reply) => reply.code(503).send(error.name));
});
afterEach(async () => {
  upstream.closeAllConnections();
  upstream.close();
  await gateway.close();
});

async function listen(): Promise<void> {
  url = await gateway.listen({ port: 0, host: '127.0.0.1' });
}

async function untilSeen(count: number): Promise<void> {
  while (seen.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Asks, and goes without waiting for the answer once the other process has been asked. */
async function askAndGo(method: string, path: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: k\r\ncontent-length: 0\r\n\r\n`);
  await untilSeen(1);
  socket.destroy();
}

describe('a request forwarded to the outgoing service', () => {
  beforeEach(async () => {
    await gateway.register(forwardToOutgoing(`http://127.0.0.1:${portOf(upstream)}/inside/`));
    await listen();
  });

  it('arrives there unchanged, and its answer is returned unchanged', async () => {
    const headers = { 'x-api-key': 'k', 'content-type': 'application/json' };
    const path = '/admin/v1/webhooks/a%2Fb/replay?x=%20';
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: '{"from":1}' });
    expect([response.status, response.headers.get('laurel-cursor'), await response.text()]).toEqual([201, '7', 'made']);
    expect(seen).toMatchObject([{ method: 'POST', url: `/inside${path}`, key: 'k', body: '{"from":1}' }]);
  });

  it('is cancelled when it is a read and its caller leaves', async () => {
    answer = () => undefined;
    await askAndGo('GET', '/admin/v1/outcomes?wait=30');
    // Long before it would give up by itself.
    const tooLate = new Promise((resolve) => setTimeout(() => resolve('it still waits'), 15_000).unref());
    expect(await Promise.race([seen[0]?.cut, tooLate])).toBe(true);
  });

  it('continues when it is a write and its caller leaves', async () => {
    let finish = (): void => undefined;
    answer = (response) => void (finish = () => void response.end('done'));
    await askAndGo('POST', '/admin/v1/webhooks');
    await new Promise((resolve) => setTimeout(resolve, 50));
    finish();
    expect(await seen[0]?.cut).toBe(false);
  });

  describe('from an authenticated caller', () => {
    const cookie = 'laurel_session=token';
    const origin = 'https://laurel.example';

    async function askAs(credential: Credential, headers: Readonly<Record<string, string>>): Promise<unknown> {
      caller = credential;
      const response = await fetch(`${url}/admin/v1/webhooks`, { method: 'POST', headers: { cookie, ...headers } });
      expect(response.status).toBe(201);
      return seen.at(-1)?.from;
    }

    it('names the page of the service for a session, because the other process has another address', async () => {
      const session: Credential = { kind: 'session', token: 'token' };
      expect(await askAs(session, { origin })).toEqual({ site: 'same-origin', origin });
      expect(await askAs(session, { origin, 'sec-fetch-site': 'same-origin' })).toEqual({
        ...{ site: 'same-origin', origin },
      });
      expect(await askAs(session, {})).toEqual({ site: 'same-origin', origin: undefined });
    });

    it.each([{ kind: 'key', hash: 'hash' }, { kind: 'local' }] as const)(
      'keeps the origin headers of any other caller ($kind), also beside a cookie',
      async (credential) => {
        expect(await askAs(credential, { origin, 'sec-fetch-site': 'cross-site' })).toEqual({
          ...{ site: 'cross-site', origin },
        });
        expect(await askAs(credential, { origin })).toEqual({ site: undefined, origin });
      },
    );
  });

  it('is refused with an error link below the public path', async () => {
    const refused = { type: '/docs/errors#unknown_webhook', status: 404, code: 'unknown_webhook' };
    const headers = { 'content-type': 'application/problem+json; charset=utf-8', 'x-request-id': 'a' };
    answer = (response) => void response.writeHead(404, headers).end(JSON.stringify(refused));
    const response = await fetch(`${url}/admin/v1/webhooks`);
    expect([response.status, response.headers.get('content-type'), response.headers.get('x-request-id')]).toEqual([
      404,
      headers['content-type'],
      'a',
    ]);
    expect(await response.json()).toEqual({ ...refused, type: '/laurel/docs/errors#unknown_webhook' });
  });

  it('is answered with 503 when the outgoing service is unreachable', async () => {
    upstream.close();
    const response = await fetch(`${url}/admin/v1/webhooks`);
    expect([response.status, await response.text()]).toEqual([503, 'StoreUnavailableError']);
  });
});

describe('a request forwarded to the instance that delivers', () => {
  let handled: string[];
  let workingAt: string | null;

  beforeEach(async () => {
    handled = [];
    workingAt = `127.0.0.1:${portOf(upstream)}`;
    forwardToWorking(async () => workingAt)(gateway);
    for (const path of ['/admin/v1/webhooks/:id/secret', '/admin/v1/outcomes'])
      gateway.post(path, async () => handled.push(path) && 'here');
    await listen();
  });

  const post = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, { method: 'POST', headers });
    return [response.status, await response.text()];
  };

  it('concerns webhooks and arrives at another instance', async () => {
    expect(await post('/admin/v1/webhooks/a/secret')).toEqual([201, 'made']);
    expect(await post('/admin/v1/outcomes')).toEqual([200, 'here']);
    expect([seen.length, handled]).toEqual([1, ['/admin/v1/outcomes']]);
    workingAt = null;
    expect(await post('/admin/v1/webhooks/a/secret')).toEqual([200, 'here']);
  });

  it('is not forwarded a second time', async () => {
    expect(await post('/admin/v1/webhooks/a/secret', { 'laurel-handed-on': '1' })).toEqual([
      503,
      'StoreUnavailableError',
    ]);
    expect([seen, handled]).toEqual([[], []]);
  });

  it('is not handled locally, too, when its caller leaves before the answer', async () => {
    let finish = (): void => undefined;
    answer = (response) => void (finish = () => void response.end('done'));
    await askAndGo('POST', '/admin/v1/webhooks/a/secret');
    await new Promise((resolve) => setTimeout(resolve, 50));
    finish();
    await seen[0]?.cut;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(handled).toEqual([]);
  });
});
