import { ACCOUNT } from '@laurel/kernel';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { createClock } from '@laurel/runtime';
import { serveInProcess, type Served } from '../testing/serve-in-process.ts';
import { builtInRequests, newestRequests } from './sample-requests.ts';
import { warmUp } from './warm-up.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }, { key: words, name: Words }]
streak: { frequency: daily, mode: any, conditions: [{ metric: lessons, threshold: 1 }] }
achievements: [{ key: first, name: First, trigger: { type: metric, metric: lessons, value: 1 } }]
points:
  - key: xp
    name: XP
    triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }, { type: time, unit: hour, interval: 1, points: 1 }]
leaderboards: [{ key: top, name: Top, rankBy: metric, metric: lessons, start: 2020-01-01 }]
`;
const clock = createClock({ type: 'system' });
const METRICS = new Set(['lessons', 'words']);
const BOUNDS = { events: 100, bytes: 1_000_000, cpuMs: 60_000 };

describe('warming up', () => {
  let database: TestDatabase;
  let served: Served;
  beforeEach(async () => {
    database = await openServiceDatabase();
    served = await serveInProcess(database.connection, CONFIGURATION, clock);
  });
  afterEach(async () => {
    await served.close();
    await database.close();
  });

  async function post(user: object, metric = 'lessons', value = 1): Promise<void> {
    const { statusCode } = await served.http.fastify.inject({
      method: 'POST',
      url: `/api/metrics/${metric}/event`,
      headers: { 'x-api-key': served.apiKey },
      payload: { user, value },
    });
    expect(statusCode).toBe(201);
  }

  async function everything() {
    const { service, http } = served;
    const [{ text }] = (await database.sql.query(
      `select string_agg(table_name || ' ' || (xpath('/row/n/text()',
         query_to_xml(format('select count(*) || md5(string_agg(t::text, chr(10) order by t::text)) as n from %I t', table_name), false, true, '')))[1]::text,
         chr(10) order by table_name) as text
       from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      [],
    )) as [{ text: string }];
    const metrics = (await http.fastify.inject({ url: '/metrics' })).body;
    const { queue, waiting, head, areas, damagedUsers } = service.engine.status();
    return {
      tables: text,
      digest: await service.digest(ACCOUNT),
      status: { queue, waiting, head, areas, damagedUsers },
      counters: metrics
        .split('\n')
        .filter((line) => /^laurel_(events|batch|commit|http)/.test(line) && !line.includes('/metrics')),
    };
  }

  it('runs the permitted number of events and leaves everything as it was', async () => {
    for (let user = 0; user < 5; user++)
      await post({ id: `u${user}`, name: 'Ada', tz: 'Europe/Berlin', attributes: { a: 'b' } });
    const before = await everything();
    expect(before.tables).toContain('user_states 5');
    expect(before.counters.join()).toContain('outcome="recorded",code="",process="standalone"} 5');
    expect(await warmUp(served.service, clock, BOUNDS)).toBe(100);
    expect(await everything()).toEqual(before);
    await post({ id: 'u0' });
  });

  it('invents events when the log holds none or cannot be read', async () => {
    expect(await warmUp(served.service, clock, BOUNDS)).toBe(100);
    await post({ id: 'u' });
    const log = { head: () => Promise.reject(new Error('unreadable')), read: () => Promise.resolve([]) };
    const { engine, reads } = served.service;
    expect(await warmUp({ engine, reads, log }, clock, BOUNDS)).toBe(100);
  });

  it('starts no more requests once it has used its CPU time', async () => {
    let used = 0;
    expect(await warmUp(served.service, clock, { ...BOUNDS, cpuMs: 50 }, () => (used += 25))).toBe(32);
  });

  it('repeats the newest events in their order, as many as the limit of bytes permits', async () => {
    for (const user of ['a', 'b', 'c', 'd']) await post({ id: user, attributes: { plan: 'pro' } }, 'words', 2.5);
    const { log, directory } = served.service;
    const subjects = await directory.assignAll(ACCOUNT, ['a', 'b', 'c', 'd']);
    const bodies = async (bounds: object) =>
      (await newestRequests(log, METRICS, { ...BOUNDS, ...bounds })).map(({ body }) => JSON.parse(body));
    const body = (id: string) => ({
      user: { id: `user-${subjects.get(id)}`, attributes: { plan: 'pro' } },
      value: 2.5,
      attributes: {},
    });
    expect(await bodies({})).toEqual(['a', 'b', 'c', 'd'].map(body));
    expect(await bodies({ events: 2 })).toEqual(['c', 'd'].map(body));
    const bytes = ['a', 'b'].reduce((sum, user) => sum + JSON.stringify(body(user)).length, 0);
    expect(await bodies({ bytes })).toEqual(['a', 'b'].map(body));
    expect(await newestRequests(log, new Set(['lessons']), BOUNDS)).toEqual([]);
  });
});

describe('invented requests', () => {
  it('cover every metric', () => {
    const made = builtInRequests(['lessons', 'words']);
    expect(new Set(made.map(({ metric }) => metric))).toEqual(METRICS);
    expect(JSON.parse(made[0]?.body ?? '')).toEqual({ user: { id: 'user-0', tz: 'UTC' }, value: 1 });
  });
});
