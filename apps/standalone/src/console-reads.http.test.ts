import { OPERATIONS } from '@laurel/schemas';
import { clientConfig } from '@laurel/database';
import type { TestDatabase } from '@laurel/testing/database';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { askOf } from './testing/ask.ts';
import { TEST_KEY, serveInProcess, type Served } from './testing/serve-in-process.ts';

/** Of the pool that applications are answered over; `dataSourceOf`. */
const CONNECTIONS = 8;
/** How many reads run, and how many more wait, over the small pool. */
const RUNNING = 2;
const WAITING = 64;

/** One for each read of `/v1`. */
const READS: Readonly<Record<string, string>> = {
  getUser: '/v1/users/ada',
  getUserPreferences: '/v1/users/ada/preferences',
  listUserMetrics: '/v1/users/ada/metrics',
  getUserMetric: '/v1/users/ada/metrics/lessons',
  summarizeUserMetric:
    '/v1/users/ada/metrics/lessons/event-summary?aggregation=daily&start_date=2026-01-01&end_date=2026-03-01',
  listAchievements: '/v1/achievements',
  listUserAchievements: '/v1/users/ada/achievements?includeIncomplete=true',
  getUserStreak: '/v1/users/ada/streak',
  listStreaks: '/v1/streaks?userIds=ada',
  getUserPoints: '/v1/users/ada/points/xp',
  summarizeUserPoints:
    '/v1/users/ada/points/xp/event-summary?aggregation=daily&start_date=2026-01-01&end_date=2026-03-01',
  listPointsSystems: '/v1/points',
  getPointsSystem: '/v1/points/xp',
  listPointsLevels: '/v1/points/xp/levels',
  listBoosts: '/v1/points/xp/boosts',
  listUserBoosts: '/v1/users/ada/points/xp/boosts',
  countUsersByLevel: '/v1/points/xp/level-summary',
  countUsersByPoints: '/v1/points/xp/summary',
  listLeaderboards: '/v1/leaderboards',
  getLeaderboard: '/v1/leaderboards/lessons-all',
  getUserLeaderboard: '/v1/users/ada/leaderboards/lessons-all?numEvents=10',
};

/** The reads that memory and the configuration answer: they need no connection at all. */
const FROM_MEMORY = new Set([
  'listPointsSystems',
  'getPointsSystem',
  'listPointsLevels',
  'listBoosts',
  'listLeaderboards',
]);

/** The other requests of pages. The status is left out: it says whether the other pool can be used. */
const ADMINISTRATIVE = [
  '/admin/v1/days?from=2026-01-01&to=2026-03-01',
  '/admin/v1/streaks/survival',
  '/admin/v1/leaderboards/lessons-all/runs',
  '/admin/v1/imports',
  '/admin/v1/users?prefix=a',
  '/admin/v1/users/ada',
  '/admin/v1/users/ada/events',
  '/admin/v1/users/ada/explain/points/xp',
  '/admin/v1/users/ada/explain/streak',
  '/admin/v1/users/ada/explain/achievements/first-lesson',
  '/admin/v1/users/ada/explain/leaderboards/lessons-all',
  '/admin/v1/configurations',
  '/admin/v1/configurations/current',
  '/admin/v1/keys',
  '/admin/v1/webhooks',
  '/admin/v1/audit',
  '/admin/v1/console-sessions',
];

const PREVIEW_OF_ERASURE = '/admin/v1/users/ada?preview=true';

describe('reads with a browser session', () => {
  let database: TestDatabase;
  let served: Served;
  let session: Record<string, string>;
  let eventId: string;
  let holder: pg.Client;
  const key = { 'x-api-key': TEST_KEY };
  const post = askOf(() => served);

  beforeAll(async () => {
    database = await openServiceDatabase();
    holder = new pg.Client(clientConfig(database.connection));
    await holder.connect();
    served = await serveInProcess(database.connection, HTTP_SUITE_CONFIGURATION);
    const event = await post<{ eventId: string }>('/v1/metrics/lessons/event', { user: { id: 'ada' }, value: 3 });
    expect(event.status).toBe(201);
    eventId = event.answer.eventId;
    const signedIn = await served.http.fastify.inject({
      ...{ method: 'POST', url: '/console/session', payload: { key: TEST_KEY } },
    });
    const [cookie = ''] = String(signedIn.headers['set-cookie']).split(';', 1);
    session = { cookie, 'sec-fetch-site': 'same-origin' };
  });
  afterAll(async () => {
    await holder.end();
    await served.close();
    await database.close();
  });

  type Method = 'GET' | 'DELETE' | 'POST';
  async function ask(headers: Record<string, string>, url: string, method: Method = 'GET', payload?: object) {
    const request = { method, url, headers, ...(payload && { payload }) };
    const { statusCode: status, headers: answered, body } = await served.http.fastify.inject(request);
    const { code } = JSON.parse(body) as { readonly code?: string };
    return { url, status, ...(code !== undefined && { code, retryAfter: answered['retry-after'] }) };
  }
  const previewCorrection = (headers: Record<string, string>) =>
    ask(headers, '/admin/v1/corrections/previews', 'POST', { corrections: [{ eventId, value: 2 }] });

  it('cover every GET operation below /v1', () => {
    const reads = OPERATIONS.filter(({ method, path }) => method === 'get' && path.startsWith('/v1/'));
    expect(Object.keys(READS).sort()).toEqual(reads.map(({ id }) => id).sort());
  });

  it('use no connection of the pool that serves applications', async () => {
    const held: QueryRunner[] = [];
    for (let n = 0; n < CONNECTIONS; n++) held.push(served.service.dataSource.createQueryRunner());
    await Promise.all(held.map((runner) => runner.connect()));
    try {
      for (const url of [...Object.values(READS), ...ADMINISTRATIVE, `/admin/v1/events/${eventId}`])
        expect(await ask(session, url)).toEqual({ url, status: 200 });
      expect(await ask(session, PREVIEW_OF_ERASURE, 'DELETE')).toMatchObject({ status: 200 });
      expect(await previewCorrection(session)).toMatchObject({ status: 200 });
    } finally {
      await Promise.all(held.map((runner) => runner.release()));
    }
  });

  it('are refused while the browser connections are taken, but reads with keys are answered', async () => {
    await holder.query('select pg_advisory_lock(7)');
    const blocked = (length: number) =>
      Array.from({ length }, () => served.service.bounded.sql.query('select pg_advisory_lock_shared(7)', []));
    const running = blocked(RUNNING);
    await untilBlocked(holder, RUNNING);
    const settled = Promise.all([...running, ...blocked(WAITING)]);
    const urls = Object.values(READS);
    const [refused, answered, previews] = await Promise.all([
      Promise.all(urls.map((url) => ask(session, url))),
      Promise.all(urls.map((url) => ask(key, url))),
      Promise.all([ask(key, PREVIEW_OF_ERASURE, 'DELETE'), previewCorrection(key)]),
    ]);
    await holder.query('select pg_advisory_unlock_all()');
    await settled;
    const expected = Object.entries(READS).map(([name, url]) =>
      FROM_MEMORY.has(name) ? { url, status: 200 } : { url, status: 503, code: 'overloaded', retryAfter: '1' },
    );
    expect(refused).toEqual(expected);
    expect(answered).toEqual(urls.map((url) => ({ url, status: 200 })));
    expect(previews.map(({ status }) => status)).toEqual([200, 200]);
    expect(await Promise.all(urls.map((url) => ask(session, url)))).toEqual(urls.map((url) => ({ url, status: 200 })));
  });
});

/** Waits until this many sessions wait for an advisory lock: each has taken its connection then. */
async function untilBlocked(client: pg.Client, sessions: number): Promise<void> {
  const blocked = async () => {
    const { rows } = await client.query<{ sessions: number }>(
      `select count(*)::int as sessions from pg_locks l join pg_database d on d.oid = l.database
        where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
    );
    return rows[0]?.sessions === sessions;
  };
  while (!(await blocked())) await setTimeout(10);
}
