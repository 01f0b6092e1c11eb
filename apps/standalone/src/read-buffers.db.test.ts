import {
  OPERATIONS,
  type ExplainedEventAnswer,
  type ExplainedPointsAnswer,
  type ExplainedStandingAnswer,
  type ExplainedStreakAnswer,
  type UserTimeline,
} from '@laurel/schemas';
import { typeNumberOf } from '@laurel/event-store';
import { outcomesOfUser } from '@laurel/outgoing';
import { CountedBuffers, type TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { enlarge } from './testing/large-database.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';
import { statementsOf } from './testing/statements-of.ts';

/** Shared buffers that a read may touch, however large the database is. */
const MOST_BUFFERS = 300;

/** Many more with LAUREL_LARGE. */
const IS_LARGE = process.env['LAUREL_LARGE'] === 'million';
const USERS = IS_LARGE ? 1_000_000 : 50_000;
const EVENTS = 100_000;
/** A table with more rows grows with users or events, and none of it is read without an index. */
const MOST_ROWS_SCANNED = 10_000;

const CONFIGURATION = `
version: 1
metrics:
  - { key: lessons, name: Lessons }
  - { key: words, name: Words }
streak:
  frequency: daily
  conditions: [{ metric: lessons, threshold: 1 }]
  freezes: { initial: 2, max: 5, earnEvery: 7, earn: 1 }
achievements:
  - { key: first, name: First, trigger: { type: metric, metric: lessons, value: 1 } }
  - { key: both, name: Both, trigger: { type: achievement, achievements: [first] } }
  - { key: far, name: Far, trigger: { type: metric, metric: lessons, value: 100000000 } }
  - { key: long, name: Long, trigger: { type: streak, length: 100000 } }
  - { key: called, name: Called, trigger: { type: api } }
points:
  - key: xp
    name: XP
    maxPoints: 2000000
    triggers:
      - { type: metric, metric: lessons, threshold: 1, points: 10 }
      - { type: achievement, achievement: first, points: 50 }
    levels: [{ key: a, name: A, points: 50 }, { key: b, name: B, points: 2500 }, { key: c, name: C, points: 100000 }]
  - key: odd
    name: Odd
    triggers: [{ type: metric, metric: words, threshold: 1, points: 1 }]
    levels: [{ key: a, name: A, points: 1234 }]
leaderboards:
  - { key: month, name: Month, rankBy: metric, metric: lessons, start: 2026-01-01, runUnit: month, runInterval: 1 }
  - { key: xp, name: XP, rankBy: points, pointsSystem: xp, start: 2026-01-01 }
  - { key: streak, name: Streak, rankBy: streak, start: 2026-01-01 }
`;

/** It stands still, and so does all that is done by time: what is counted is the read's own. */
const CLOCK = { now: () => Date.parse('2026-03-20T12:00:00Z'), elapsedMs: () => 0, after: () => () => undefined };

const DAYS = 'aggregation=daily&start_date=2025-03-01&end_date=2026-03-31';

/** As many as one read takes, from everywhere among all users. */
const MANY = Array.from({ length: 99 }, (_, n) => `bea%20${1 + n * (USERS / 100)}`);

/** The request of each read, with the rows of a page. Reads that return more rows are limited to as many. */
const READS: Readonly<Record<string, string>> = {
  getUser: '/v1/users/ada',
  getUserPreferences: '/v1/users/ada/preferences',
  listUserMetrics: '/v1/users/ada/metrics',
  getUserMetric: '/v1/users/ada/metrics/lessons',
  summarizeUserMetric: `/v1/users/ada/metrics/lessons/event-summary?${DAYS}`,
  listAchievements: '/v1/achievements',
  listUserAchievements: '/v1/users/ada/achievements?includeIncomplete=true',
  getUserStreak: '/v1/users/ada/streak?historyPeriods=366',
  listStreaks: `/v1/streaks?userIds=ada&${MANY.map((id) => `userIds=${id}`).join('&')}`,
  getUserPoints: '/v1/users/ada/points/xp?awards=100',
  summarizeUserPoints: `/v1/users/ada/points/xp/event-summary?${DAYS}`,
  listPointsSystems: '/v1/points',
  getPointsSystem: '/v1/points/xp',
  listPointsLevels: '/v1/points/xp/levels',
  listBoosts: '/v1/points/xp/boosts',
  listUserBoosts: '/v1/users/ada/points/xp/boosts',
  countUsersByLevel: '/v1/points/xp/level-summary',
  countUsersByPoints: '/v1/points/xp/summary',
  listLeaderboards: '/v1/leaderboards?includeFinished=true',
  getLeaderboard: '/v1/leaderboards/xp?userId=bea%20500',
  getUserLeaderboard: '/v1/users/ada/leaderboards/xp?numEvents=100',
  listDays: '/admin/v1/days?from=2025-02-14&to=2026-03-20',
  getStreakSurvival: '/admin/v1/streaks/survival',
  listLeaderboardRuns: '/admin/v1/leaderboards/month/runs?limit=40',
  getOpenImport: '/admin/v1/imports',
  listUsers: '/admin/v1/users?limit=40&prefix=bea',
  listCompletions: '/admin/v1/achievements/first/completions?limit=40',
  listUsersOnLevel: '/admin/v1/points/xp/levels/a/users?limit=40',
  getUserOverview: '/admin/v1/users/ada',
  listUserEvents: '/admin/v1/users/ada/events?limit=50',
  explainPoints: '/admin/v1/users/ada/explain/points/xp?limit=50',
  explainPointsOfEvent: '/admin/v1/users/bea/explain/points/xp/events/{eventId}',
  explainAchievement: '/admin/v1/users/ada/explain/achievements/first',
  explainStreak: '/admin/v1/users/ada/explain/streak?periods=100',
  explainStanding: '/admin/v1/users/ada/explain/leaderboards/xp?limit=50',
  getEvent: '/admin/v1/events/{eventId}',
  listConfigurations: '/admin/v1/configurations',
  getConfiguration: '/admin/v1/configurations/current',
  getStatus: '/admin/v1/status',
  listKeys: '/admin/v1/keys',
  listWebhooks: '/admin/v1/webhooks',
  listWebhookDeliveries: '/admin/v1/webhooks/{webhook}/deliveries?limit=40',
  listConsoleSessions: '/admin/v1/console-sessions',
  getLogHead: '/admin/v1/log/head?since=70000',
  listAudit: '/admin/v1/audit?limit=100',
  readOutcomes: '/admin/v1/outcomes?limit=1000',
  readEvents: '/admin/v1/events',
};

/** They read all there is, in pages. */
const EXPORTS = ['exportEvents', 'exportAwards', 'exportRankings', 'exportWinners', 'exportUser'];

/**
 * A digest and a state are of all there is, and of rebuilds and verifications only the process knows. What a proof reads is counted in
 * `log-chain.int.test.ts`. The live feed does not end; what it reads is counted below.
 */
const LEFT_OUT = ['getDigest', 'getState', 'getRebuild', 'getVerification', 'getLogProof', 'watchEvents'];

let database: TestDatabase;
let served: Served;
/** The newest that was recorded by a request. */
let eventId = '';
let veteransEvent = '';
let webhook = '';
beforeAll(async () => {
  database = await openServiceDatabase();
  served = await serveInProcess(database.connection, CONFIGURATION, CLOCK);
  await record('ada');
  veteransEvent = eventId;
  await record('bea');
  await served.close();
  await enlarge(database.sql, { template: 'bea', users: USERS, veteran: 'ada', events: EVENTS });
  await keepOutcomes();
  served = await serveInProcess(database.connection, CONFIGURATION, CLOCK);
  await foldVeteran();
  webhook = await makeWebhook();
}, 3_600_000);
afterAll(async () => {
  await served?.close();
  await database?.close();
});

async function record(id: string): Promise<void> {
  const response = await fetch(`${served.baseUrl}/v1/metrics/lessons/event`, {
    method: 'POST',
    headers: { 'x-api-key': served.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ user: { id, name: id, email: `${id}@example.org`, tz: 'Europe/Berlin' }, value: 3 }),
  });
  expect(response.status).toBe(201);
  ({ eventId } = (await response.json()) as { eventId: string });
}

/** Two for each event of one user, of bodies as long as they are. */
async function keepOutcomes(): Promise<void> {
  await database.sql.query(
    `insert into outcomes (account, sequence, position, subject, occurred_at, written_at, id, place, ordinal, type, body)
     select 'default', n, n, s.subject, now(), now(), gen_random_uuid(), 0, 0,
       case when n % 4 = 0 then 'streak.lost' else 'achievement.completed' end,
       json_build_object('id', gen_random_uuid(), 'sequence', n, 'about', repeat('x', 250))
     from subjects s, generate_series(1, $1::int) n where s.user_id = 'ada'`,
    [2 * EVENTS],
  );
  await database.sql.query(
    `insert into outcome_cursors (account, position, sequence, deleted_to) values ('default', 0, $1, 0)
     on conflict (account) do update set sequence = excluded.sequence`,
    [2 * EVENTS],
  );
  await database.sql.query('vacuum analyze outcomes', []);
}

/** With as many deliveries as are kept. */
async function makeWebhook(): Promise<string> {
  const response = await fetch(`${served.baseUrl}/admin/v1/webhooks`, {
    method: 'POST',
    headers: { 'x-api-key': served.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://example.com/laurel' }),
  });
  expect(response.status).toBe(201);
  const { id } = (await response.json()) as { id: string };
  await database.sql.query(
    `insert into webhook_deliveries (account, endpoint, sequence, outcome, type, outcome_at, lane, replay, state, attempts, finished_at)
     select 'default', $1, n, gen_random_uuid(), 'streak.lost', now(), '', false, state, 1, now()
     from generate_series(1, 10000) n, unnest('{delivered,abandoned}'::text[]) state`,
    [id],
  );
  await database.sql.query('vacuum analyze webhook_deliveries', []);
  return id;
}

/** In the background, once: what a page reads afterwards is counted. */
async function foldVeteran(): Promise<void> {
  for (;;) {
    const { complete, preparing } = JSON.parse(await ask(READS['explainPoints'] ?? '')) as ExplainedPointsAnswer;
    if (complete) break;
    expect(preparing).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function ask(path: string, init: RequestInit = {}): Promise<string> {
  const response = await fetch(`${served.baseUrl}${path.replace('{eventId}', eventId).replace('{webhook}', webhook)}`, {
    ...init,
    headers: { 'x-api-key': served.apiKey, ...(init.body && { 'content-type': 'application/json' }) },
  });
  const text = await response.text();
  expect([path, response.status, text]).toEqual([path, 200, expect.anything()]);
  return text;
}

async function countedIn(task: () => Promise<unknown>): Promise<CountedBuffers> {
  const counted = new CountedBuffers(database.sql);
  for (const { text, values } of await statementsOf(task)) await counted.query(text, values);
  return counted;
}

async function countedOf(path: string): Promise<CountedBuffers> {
  // Boards and users that are asked for come into memory first.
  await ask(path);
  return countedIn(() => ask(path));
}
const buffersOf = async (path: string): Promise<number> => (await countedOf(path)).buffers;

/** Of the tables that were scanned, those that grow. */
async function grownIn(scanned: ReadonlySet<string>): Promise<readonly string[]> {
  const rows = await database.sql.query<{ name: string }>(
    'select relname as name from pg_class where relname = any($1) and reltuples > $2 order by 1',
    [[...scanned], MOST_ROWS_SCANNED],
  );
  return rows.map(({ name }) => name);
}

const cursorAt = (position: number): string => Buffer.from(`points:f:${position}:0`).toString('base64url');

/** How far back pages are asked for, in events of the user. */
const DEEP = [2_000, 50_000, 99_000];

/** Of the user with many events. */
async function positionBack(events: number): Promise<number> {
  const [row] = await database.sql.query<{ position: string }>(
    `select position from effects where subject = (select subject from subjects where user_id = 'ada')
     order by position desc offset $1 limit 1`,
    [events],
  );
  return Number(row?.position);
}

/** Behind the log: it settles 200 users from everywhere among all, with what their one event caused. $1: one of so many. */
const SWEEP_OF_MANY = `
with head as (
  update log_head set position = position + 1 returning position
), many as (
  select subject from (select subject, row_number() over (order by subject) as n from subjects where user_id like 'bea %') s
  where n % $1 = 0 limit 200
), caused as (
  insert into effects select (jsonb_populate_record(e, jsonb_build_object('position', head.position))).*
  from effects e join many using (subject), head
), ranks as (
  insert into rank_changes select (jsonb_populate_record(c, jsonb_build_object('position', head.position))).*
  from rank_changes c join many using (subject), head
)
insert into events (position, occurred_at, recorded_at, event_id, configuration_version, schema_version, type, imported, account, data)
select head.position, now(), now(), gen_random_uuid(), 1, 2, ${typeNumberOf('UsersSwept')}, false, 'default',
  jsonb_build_object('subjects', (select jsonb_agg(subject) from many))
from head returning event_id`;

/** The posts and deletes of pages. They read everything of the user, so their bound is the buffers of the 100,000 events. */
const PREVIEWS = [
  {
    what: 'a correction',
    mostOfVeteran: 6_000,
    ask: (user: string) => {
      const corrections = [{ eventId: user === 'ada' ? veteransEvent : eventId, value: 2 }];
      return ask('/admin/v1/corrections/previews', { method: 'POST', body: JSON.stringify({ corrections }) });
    },
  },
  {
    what: 'an erasure',
    mostOfVeteran: 20_000,
    ask: (user: string) => ask(`/admin/v1/users/${user}?preview=true`, { method: 'DELETE' }),
  },
];

/** Folding all the events twice takes minutes: at night. */
const OF_VETERAN = PREVIEWS.filter(({ what }) => IS_LARGE || what !== 'a correction');

describe(`the service on a database with ${USERS.toLocaleString('en')} users, one of them with 100,000 events,`, () => {
  it('is asked for every GET operation', () => {
    const reads = OPERATIONS.filter(({ method, scope }) => method === 'get' && scope !== null);
    const known = [...Object.keys(READS), ...LEFT_OUT, ...EXPORTS];
    expect(known.sort()).toEqual(reads.map(({ id }) => id).sort());
  });

  it('holds the expected number of users, awards and standings', async () => {
    const [row] = await database.sql.query(
      `select (select count(*) from user_states)::int as users, (select count(*) from effects where systems is not null)::int as awards,
        (select count(*) from board_standings where board = 2)::int as standings`,
      [],
    );
    expect(row).toMatchObject({ users: USERS + 2, standings: USERS + 2 });
    expect((row as { awards: number }).awards).toBeGreaterThan(EVENTS + USERS);
  });

  it('has a full board with many more users beyond its last place', async () => {
    const { rankings } = JSON.parse(await ask(READS['getLeaderboard'] ?? '')) as { rankings: readonly unknown[] };
    expect(rankings).toHaveLength(10);
  });

  it.each(Object.entries(READS))(
    `answers %s with at most ${MOST_BUFFERS} buffers and without a table scan`,
    async (_, path) => {
      const { buffers, scanned } = await countedOf(path);
      expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
      expect(await grownIn(scanned)).toEqual([]);
    },
  );

  it.each(['behind', 'newest'] as const)(
    'answers each poll of the live feed (%s) within the limit of buffers',
    async (read) => {
      const { live } = served.service;
      const { buffers, scanned } = await countedIn(async () => {
        const { records } = await live[read]('default', (await live.applied()) - 1_000, 50);
        expect(records.length).toBeGreaterThan(0);
        await live.entries('default', records);
      });
      expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
      expect(await grownIn(scanned)).toEqual([]);
    },
  );

  it('lists users by id within the limit of buffers', async () => {
    const { buffers, scanned } = await countedOf('/admin/v1/users?limit=40');
    expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
    expect(await grownIn(scanned)).toEqual([]);
  });

  it('plans a configuration within the limit of buffers', async () => {
    const { document } = JSON.parse(await ask(READS['getConfiguration'] ?? '')) as { document: { metrics: object[] } };
    document.metrics.push({ key: 'reviews', name: 'Reviews' });
    const body = JSON.stringify({ document });
    const { buffers, scanned } = await countedIn(() => ask('/admin/v1/configurations/plan', { method: 'POST', body }));
    expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
    expect(await grownIn(scanned)).toEqual([]);
  });

  it.each([
    ['limit=1000&types=streak.lost', 1_000],
    ['types=streak.lost,achievement.completed', 100],
    ['limit=1000&types=user.erased', 0],
  ])('returns outcomes by %s within the limit of buffers', async (query, found) => {
    const path = `/admin/v1/outcomes?${query}`;
    expect((await ask(path)).split('\n')).toHaveLength(found + 1);
    const { buffers, scanned } = await countedOf(path);
    expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
    expect(await grownIn(scanned)).toEqual([]);
  });

  it('returns the log within the limit of buffers, also with many users and by type', async () => {
    await database.sql.query(
      `with made as (
         insert into events (position, subject, occurred_at, recorded_at, event_id, configuration_version, schema_version, type, imported,
           account, metric, value)
         select h.position + row_number() over (order by s.user_id), s.subject, now(), e.recorded_at, gen_random_uuid(), 1, e.schema_version,
           e.type, false, e.account, 'lessons', 1
         from (select * from events where metric = 'lessons' order by position limit 1) e, log_head h,
           (select * from subjects where user_id like 'bea %' order by md5(user_id) limit 30) s
         returning position
       ) update log_head set position = (select max(position) from made)`,
      [],
    );
    const [head] = await database.sql.query<{ position: string }>('select position from log_head', []);
    const behind = Buffer.from(`log:${Number(head?.position) - 30}`).toString('base64url');
    const path = `/admin/v1/events?after=${behind}`;
    const users = (await ask(path)).split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).userId]));
    expect(new Set(users).size).toBe(30);
    for (const asked of [path, '/admin/v1/events?types=UserErased', '/admin/v1/events?types=MetricEventRecorded']) {
      const { buffers, scanned } = await countedOf(asked);
      expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
      expect(await grownIn(scanned)).toEqual([]);
    }
  });

  it.each(['email=bea%40example.org', 'name=be'])('finds users by %s within the limit of buffers', async (query) => {
    await served.service.userSearch.turn(true);
    const path = `/admin/v1/users?limit=20&${query}`;
    expect((JSON.parse(await ask(path)) as { users: readonly unknown[] }).users).toHaveLength(20);
    expect(await buffersOf(path)).toBeLessThanOrEqual(MOST_BUFFERS);
  });

  it('explains every entry of any page of 100,000 events within the limit of buffers', async () => {
    const first = READS['explainPoints'] ?? '';
    const cursors = ['', ...DEEP.map((position) => `&cursor=${cursorAt(position)}`)];
    for (const cursor of cursors) {
      const page = JSON.parse(await ask(`${first}${cursor}`)) as ExplainedPointsAnswer;
      expect(page).toMatchObject({ complete: true, preparing: false });
      expect(page.entries.length).toBeGreaterThan(20);
      for (const { times, nominal, change, cutBy } of page.entries) {
        expect(times).toBeGreaterThan(0);
        expect([nominal === change, cutBy]).toEqual([cutBy === null, cutBy]);
      }
      expect(await buffersOf(`${first}${cursor}`)).toBeLessThanOrEqual(MOST_BUFFERS);
    }
    const ofEvent = `/admin/v1/users/ada/explain/points/xp/events/${veteransEvent}`;
    expect(JSON.parse(await ask(ofEvent))).toMatchObject({ complete: true, missed: [] });
    expect(await buffersOf(ofEvent)).toBeLessThanOrEqual(MOST_BUFFERS);
    const { periods } = JSON.parse(await ask(READS['explainStreak'] ?? '')) as ExplainedStreakAnswer;
    expect(periods.filter(({ conditions }) => conditions?.length === 1).length).toBeGreaterThan(0);
  });

  it.each(DEEP)('lists the events of a user from %d events back within the limit of buffers', async (back) => {
    const position = await positionBack(back);
    const cursor = Buffer.from(`timeline:${position}`).toString('base64url');
    const path = `/admin/v1/users/ada/events?limit=50&cursor=${cursor}`;
    const { events, next } = JSON.parse(await ask(path)) as UserTimeline;
    expect(events).toHaveLength(50);
    expect(Buffer.from(next ?? '', 'base64url').toString()).toBe(`timeline:${await positionBack(back + 50)}`);
    const { buffers, scanned } = await countedOf(path);
    expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
    expect(await grownIn(scanned)).toEqual([]);
  });

  it.each(DEEP)(
    'explains a place by 100,000 changes from %d changes back within the limit of buffers',
    async (back) => {
      const position = await positionBack(back);
      const cursor = Buffer.from(`board:2026-01-01:${position}:0`).toString('base64url');
      const path = `${READS['explainStanding']}&cursor=${cursor}`;
      const { contributions, next } = JSON.parse(await ask(path)) as ExplainedStandingAnswer;
      expect(contributions.map(({ awards }) => awards?.length)).toEqual(Array.from({ length: 50 }, () => 2));
      expect(Buffer.from(next ?? '', 'base64url').toString()).toMatch(
        new RegExp(`^board:2026-01-01:${await positionBack(back + 50)}:`),
      );
      const { buffers, scanned } = await countedOf(path);
      expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
      expect(await grownIn(scanned)).toEqual([]);
    },
  );

  it.each([
    'explain/leaderboards/month?limit=50',
    'explain/leaderboards/month?limit=50&run=2026-01-15',
    'explain/leaderboards/streak?limit=50',
    'explain/achievements/both',
    'explain/achievements/far',
    'explain/achievements/long',
    'explain/achievements/called',
    'explain/streak?periods=100&date=2026-03-01',
    'explain/streak?periods=100&date=2025-01-01',
    'explain/streak?periods=100&date=2016-06-01',
  ])('explains the user with 100,000 events within the limit of buffers: %s', async (explanation) => {
    const { buffers, scanned } = await countedOf(`/admin/v1/users/ada/${explanation}`);
    expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
    expect(await grownIn(scanned)).toEqual([]);
  });

  it('shows an old and a new event of the user with 100,000 events within the limit of buffers', async () => {
    const [between] = await database.sql.query<{ event_id: string }>(
      'select event_id from events where position = $1',
      [await positionBack(50_000)],
    );
    for (const id of [veteransEvent, between?.event_id ?? '']) {
      const path = `/admin/v1/events/${id}`;
      const { caused } = JSON.parse(await ask(path)) as ExplainedEventAnswer;
      expect(caused).toMatchObject([{ userId: 'ada' }]);
      const types = caused.flatMap(({ effects }) => effects.map(({ type }) => type));
      expect(types).toEqual(expect.arrayContaining(['PointsAwarded', 'RankChanged']));
      const { buffers, scanned } = await countedOf(path);
      expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
      expect(await grownIn(scanned)).toEqual([]);
    }
  });

  it('shows the effects of a sweep of 200 users, page by page, within the limit of buffers', async () => {
    const [sweep] = await database.sql.query<{ event_id: string }>(SWEEP_OF_MANY, [USERS / 250]);
    let seen = 0;
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/admin/v1/events/${sweep?.event_id}?limit=10${cursor && `&cursor=${cursor}`}`;
      const { caused, next } = JSON.parse(await ask(path)) as ExplainedEventAnswer;
      expect(caused.flatMap(({ effects }) => effects).length).toBeGreaterThan(0);
      seen += caused.length;
      const { buffers, scanned } = await countedOf(path);
      expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
      expect(await grownIn(scanned)).toEqual([]);
      cursor = next;
    }
    expect(seen).toBe(200);
  });

  it('exports the outcomes of a user within the limit of buffers a page, also when there are none', async () => {
    const pagesOf = async (user: string) => {
      const subject = (await served.service.directory.find('default', user)) ?? 0;
      const counted = new CountedBuffers(database.sql);
      return { counted, pages: outcomesOfUser(counted, 'default', subject) };
    };
    const { counted, pages } = await pagesOf('ada');
    for (let page = 0; page < 60; page++) {
      const before = counted.buffers;
      expect((await pages.next()).value).toHaveLength(200);
      expect(counted.buffers - before).toBeLessThanOrEqual(MOST_BUFFERS);
    }
    const none = await pagesOf('bea');
    let windows = 0;
    for await (const page of none.pages) {
      windows++;
      expect(page).toEqual([]);
    }
    expect(windows).toBe((2 * EVENTS) / 10_000);
    expect(none.counted.buffers).toBeLessThanOrEqual(windows * MOST_BUFFERS);
    expect(await grownIn(none.counted.scanned)).toEqual([]);
  });

  it.each(PREVIEWS)('previews $what of a user with one event within the limit of buffers', async ({ ask: preview }) => {
    const { buffers, scanned } = await countedIn(() => preview('bea'));
    expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
    expect(await grownIn(scanned)).toEqual([]);
  });

  it.each(OF_VETERAN)(
    'previews $what of the user with 100,000 events with at most $mostOfVeteran buffers',
    async ({ ask: preview, mostOfVeteran }) => {
      expect((await countedIn(() => preview('ada'))).buffers).toBeLessThanOrEqual(mostOfVeteran);
    },
  );

  it('lists the newest of 100,000 changes of a time zone within the limit of buffers', async () => {
    const [of, newest] = [
      "subject = (select subject from subjects where user_id = 'ada')",
      'order by position desc limit 1000',
    ];
    await database.sql.query(
      `insert into user_zones select subject, position, 'Asia/Tokyo' from effects where ${of} on conflict do nothing`,
      [],
    );
    await database.sql.query(
      `update effects set users = '[["zone","Europe/Berlin","Asia/Tokyo"]]'
       where ${of} and position in (select position from effects where ${of} ${newest})`,
      [],
    );
    await database.sql.query('vacuum analyze user_zones, effects', []);
    const path = READS['explainStreak'] ?? '';
    expect((JSON.parse(await ask(path)) as ExplainedStreakAnswer).zoneChanges).toHaveLength(20);
    for (const asked of [path, READS['explainStanding'] ?? '']) {
      const { buffers, scanned } = await countedOf(asked);
      expect(buffers).toBeLessThanOrEqual(MOST_BUFFERS);
      expect(await grownIn(scanned)).toEqual([]);
    }
  });

  it('exceeds the limit with a read that looks at every user, so these tests can fail', async () => {
    expect(await buffersOf('/v1/points/odd/level-summary')).toBeGreaterThan(MOST_BUFFERS);
  });

  it('is seen to scan when it reads a whole table, so these tests can fail', async () => {
    const counted = new CountedBuffers(database.sql);
    // All columns: no index has them, so the planner cannot take one in the table's place.
    await counted.query('select * from user_states offset 1000 limit 1', []);
    expect(await grownIn(counted.scanned)).toEqual(['user_states']);
  });
});
