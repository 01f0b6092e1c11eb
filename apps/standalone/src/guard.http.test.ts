import { ACCOUNT } from '@laurel/kernel';
import {
  OPERATIONS,
  type Scope,
  SCOPES,
  scopesOf,
  type ConsoleLink,
  type CurrentSession,
  type NewKeyRequest,
} from '@laurel/schemas';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Instant } from '@laurel/calendar';
import { createClock } from '@laurel/runtime';
import type { TestDatabase } from '@laurel/testing/database';
import { answersTo, findUnguarded, signIn } from '@laurel/testing/http-modules';
import { HTTP_SUITE_CONFIGURATION, type Json, LiveStream } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { parse } from 'yaml';
import { TEST_KEY, serveInProcess, type Served } from './testing/serve-in-process.ts';

type Route = Served['http']['routes'][number];

const MINUTE_MS = 60_000;

const lets = ({ scopes }: Route, scope: Scope): boolean => scopes?.includes(scope) === true;
const REFUSALS = [401, 403, 429];

describe('the access control of the service', () => {
  let now: Instant = Date.UTC(2026, 5, 1, 12);
  let folder: string;
  let socketPath: string;
  let database: TestDatabase;
  let served: Served;
  let routes: readonly Route[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-guard-'));
    database = await openServiceDatabase();
    // Time stands still for rate limits too, so that none comes free while the routes are asked.
    const clock = { ...createClock({ type: 'system' }), now: () => now, elapsedMs: () => now };
    served = await serveInProcess(database.connection, HTTP_SUITE_CONFIGURATION, clock);
    socketPath = await served.http.listenLocally(folder, ACCOUNT);
    routes = served.http.routes.filter(({ scopes }) => scopes !== null);
  });
  afterAll(async () => {
    // Whoever watched has connected anew: that would be waited for.
    served.http.closeConnections();
    await served.close();
    await database.close();
    await rm(folder, { recursive: true });
  });

  const keyWith = (request: Partial<NewKeyRequest>) =>
    served.keys.ring.create(ACCOUNT, { label: 'matrix', scopes: [...SCOPES], ...request }, {});
  const with401 = () => 401;

  /** The routes that answered with another refusal than expected; `null`: with none. */
  async function wrongAnswers(headers: Readonly<Record<string, string>>, expected: (route: Route) => number | null) {
    const answers = await answersTo(served, routes, headers);
    expect(answers.size).toBe(routes.length);
    return wrong(answers, expected);
  }
  const wrong = (answers: ReadonlyMap<Route, number>, expected: (route: Route) => number | null) =>
    [...answers].filter(([route, status]) => (REFUSALS.includes(status) ? status : null) !== expected(route));

  it('covers more than 30 routes and every scope', () => {
    expect(routes.length).toBeGreaterThan(30);
    expect(new Set(routes.flatMap(({ scopes }) => scopes ?? []))).toEqual(new Set(SCOPES));
  });

  it('protects each described operation with the scope that the document names', () => {
    const described = OPERATIONS.filter(({ scope }) => scope !== null).map(
      (operation) =>
        `${operation.method.toUpperCase()} ${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')} ${scopesOf(operation)?.join()}`,
    );
    const asked = routes.filter(({ method }) => method !== 'HEAD');
    expect(asked.map(({ method, path, scopes }) => `${method} ${path} ${scopes?.join()}`).sort()).toEqual(
      described.sort(),
    );
  });

  it('refuses every route with 401 without a valid key in x-api-key', async () => {
    const { key } = await keyWith({});
    for (const headers of [{}, { 'x-api-key': '' }, { 'x-api-key': `${key}x` }, { authorization: `Bearer ${key}` }])
      expect(await wrongAnswers(headers as Record<string, string>, with401)).toEqual([]);
  });

  /** The scopes of events and reads are tested where they are defined. */
  it('refuses administrative routes under every variation of path and content type', async () => {
    const administration = routes.filter(({ path }) => path.startsWith('/admin/'));
    const { unguarded, sent } = await findUnguarded(served.baseUrl, administration);
    expect(unguarded).toEqual([]);
    expect(sent).toBeGreaterThan(administration.length * 100);
  });

  it('admits keys with the scope of the route and refuses others with 403', async () => {
    for (const scope of SCOPES) {
      const { key } = await keyWith({ scopes: [scope] });
      expect(await wrongAnswers({ 'x-api-key': key }, (route) => (lets(route, scope) ? null : 403))).toEqual([]);
    }
    expect(await wrongAnswers({ 'x-api-key': TEST_KEY }, () => null)).toEqual([]);
  });

  it('admits support keys only to routes that find, explain, grant and correct', () => {
    const open = routes.filter((route) => route.method !== 'HEAD' && lets(route, 'support'));
    const also = (scope: Scope) =>
      open.filter((route) => lets(route, scope)).map(({ method, path }) => `${method} ${path}`);
    expect(also('admin').sort()).toEqual([
      'GET /admin/v1/achievements/:key/completions',
      'GET /admin/v1/points/:key/levels/:level/users',
      'GET /admin/v1/users',
      'POST /admin/v1/corrections',
      'POST /admin/v1/corrections/previews',
      'POST /admin/v1/grants',
      'POST /admin/v1/streaks/freezes',
      'POST /admin/v1/streaks/restore',
      'POST /admin/v1/users/:id/grants/achievement',
      'POST /admin/v1/users/:id/grants/boost',
      'POST /admin/v1/users/:id/grants/excused',
      'POST /admin/v1/users/:id/grants/freezes',
      'POST /admin/v1/users/:id/grants/points',
      'POST /admin/v1/users/:id/grants/revocation',
      'POST /admin/v1/users/:id/grants/streak',
    ]);
    expect(also('read').sort()).toEqual([
      'GET /admin/v1/events/:eventId',
      'GET /admin/v1/users/:id',
      'GET /admin/v1/users/:id/events',
      'GET /admin/v1/users/:id/explain/achievements/:key',
      'GET /admin/v1/users/:id/explain/leaderboards/:key',
      'GET /admin/v1/users/:id/explain/points/:key',
      'GET /admin/v1/users/:id/explain/points/:key/events/:eventId',
      'GET /admin/v1/users/:id/explain/streak',
    ]);
    expect(open).toHaveLength(also('admin').length + also('read').length);
  });

  it('refuses revoked and expired keys with 401', async () => {
    const revoked = await keyWith({});
    const expiring = await keyWith({ expiresAt: new Date(now + MINUTE_MS).toISOString() });
    for (const { key } of [revoked, expiring]) expect(await wrongAnswers({ 'x-api-key': key }, () => null)).toEqual([]);
    await served.keys.ring.revoke(ACCOUNT, revoked.id, {});
    now += MINUTE_MS;
    for (const { key } of [revoked, expiring]) expect(await wrongAnswers({ 'x-api-key': key }, with401)).toEqual([]);
  });

  it('refuses a key over its limit with 429 on routes that its scope allows', async () => {
    const { key } = await keyWith({ scopes: ['read'], requestsPerMinute: 1 });
    const headers = { 'x-api-key': key };
    expect((await fetch(`${served.baseUrl}/v1/achievements`, { headers })).status).toBe(200);
    expect(await wrongAnswers(headers, (route) => (lets(route, 'read') ? 429 : 403))).toEqual([]);
  });

  describe('for a session cookie', () => {
    const OWN_PAGE = { 'sec-fetch-site': 'same-origin' };
    const askWith = async (headers: Readonly<Record<string, string>>, method: string, path: string) => {
      const answer = await fetch(`${served.baseUrl}${path}`, { method, headers: { ...headers, ...OWN_PAGE } });
      const text = await answer.text();
      return { status: answer.status, json: text === '' ? null : (JSON.parse(text) as unknown) };
    };
    const isRead = ({ method }: Route) => method === 'GET' || method === 'HEAD';
    const sessionWith = async (request: Partial<NewKeyRequest>) => {
      const { key, id } = await keyWith(request);
      return { id, cookie: await signIn(served.baseUrl, { key }) };
    };

    it('admits requests from a page of the service to what the scopes of the key allow', async () => {
      for (const scope of SCOPES) {
        const { cookie } = await sessionWith({ scopes: [scope] });
        const expected = (route: Route) => (lets(route, scope) ? null : 403);
        expect(await wrongAnswers({ ...cookie, ...OWN_PAGE }, expected)).toEqual([]);
        expect(await wrongAnswers({ ...cookie, origin: served.baseUrl }, expected)).toEqual([]);
      }
    });

    it('admits only reads when the request names no page of the service', async () => {
      const { cookie } = await sessionWith({});
      for (const origin of [
        {},
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'cross-site', origin: served.baseUrl },
        { origin: 'https://evil.example' },
        { origin: 'null' },
      ] as Record<string, string>[])
        expect(await wrongAnswers({ ...cookie, ...origin }, (route) => (isRead(route) ? null : 403))).toEqual([]);
    });

    it('refuses unknown sessions, sessions of revoked keys and sessions idle for an hour with 401', async () => {
      const [revoked, idle] = [await sessionWith({}), await sessionWith({})];
      expect(await wrongAnswers({ cookie: 'laurel_session=', ...OWN_PAGE }, with401)).toEqual([]);
      expect(
        await wrongAnswers({ cookie: `laurel_session=${'unknown'.padEnd(43, '-')}`, ...OWN_PAGE }, with401),
      ).toEqual([]);
      await served.keys.ring.revoke(ACCOUNT, revoked.id, {});
      expect(await wrongAnswers({ ...revoked.cookie, ...OWN_PAGE }, with401)).toEqual([]);
      expect(await wrongAnswers({ ...idle.cookie, ...OWN_PAGE }, () => null)).toEqual([]);
      now += 60 * MINUTE_MS;
      expect(await wrongAnswers({ ...idle.cookie, ...OWN_PAGE }, with401)).toEqual([]);
    });

    it('admits a session opened with a link only to the scopes of the link', async () => {
      for (const scope of SCOPES) {
        const answer = await fetch(`${served.baseUrl}/admin/v1/console-links`, {
          ...{ method: 'POST', headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json' } },
          body: JSON.stringify({ scopes: [scope] }),
        });
        const [, token = ''] = ((await answer.json()) as ConsoleLink).url.split('#token=');
        const cookie = await signIn(served.baseUrl, { token });
        const expected = (route: Route) => (lets(route, scope) ? null : 403);
        expect(await wrongAnswers({ ...cookie, ...OWN_PAGE }, expected)).toEqual([]);
      }
    });

    it('refuses with 401 a session that signed out, was ended or came with an expired key', async () => {
      const expiring = await sessionWith({ expiresAt: new Date(now + MINUTE_MS).toISOString() });
      const [left, ended] = [await sessionWith({}), await sessionWith({})];
      const { session } = (await askWith(ended.cookie, 'GET', '/console/session')).json as CurrentSession;
      for (const { cookie } of [expiring, left, ended])
        expect(await wrongAnswers({ ...cookie, ...OWN_PAGE }, () => null)).toEqual([]);
      expect((await askWith(left.cookie, 'DELETE', '/console/session')).status).toBe(204);
      const end = await askWith({ 'x-api-key': TEST_KEY }, 'DELETE', `/admin/v1/console-sessions/${session?.id}`);
      expect(end.status).toBe(200);
      now += MINUTE_MS;
      for (const { cookie } of [expiring, left, ended])
        expect(await wrongAnswers({ ...cookie, ...OWN_PAGE }, with401)).toEqual([]);
    });

    it('refuses with 401 a session after twelve hours, however much it was used', async () => {
      const { cookie } = await sessionWith({});
      for (let minutes = 0; minutes < 12 * 60; minutes += 45) {
        expect((await askWith(cookie, 'GET', '/admin/v1/keys')).status).toBe(200);
        now += 45 * MINUTE_MS;
      }
      expect(await wrongAnswers({ ...cookie, ...OWN_PAGE }, with401)).toEqual([]);
    });

    it('hides sessions and keys of this account from other accounts, and lets them end none', async () => {
      const own = await sessionWith({});
      const { session } = (await askWith(own.cookie, 'GET', '/console/session')).json as CurrentSession;
      const { key, id } = await served.keys.ring.create('another', { label: 'theirs', scopes: ['read', 'admin'] }, {});
      const theirs = await signIn(served.baseUrl, { key });
      const listed = (await askWith(theirs, 'GET', '/admin/v1/console-sessions')).json as { by: string }[];
      expect(listed).toHaveLength(1);
      const keys = (await askWith(theirs, 'GET', '/admin/v1/keys')).json as { id: string }[];
      expect(keys.map((one) => one.id)).toEqual([id]);
      for (const path of [`/admin/v1/console-sessions/${session?.id}`, `/admin/v1/keys/${own.id}`])
        expect((await askWith(theirs, 'DELETE', path)).status).toBe(404);
      // A cookie beside the key of another account adds nothing to it.
      const both = await askWith({ ...own.cookie, 'x-api-key': key }, 'GET', '/admin/v1/keys');
      expect(both.json).toEqual(keys);
      expect((await askWith(own.cookie, 'GET', '/console/session')).json).toMatchObject({
        session: { id: session?.id },
      });
    });

    describe('for a key or a cookie of another account', () => {
      const ANOTHER = 'another';
      /** The reads of each account: sums that differ between the two. */
      interface Read {
        readonly events: number;
        readonly activeUsers: number;
        readonly begun: number;
        readonly participants: number;
        readonly imported: string | null;
      }
      let ours: Readonly<Record<string, string>>;
      let theirs: Readonly<Record<string, string>>;
      let ourEvents: readonly string[];
      let theirEvents: readonly string[];

      async function post(headers: Readonly<Record<string, string>>, path: string, body: object): Promise<Json> {
        const answer = await fetch(`${served.baseUrl}${path}`, {
          ...{ method: 'POST', headers: { ...headers, 'content-type': 'application/json' } },
          body: JSON.stringify(body),
        });
        const json = (await answer.json()) as Json;
        if (!answer.ok) throw new Error(`${path}: ${answer.status} ${JSON.stringify(json)}`);
        return json;
      }

      /** Each user begins a streak. @returns the ids of the events */
      async function record(headers: Readonly<Record<string, string>>, users: readonly string[]) {
        const ids: string[] = [];
        for (const id of users)
          for (const metric of ['lessons', 'reviews'])
            ids.push((await post(headers, `/v1/metrics/${metric}/event`, { user: { id }, value: 2 })).eventId);
        return ids;
      }

      async function readWith(headers: Readonly<Record<string, string>>): Promise<Read> {
        const read = async (path: string) => {
          const answer = await askWith(headers, 'GET', path);
          expect([path, answer.status]).toEqual([path, 200]);
          return answer.json as Json;
        };
        const today = new Date(now).toISOString().slice(0, 10);
        const { days } = await read(`/admin/v1/days?from=${today}&to=${today}`);
        const { lengths } = await read('/admin/v1/streaks/survival');
        const { runs } = await read('/admin/v1/leaderboards/lessons-all/runs');
        const { open } = await read('/admin/v1/imports');
        return {
          ...{ events: days[0].events, activeUsers: days[0].activeUsers, begun: lengths[0].reached },
          ...{ participants: runs[0].participants, imported: open && open.reason },
        };
      }

      /** The ids of the events that are watched, from the newest of the log up to `last`. */
      async function watchedWith(headers: Readonly<Record<string, string>>, last: string): Promise<readonly string[]> {
        const stream = new LiveStream(`${served.baseUrl}/admin/v1/live`, headers);
        const { events } = await stream.until([last]);
        stream.close();
        return events.map(({ id }) => id);
      }

      beforeAll(async () => {
        const scopes = ['ingest', 'read', 'admin'] as const;
        const { key } = await served.keys.ring.create(ANOTHER, { label: 'theirs', scopes: [...scopes] }, {});
        [ours, theirs] = [{ 'x-api-key': TEST_KEY }, { 'x-api-key': key }];
        const document = parse(HTTP_SUITE_CONFIGURATION) as object;
        await post(theirs, '/admin/v1/configurations', { document });
        await post(ours, '/admin/v1/imports', { reason: 'ours' });
        // Last among the events is one of each, so that neither comes behind all of the other.
        theirEvents = await record(theirs, ['shared', 'another', 'and one more']);
        ourEvents = await record(ours, ['shared']);
        theirEvents = [...theirEvents, ...(await record(theirs, ['last']))];
      });

      it('counts only events of that account in days, streaks, runs and imports', async () => {
        const own = { events: 2, activeUsers: 1, begun: 1, participants: 1, imported: 'ours' };
        const others = { events: 8, activeUsers: 4, begun: 4, participants: 4, imported: null };
        const [ourCookie, theirCookie] = [await signedIn(ours), await signedIn(theirs)];
        for (const headers of [ours, ourCookie]) expect(await readWith(headers)).toEqual(own);
        for (const headers of [theirs, theirCookie]) expect(await readWith(headers)).toEqual(others);
        // A stolen cookie beside a key shows what the key shows.
        expect(await readWith({ ...ourCookie, ...theirs })).toEqual(others);
        expect(await readWith({ ...theirCookie, ...ours })).toEqual(own);
      });

      it('streams only events of that account', async () => {
        const [ourCookie, theirCookie] = [await signedIn(ours), await signedIn(theirs)];
        const [ourLast, theirLast] = [ourEvents.at(-1) ?? '', theirEvents.at(-1) ?? ''];
        for (const headers of [ours, ourCookie, { ...theirCookie, ...ours }])
          expect(await watchedWith(headers, ourLast)).toEqual(ourEvents);
        for (const headers of [theirs, theirCookie, { ...ourCookie, ...theirs }])
          expect(await watchedWith(headers, theirLast)).toEqual(theirEvents);
      });

      const signedIn = (headers: Readonly<Record<string, string>>) =>
        signIn(served.baseUrl, { key: headers['x-api-key'] ?? '' });
    });

    it('prefers the key of a request that also brings a cookie', async () => {
      const { cookie } = await sessionWith({});
      expect(await wrongAnswers({ ...cookie, ...OWN_PAGE, 'x-api-key': 'unknown' }, with401)).toEqual([]);
    });
  });

  it('admits requests over the local socket without a key and without a limit', async () => {
    for (const headers of [{}, { 'x-api-key': 'unknown' }] as Record<string, string>[])
      expect(wrong(await answersTo({ socketPath }, routes, headers), () => null)).toEqual([]);
  });
});
