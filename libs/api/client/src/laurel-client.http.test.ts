import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLaurelClient, type LaurelClient } from './laurel-client.ts';
import { LaurelError, orThrow } from './laurel-error.ts';

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

type Reply = (response: ServerResponse) => void;

const PROBLEM = {
  type: '/docs/errors#overloaded',
  title: 'Overloaded',
  status: 503,
  detail: 'The intake is full; nothing was recorded.',
  error: 'The intake is full; nothing was recorded.',
  code: 'overloaded',
};

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A server of ours that answers whatever a test wants, and notes what it was sent. */
let server: Server;
let received: Received[];
let reply: Reply;
let url: string;
let laurel: LaurelClient;

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method, headers } = request;
      received.push({ method, url: request.url, headers, body });
      reply(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  laurel = createLaurelClient({ url, apiKey: 'schlüssel 🔑 of 24 characters' });
});
beforeEach(() => {
  received = [];
  reply = json(200, {});
});
afterAll(async () => {
  await laurel.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const user = (client = laurel) => client.GET('/v1/users/{id}', { params: { path: { id: 'ada' } } });

async function thrown(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => error,
  );
}

describe('the client', () => {
  it('sends path, query, headers and body as described, with the key each time', async () => {
    reply = json(201, { total: 1 });
    const { data, response } = await laurel.POST('/v1/metrics/{key}/event', {
      params: { path: { key: 'lessons' }, header: { 'Idempotency-Key': 'lesson-42' } },
      body: { user: { id: 'ada/1' }, value: 1 },
    });
    expect([data?.total, response.status]).toEqual([1, 201]);
    await laurel.GET('/v1/streaks', { params: { query: { userIds: ['a/b', 'ü'] } } });
    await laurel.GET('/v1/users/{id}', { params: { path: { id: 'a/b%c' } } });
    expect(received).toMatchObject([
      { method: 'POST', url: '/v1/metrics/lessons/event', body: '{"user":{"id":"ada/1"},"value":1}' },
      { method: 'GET', url: '/v1/streaks?userIds=a%2Fb&userIds=%C3%BC', body: '' },
      { method: 'GET', url: '/v1/users/a%2Fb%25c' },
    ]);
    expect(received[0]?.headers).toMatchObject({
      'idempotency-key': 'lesson-42',
      'content-type': 'application/json',
    });
  });

  it('sends keys beyond ASCII as UTF-8 bytes', async () => {
    await laurel.POST('/v1/metrics/{key}/event', {
      params: { path: { key: 'lessons' }, header: { 'Idempotency-Key': 'Lektion 四' } },
      body: { user: { id: 'ada' }, value: 1 },
    });
    const text = (name: string) => Buffer.from(String(received[0]?.headers[name]), 'latin1').toString('utf8');
    expect([text('idempotency-key'), text('x-api-key')]).toEqual(['Lektion 四', 'schlüssel 🔑 of 24 characters']);
  });

  it('returns a refusal as a value', async () => {
    reply = json(503, PROBLEM, { 'retry-after': '2', 'content-type': 'application/problem+json' });
    const { data, error, response } = await user();
    expect(data).toBeUndefined();
    expect([error?.code, error?.detail, response.status]).toEqual(['overloaded', PROBLEM.detail, 503]);
  });

  it('does not send its key to the target of a redirect', async () => {
    reply = (response) => void response.writeHead(302, { location: `${url}/elsewhere` }).end();
    expect((await user()).response.status).toBe(302);
    expect(received).toHaveLength(1);
    expect(await thrown(orThrow(user()))).toMatchObject({ code: 'unexpected_answer', status: 302 });
  });

  it('keeps names such as __proto__, and returns a body as text on request', async () => {
    reply = (response) => void response.end('{"__proto__":"x","total":12345678901234567890.5}');
    expect(Object.entries((await user()).data ?? {})[0]).toEqual(['__proto__', 'x']);
    const { data } = await laurel.GET('/v1/users/{id}', { params: { path: { id: 'ada' } }, parseAs: 'text' });
    expect(data).toContain('12345678901234567890.5');
  });

  it('streams large answers', async () => {
    reply = (response) => {
      response.write('{"events":1,');
      response.end('"users":{}}');
    };
    const stream = await orThrow(laurel.GET('/admin/v1/state', { parseAs: 'stream' }));
    let text = '';
    for await (const chunk of stream ?? []) text += Buffer.from(chunk as Uint8Array).toString();
    expect(JSON.parse(text)).toEqual({ events: 1, users: {} });
  });

  it('connects through a Unix socket without a key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'laurel-client-'));
    const socketPath = join(folder, 'laurel.sock');
    const local = createServer((request, response) =>
      json(200, { id: request.headers['x-api-key'] ?? 'none' })(response),
    );
    await new Promise<void>((resolve) => local.listen(socketPath, resolve));
    const client = createLaurelClient({ socketPath });
    expect((await user(client)).data?.id).toBe('none');
    await client.close();
    await new Promise((resolve) => local.close(resolve));
    rmSync(folder, { recursive: true });
    expect(await thrown(orThrow(user(createLaurelClient({ socketPath }))))).toMatchObject({ code: 'unreachable' });
  });

  it.each([
    ['a line break', 'secret\nof twenty-four characters'],
    ['a carriage return', 'secret\rof twenty-four characters'],
    ['a zero', 'secret\0of twenty-four characters'],
    ['another control character', 'secret\x7fof twenty-four characters'],
  ])('rejects a key that does not fit into a header, without repeating it: %s', (_, apiKey) => {
    const made = (() => {
      try {
        return createLaurelClient({ url, apiKey });
      } catch (error) {
        return error;
      }
    })();
    expect(made).toBeInstanceOf(TypeError);
    expect(String(made)).toMatch(/apiKey must have no control characters/);
    expect(String(made)).not.toMatch(/secret|twenty/);
  });

  it('strips the line break that a key file ends with', async () => {
    await user(createLaurelClient({ url, apiKey: ' key-of-twenty-four-chars\r\n' }));
    expect(received[0]?.headers['x-api-key']).toBe('key-of-twenty-four-chars');
  });

  it('rejects an invalid address', () => {
    expect(() => createLaurelClient({ url: 'localhost' })).toThrow('Invalid URL');
  });
});

describe('orThrow', () => {
  it('returns the answer on success', async () => {
    reply = json(200, { id: 'ada' });
    expect(await orThrow(user())).toEqual({ id: 'ada' });
  });

  it('throws a refusal with everything that the service said', async () => {
    reply = json(503, PROBLEM, { 'retry-after': '2' });
    const error = await thrown(orThrow(user()));
    expect(error).toBeInstanceOf(LaurelError);
    expect(error).toMatchObject({
      name: 'LaurelError',
      message: PROBLEM.detail,
      code: 'overloaded',
      status: 503,
      retryAfterMs: 2_000,
      problem: PROBLEM,
    });
  });

  it('reports an answer that does not come from Laurel', async () => {
    reply = (response) => void response.writeHead(502).end('<h1>Bad gateway</h1>');
    expect(await thrown(orThrow(user()))).toMatchObject({ code: 'unexpected_answer', status: 502, problem: null });
    reply = (response) => void response.end('<h1>Welcome</h1>');
    expect(await thrown(orThrow(user()))).toMatchObject({ code: 'unexpected_answer', status: null });
  });

  it('reports a service that is unreachable or hangs up', async () => {
    const closed = createLaurelClient({ url: 'http://127.0.0.1:1' });
    expect(await thrown(orThrow(user(closed)))).toMatchObject({
      code: 'unreachable',
      status: null,
      retryAfterMs: null,
    });
    reply = (response) => void response.destroy();
    expect(await thrown(orThrow(user()))).toMatchObject({ code: 'unreachable' });
    reply = (response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{', () => response.destroy());
    };
    expect(await thrown(orThrow(user()))).toMatchObject({ code: 'unreachable' });
  });

  it('reports an answer that is late or stalls', async () => {
    const hurried = createLaurelClient({ url, timeoutMs: 50 });
    reply = () => undefined;
    expect(await thrown(orThrow(user(hurried)))).toMatchObject({ code: 'timed_out' });
    reply = (response) => void response.writeHead(200).write('{');
    expect(await thrown(orThrow(user(hurried)))).toMatchObject({ code: 'timed_out' });
  });

  it('rethrows the reason when the caller aborts', async () => {
    const reason = new Error('changed my mind');
    const { signal } = ((controller) => (controller.abort(reason), controller))(new AbortController());
    const call = laurel.GET('/v1/users/{id}', { params: { path: { id: 'ada' } }, signal });
    expect(await thrown(orThrow(call))).toBe(reason);
  });
});
