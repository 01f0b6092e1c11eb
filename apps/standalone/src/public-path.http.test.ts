import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { createClock } from '@laurel/runtime';
import { serveOnFreshDatabase, TEST_KEY, type Served } from './testing/serve-in-process.ts';

describe('a service that browsers reach below a path', () => {
  let served: Served;
  beforeAll(async () => {
    served = await serveOnFreshDatabase(
      HTTP_SUITE_CONFIGURATION,
      createClock({ type: 'system' }),
      'https://example.org/laurel',
    );
  });
  afterAll(async () => {
    await served?.close();
  });

  const PROXIED = { 'x-api-key': TEST_KEY, 'x-forwarded-proto': 'https' };
  const ask = (path: string, options: RequestInit = {}) =>
    fetch(served.baseUrl + path, { redirect: 'manual', headers: PROXIED, ...options });

  it.each(['/', '/docs', '/openapi.json', '/console', '/readyz', '/v1/achievements', '/healthz?x=1'])(
    'answers %s whether or not the proxy strips the path',
    async (path) => {
      expect((await ask(path)).status).toBe(200);
      expect((await ask(`/laurel${path}`)).status).toBe(200);
    },
  );

  it('answers 404 on any other path', async () => {
    for (const path of ['/laurels/v1/achievements', '/laurel/laurel/v1/achievements', '/other/v1/achievements'])
      expect((await ask(path)).status).toBe(404);
  });

  it('prefixes the path in redirects, error links, the API document and console links', async () => {
    const home = await ask('/laurel');
    expect([home.status, home.headers.get('location')]).toEqual([308, '/laurel/']);
    expect(await (await ask('/laurel/v1/nothing')).json()).toMatchObject({ type: '/laurel/docs/errors#unknown_path' });
    expect(await (await ask('/openapi.json')).json()).toMatchObject({ servers: [{ url: '/laurel' }] });
    const link = await ask('/admin/v1/console-links', {
      method: 'POST',
      headers: { ...PROXIED, 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await link.json()).toMatchObject({
      url: expect.stringMatching(/^https:\/\/example\.org\/laurel\/console#token=/),
    });
  });

  it('prefixes the path in error links for requests that are not valid HTTP', async () => {
    const { hostname, port } = new URL(served.baseUrl);
    const socket = connect(Number(port), hostname);
    socket.end('no HTTP\r\n\r\n');
    expect(await text(socket)).toContain('"type":"/laurel/docs/errors#malformed_request"');
  });

  it('limits the session cookie to its path', async () => {
    const signedIn = await ask('/laurel/console/session', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-proto': 'https' },
      body: JSON.stringify({ key: TEST_KEY }),
    });
    expect([signedIn.status, signedIn.headers.get('set-cookie')]).toEqual([
      201,
      expect.stringMatching(
        /^laurel_session=[\w-]{43}; Max-Age=\d+; Path=\/laurel; HttpOnly; SameSite=Strict; Secure$/,
      ),
    ]);
  });
});
