import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACCOUNT } from '@laurel/kernel';
import type { ConsoleLink } from '@laurel/schemas';
import type { Instant } from '@laurel/calendar';
import { createClock } from '@laurel/runtime';
import type { TestDatabase } from '@laurel/testing/database';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import type { InjectOptions } from 'fastify';
import { TEST_KEY, serveInProcess, type Served } from './testing/serve-in-process.ts';

const MINUTE_MS = 60_000;
const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };

describe('a browser session', () => {
  let now: Instant = Date.UTC(2026, 5, 1, 12);
  let database: TestDatabase;
  let served: Served;
  beforeAll(async () => {
    database = await openServiceDatabase();
    const clock = { ...createClock({ type: 'system' }), now: () => now, elapsedMs: () => now };
    served = await serveInProcess(database.connection, HTTP_SUITE_CONFIGURATION, clock);
  });
  afterAll(async () => {
    await served.close();
    await database.close();
  });
  beforeEach(() => {
    now += MINUTE_MS;
  });

  const ask = async (method: 'GET' | 'POST' | 'DELETE', url: string, options: InjectOptions = {}) => {
    const { statusCode, headers, body } = await served.http.fastify.inject({ method, url, ...options });
    return { status: statusCode, headers, json: body === '' ? null : JSON.parse(body) };
  };
  const signIn = (payload: object, options: InjectOptions = {}) =>
    ask('POST', '/console/session', { payload, ...options });
  const cookieOf = ({ headers }: Awaited<ReturnType<typeof ask>>) => String(headers['set-cookie']);
  const withCookie = (answer: Awaited<ReturnType<typeof ask>>) => ({ cookie: cookieOf(answer).split(';', 1)[0] ?? '' });
  const current = async (headers: Record<string, string>) =>
    (await ask('GET', '/console/session', { headers })).json.session;
  const admin = { 'x-api-key': TEST_KEY };
  const newLink = async (payload: object = {}, headers: Record<string, string> = admin) =>
    ask('POST', '/admin/v1/console-links', { payload, headers });
  const tokenOf = ({ json }: Awaited<ReturnType<typeof ask>>) => ({ token: json.url.split('#token=')[1] });

  it('uses a cookie that scripts cannot read, and ends when the user signs out', async () => {
    const answer = await signIn({ key: TEST_KEY });
    expect(answer).toMatchObject({
      status: 201,
      json: { by: 'environment', scopes: expect.arrayContaining(['admin']) },
    });
    expect(cookieOf(answer)).toMatch(/^laurel_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/);
    const cookie = withCookie(answer);
    expect(await current(cookie)).toEqual(answer.json);
    const signOut = (headers: Record<string, string>) => ask('DELETE', '/console/session', { headers });
    expect(await signOut(cookie)).toMatchObject({ status: 403, json: { code: 'forbidden' } });
    expect(await current(cookie)).toEqual(answer.json);
    const out = await signOut({ ...cookie, ...OWN_PAGE });
    expect([out.status, cookieOf(out)]).toEqual([204, 'laurel_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict']);
    expect(await current(cookie)).toBeNull();
    expect(await signOut(OWN_PAGE)).toMatchObject({ status: 204 });
  });

  it('uses a Secure cookie only when browsers come over https', async () => {
    const url = 'https://laurel.example';
    const other = await openServiceDatabase();
    const behindTls = await serveInProcess(other.connection, HTTP_SUITE_CONFIGURATION, undefined, url);
    const headers = { host: 'inside', origin: url, 'x-forwarded-for': '10.0.0.7', 'x-forwarded-proto': 'https' };
    const request = { url: '/console/session', remoteAddress: '10.0.0.8' };
    const answer = await behindTls.http.fastify.inject({
      ...{ ...request, method: 'POST', headers, payload: { key: TEST_KEY } },
    });
    expect([answer.statusCode, answer.headers['set-cookie']]).toEqual([
      ...[201, expect.stringMatching(/; Path=\/; HttpOnly; SameSite=Strict; Secure$/)],
    ]);
    const cookie = String(answer.headers['set-cookie']).split(';', 1)[0] ?? '';
    const out = await behindTls.http.fastify.inject({
      ...{ ...request, method: 'DELETE', headers: { ...headers, ...OWN_PAGE, cookie } },
    });
    expect(out.headers['set-cookie']).toMatch(/^laurel_session=; Max-Age=0; .*; Secure$/);
    await behindTls.close();
    await other.close();
  });

  it.each([
    ['from another machine', { remoteAddress: '10.0.0.7', headers: { host: 'localhost' } }],
    ['under another name', { headers: { host: 'laurel.example' } }],
    ['through a proxy', { headers: { 'x-forwarded-for': '10.0.0.7' } }],
  ] as [string, InjectOptions][])('is refused over plain HTTP %s, with the reason', async (_, options) => {
    const { status, json, headers } = await signIn({ key: TEST_KEY }, options);
    expect([status, json.error, headers['set-cookie']]).toEqual([
      403,
      expect.stringMatching(/plain HTTP.*behind TLS.*LAUREL_PUBLIC_URL/),
      undefined,
    ]);
  });

  it('is refused to a page of another site', async () => {
    const elsewhere: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of elsewhere)
      expect(await signIn({ key: TEST_KEY }, { headers })).toMatchObject({
        ...{ status: 403, json: { error: 'Signing in works only from a page of this service.' } },
      });
  });

  it.each([{}, { key: TEST_KEY, token: 'x' }, { key: '' }, { key: 3 }, { password: 'x' }])(
    'starts with a key or a token, not with %j',
    async (payload) => {
      expect(await signIn(payload)).toMatchObject({ status: 422, json: { code: 'invalid_request' } });
    },
  );

  it('is refused for a minute after ten failed attempts, also with the right key', async () => {
    for (let attempt = 0; attempt < 10; attempt++)
      expect(await signIn({ key: 'a wrong key' })).toMatchObject({ status: 401 });
    for (const payload of [{ key: 'a wrong key' }, { key: TEST_KEY }])
      expect(await signIn(payload)).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    now += MINUTE_MS;
    for (let time = 0; time < 20; time++) expect((await signIn({ key: TEST_KEY })).status).toBe(201);
  });

  it('is refused after ten failed attempts, also when they are made at once', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn({ key: 'a wrong key' })));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
  });

  it('starts from a link, once, with the scopes and in the name of its creator', async () => {
    const link = await newLink({ scopes: ['read'] });
    expect(link).toMatchObject({ status: 201, json: { scopes: ['read'] } });
    expect(link.json.url).toMatch(/^http:\/\/localhost:\d+\/console#token=[\w-]{43}$/);
    expect(link.json.url).toContain(`:${new URL(served.baseUrl).port}/`);
    const answer = await signIn(tokenOf(link));
    expect(answer).toMatchObject({ status: 201, json: { by: 'environment', scopes: ['read'] } });
    expect((await ask('GET', '/v1/achievements', { headers: withCookie(answer) })).status).toBe(200);
    expect((await ask('GET', '/admin/v1/keys', { headers: withCookie(answer) })).status).toBe(403);
    expect(await signIn(tokenOf(link))).toMatchObject({
      status: 401,
      json: { error: expect.stringContaining('used') },
    });
    const late = await newLink();
    now += 30 * MINUTE_MS;
    expect((await signIn(tokenOf(late))).status).toBe(401);
  });

  it('cannot get a scope that the creator of its link lacks', async () => {
    const { key } = await served.keys.ring.create(ACCOUNT, { label: 'admin', scopes: ['admin'] }, {});
    const asked = { 'x-api-key': key };
    expect(await newLink({ scopes: ['admin', 'read'] }, asked)).toMatchObject({
      ...{ status: 403, json: { error: expect.stringContaining('lacks the scope read') } },
    });
    expect(await newLink({}, asked)).toMatchObject({ status: 201, json: { scopes: ['admin'] } });
    for (const scopes of [[], ['write'], 'read'])
      expect(await newLink({ scopes }, asked)).toMatchObject({ status: 422, json: { code: 'invalid_request' } });
  });

  it('opened with a support link can read and find users, but not administer', async () => {
    const link = await newLink({ scopes: ['read', 'support'] });
    const session = withCookie(await signIn(tokenOf(link)));
    const statusOf = async (path: string) => (await ask('GET', path, { headers: session })).status;
    for (const path of ['/v1/achievements', '/admin/v1/users'])
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    for (const path of ['/admin/v1/keys', '/admin/v1/console-sessions', '/admin/v1/export/awards'])
      expect([path, await statusOf(path)]).toEqual([path, 403]);
  });

  it('ends when the key behind its link is revoked, also across further links', async () => {
    const { key, id } = await served.keys.ring.create(ACCOUNT, { label: 'leaked', scopes: ['admin', 'read'] }, {});
    const session = withCookie(await signIn(tokenOf(await newLink({}, { 'x-api-key': key }))));
    const link = await newLink({}, { ...session, ...OWN_PAGE });
    expect(link).toMatchObject({ status: 201, json: { scopes: ['read', 'admin'] } });
    const next = withCookie(await signIn(tokenOf(link)));
    const unused = await newLink({}, { ...next, ...OWN_PAGE });
    await served.keys.ring.revoke(ACCOUNT, id, {});
    for (const cookie of [session, next]) {
      expect(await current(cookie)).toBeNull();
      expect((await newLink({}, { ...cookie, ...OWN_PAGE })).status).toBe(401);
    }
    expect((await signIn(tokenOf(unused))).status).toBe(401);
  });

  it('creates no link when it was opened with a link from the local socket', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'laurel-console-'));
    const socketPath = await served.http.listenLocally(folder, ACCOUNT);
    const headers = { 'content-type': 'application/json' };
    const asked = httpRequest({ socketPath, method: 'POST', path: '/admin/v1/console-links', headers, agent: false });
    asked.end('{}');
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const { url } = JSON.parse((await answer.toArray()).join('')) as ConsoleLink;
    const [, token] = url.split('#token=');
    const session = withCookie(await signIn({ token }));
    expect((await ask('GET', '/admin/v1/keys', { headers: session })).status).toBe(200);
    expect(await newLink({}, { ...session, ...OWN_PAGE })).toMatchObject({
      ...{ status: 403, json: { code: 'forbidden', error: expect.stringContaining('cannot make links') } },
    });
    await rm(folder, { recursive: true });
  });

  it('appears in the list of sessions, and an administrator can end it', async () => {
    const answer = await signIn({ key: TEST_KEY });
    const listed = await ask('GET', '/admin/v1/console-sessions', { headers: admin });
    expect(listed.json).toContainEqual(answer.json);
    const end = () => ask('DELETE', `/admin/v1/console-sessions/${answer.json.id}`, { headers: admin });
    expect(await end()).toMatchObject({ status: 200, json: { id: answer.json.id } });
    expect(await current(withCookie(answer))).toBeNull();
    expect(await end()).toMatchObject({ status: 404, json: { code: 'unknown_session' } });
  });
});
