import { ACCOUNT, type CommandResult, type RecordMetricEvent } from '@laurel/kernel';
import { keyHashOf, typeNumberOf } from '@laurel/event-store';
import type { Clock } from '@laurel/ports';
import { Health, createClock, createLogger } from '@laurel/runtime';
import { subjectOf } from '@laurel/testing/subjects';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { HISTORY_CONFIGURATION } from '@laurel/testing/histories';
import { keyLog, startService, type Service } from './start-service.ts';
import { QUIET } from './testing/quiet.ts';
import { parseDocument } from '@laurel/configuration';
import { HeldFile, openKeys } from '@laurel/administration';
import { serveHttp } from './serve-http.ts';
import { ServiceMetrics } from './service-metrics.ts';
import { TEST_KEY } from './testing/serve-in-process.ts';
import pg from 'pg';

const clock = createClock({ type: 'system' });
const { document } = parseDocument(HISTORY_CONFIGURATION, 'test');

describe('the sweep', () => {
  const START = Date.parse('2026-03-10T08:00:00Z');
  const HOUR = 3_600_000;
  let now = START;
  const hand: Clock = { ...clock, now: () => now };

  it('settles and ends streaks of silent users, so boards and reads agree', async () => {
    now = START;
    const database = await openTestDatabase([]);
    const service = await startService(database.connection, hand, QUIET);
    await service.engine.publishConfiguration(ACCOUNT, document);
    await service.engine.submit([event('ada', null), event('bob', null), { ...event('eve', null), value: 0n }]);
    const board = async (key: string) => {
      const run = service.reads.leaderboards.run(ACCOUNT, key, now, null);
      const rankings = run
        ? await service.reads.leaderboards.rankings(ACCOUNT, key, run, { offset: 0, limit: 10 })
        : [];
      return rankings.map(({ subject, value }) => [subject, Number(value) / 1e6]);
    };
    expect(await board('streaks')).toEqual([
      [subjectOf('ada'), 1],
      [subjectOf('bob'), 1],
    ]);

    now = START + 22 * HOUR;
    await service.engine.sweep();
    // One sweep settles them at one instant, in the order of their subjects.
    expect(await board('energy')).toEqual(
      ['ada', 'bob', 'eve']
        .map(subjectOf)
        .sort((a, b) => a - b)
        .map((subject) => [subject, 6]),
    );
    expect(await service.reads.points.standing(ACCOUNT, subjectOf('eve'), 'energy', now)).toMatchObject({ total: 6n });
    await service.engine.submit([event('bob', null)]);

    now = START + 60 * HOUR;
    await service.engine.sweep();
    expect(await board('streaks')).toEqual([[subjectOf('bob'), 2]]);
    const run = service.reads.leaderboards.run(ACCOUNT, 'streaks', now, null);
    const history = run
      ? await service.reads.leaderboards.history({ account: ACCOUNT, subject: subjectOf('ada') }, 'streaks', run, 10)
      : [];
    expect(history.map(({ at, value, rank }) => [new Date(at).toISOString(), Number(value) / 1e6, rank])).toEqual([
      ['2026-03-10T08:00:00.000Z', 1, 1],
      ['2026-03-12T00:00:00.000Z', 0, null],
    ]);

    const before = await stored(database);
    await service.engine.sweep();
    expect(await stored(database)).toEqual(before);
    await service.close();
    await database.close();
  });

  it('settles many users in bounded steps, each a record, and skips an account with an open import', async () => {
    now = START;
    const database = await openTestDatabase([]);
    const service = await startService(database.connection, hand, QUIET);
    await service.engine.publishConfiguration(ACCOUNT, document);
    await service.engine.submit(
      Array.from({ length: 450 }, (_, index) => ({ ...event(`user-${index}`, null), occurredAt: START })),
    );
    now = START + 10 * HOUR;
    await service.engine.sweep();
    expect(await sweptUsers(database)).toEqual([]);
    await service.engine.finishImport(ACCOUNT);
    await service.engine.sweep();
    expect((await sweptUsers(database)).map((users) => users.length)).toEqual([200, 200, 50]);
    expect(new Set((await sweptUsers(database)).flat()).size).toBe(450);
    await service.close();
    await database.close();
  });

  const UNCAPPED = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
points: [{ key: xp, name: XP, triggers: [{ type: time, unit: hour, interval: 1, points: 1 }] }]
leaderboards: [{ key: xp, name: XP, rankBy: points, pointsSystem: xp, start: 2020-01-01, runUnit: month, runInterval: 1 }]
`;

  it('settles a user after years of absence in chunks, each a record that fits into a batch', async () => {
    now = START;
    const database = await openTestDatabase([]);
    const service = await startService(database.connection, hand, QUIET);
    await service.engine.publishConfiguration(ACCOUNT, parseDocument(UNCAPPED, 'test').document);
    const created = START - 40_000 * HOUR;
    await service.engine.submit([{ ...event('ada', null), occurredAt: created }]);
    const both = [event('ada', 'back'), event('bob', null)].map((command) => ({ ...command, occurredAt: START - 1 }));
    const [back, bob] = await service.engine.submit(both);
    expect(back).toMatchObject({ kind: 'recorded', sections: { users: { total: 2_000_000n } } });
    expect(bob).toMatchObject({ kind: 'recorded' });
    expect(await service.reads.points.standing(ACCOUNT, subjectOf('ada'), 'xp', START - 1)).toMatchObject({
      total: 39_999n,
    });
    const [stored] = await database.sql.query<{ awards: string; most: string; sum: string }>(
      `select sum(n) as awards, max(n) as most, sum(points) as sum
         from (
           select count(*) as n, sum((award ->> 1)::numeric) as points
           from effects, jsonb_array_elements(points::jsonb) award group by position
         ) per_record`,
      [],
    );
    expect([Number(stored?.awards), Number(stored?.sum)]).toEqual([39_999, 39_999]);
    expect(Number(stored?.most)).toBeLessThanOrEqual(5_000);
    expect((await sweptUsers(database)).every((users) => users.join() === String(subjectOf('ada')))).toBe(true);
    expect((await service.engine.submit(both.slice(0, 1)))[0]?.kind).toBe('replayed');
    await service.engine.finishImport(ACCOUNT);
    now = START + 12_000 * HOUR;
    await service.engine.sweep();
    expect(await service.reads.points.standing(ACCOUNT, subjectOf('ada'), 'xp', now)).toMatchObject({ total: 52_000n });
    const [rows] = await database.sql.query<{ n: string }>(
      'select count(*) as n from effects, jsonb_array_elements(points::jsonb) where subject = $1',
      [subjectOf('ada')],
    );
    expect(Number(rows?.n)).toBe(52_000);
    await service.close();
    await database.close();
  });

  const sweptUsers = async ({ sql }: TestDatabase): Promise<number[][]> => {
    const rows = await sql.query<{ data: { subjects: number[] } }>(
      'select data from events where type = $1 order by position',
      [typeNumberOf('UsersSwept')],
    );
    return rows.map(({ data }) => data.subjects);
  };
});

describe('the service on a real database', () => {
  let database: TestDatabase;
  let service: Service;

  beforeEach(async () => {
    database = await openTestDatabase([]);
    service = await startService(database.connection, clock, QUIET);
    await service.engine.publishConfiguration(ACCOUNT, document);
  });
  afterEach(async () => {
    await service.close();
    await database.close();
  });

  it('loses and duplicates no event when its connections are cut repeatedly under load', async () => {
    const answered: CommandResult[] = [];
    let sending = true;
    const cutting = (async () => {
      for (let cut = 0; cut < 6; cut++) {
        await until(() => answered.length > cut * 60);
        await database.sql.query(
          `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'laurel%' and datname = current_database()`,
          [],
        );
      }
      sending = false;
    })();
    const callers = Array.from({ length: 16 }, async (_, caller) => {
      for (let sent = 0; sending || sent < 10; sent++) {
        const [outcome] = await service.engine.submit([event(`user-${caller % 4}`, `${caller}-${sent}`)]);
        answered.push(outcome as CommandResult);
      }
    });
    await Promise.all([cutting, ...callers]);
    expect(answered.map(({ kind }) => kind)).toEqual(answered.map(() => 'recorded'));
    const totals = await Promise.all(
      [0, 1, 2, 3].map(
        async (user) =>
          (await service.reads.users.find(ACCOUNT, subjectOf(`user-${user}`)))?.totals.get('lessons') ?? 0n,
      ),
    );
    expect(totals.reduce((sum, total) => sum + total, 0n)).toBe(BigInt(answered.length) * 1_000_000n);
    const [stored] = await database.sql.query<{ events: string }>(
      'select count(*) as events from events where metric is not null',
      [],
    );
    expect(Number(stored?.events)).toBe(answered.length);
    expect(service.engine.status().queue).toBe('open');
  });

  it('continues after a restart exactly where it stopped', async () => {
    const before = await service.engine.submit([event('ada', 'a'), event('bob', 'b'), event('ada', 'c')]);
    const state = await stored(database);
    await service.close();
    service = await startService(database.connection, clock, QUIET);
    expect(await stored(database)).toEqual(state);
    const [replayed, next] = await service.engine.submit([event('ada', 'a'), event('ada', 'd')]);
    expect(replayed).toMatchObject({ kind: 'replayed', eventId: before[0]?.kind === 'recorded' && before[0].eventId });
    expect(next).toMatchObject({
      kind: 'recorded',
      sections: { users: { total: 3_000_000n }, leaderboards: { boards: [{ previousRank: 1, rank: 1 }, {}] } },
    });
  });

  it('answers reads with 503 while the database is unreachable, and recovers', async () => {
    await service.engine.submit([event('ada', null)]);
    const keys = await openKeys({
      dataSource: service.dataSource,
      account: ACCOUNT,
      given: TEST_KEY,
      clock,
      log: keyLog(service),
      onTrouble: () => undefined,
    });
    const http = await serveHttp({
      service,
      keys,
      heldFile: HeldFile.NONE,
      health: new Health(clock),
      logger: createLogger('silent'),
      clock,
      metrics: new ServiceMetrics('off'),
    });
    await database.sql.query("insert into subjects values ($1, $2, 'ada', '')", [ACCOUNT, subjectOf('ada')]);
    const ask = () => http.fastify.inject({ url: '/v1/users/ada', headers: { 'x-api-key': TEST_KEY } });
    const { database: name } = database.connection;
    await onServer(database, `alter database ${name} allow_connections false`);
    await onServer(
      database,
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}' and pid <> pg_backend_pid()`,
    );
    const refused = await ask();
    expect([refused.statusCode, refused.headers['retry-after'], refused.json().code]).toEqual([
      503,
      '1',
      'unavailable',
    ]);
    const waiting = service.engine.submit([event('ada', null)]);
    await onServer(database, `alter database ${name} allow_connections true`);
    expect((await waiting)[0]?.kind).toBe('recorded');
    expect((await ask()).statusCode).toBe(200);
    await http.close();
  });

  it('refuses a second process on the same database', async () => {
    await expect(startService(database.connection, clock, QUIET)).rejects.toThrow(
      'another Laurel process writes to this database',
    );
    expect((await service.engine.submit([event('ada', null)]))[0]?.kind).toBe('recorded');
  });
});

const event = (userId: string, idempotencyKey: string | null): RecordMetricEvent => ({
  type: 'RecordMetricEvent',
  account: ACCOUNT,
  subject: subjectOf(userId),
  metric: 'lessons',
  value: 1_000_000n,
  user: {},
  attributes: new Map(),
  keyHash:
    idempotencyKey === null
      ? null
      : keyHashOf({ account: ACCOUNT, subject: subjectOf(userId), metric: 'lessons', key: idempotencyKey }),
  occurredAt: null,
});

/** On another database of the same server: the one under test lets nobody in. */
async function onServer({ connection }: TestDatabase, sql: string): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  await client.query(sql);
  await client.end();
}

async function stored({ sql }: TestDatabase) {
  const tables = [
    'events',
    'user_states',
    'board_standings',
    'effects',
    'streak_periods',
    'achievement_completions',
    'rank_changes',
  ];
  return Promise.all(tables.map((table) => sql.query(`select * from ${table} t order by t::text`, [])));
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
