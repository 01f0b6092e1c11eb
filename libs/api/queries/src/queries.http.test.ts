import type { BoardRun } from '@laurel/kernel';
import {
  dayCounts,
  leaderboard,
  leaderboardRunPage,
  level,
  levelUsers,
  listedAchievement,
  userAchievement,
  listedLeaderboard,
  metricBucket,
  ProblemError,
  problemOf,
  pointsRange,
  pointsSystem,
  problem,
  rankedStreak,
  streakSurvival,
  user,
  userLeaderboard,
  userMetric,
  userPoints,
  userStreak,
} from '@laurel/schemas';
import {
  createClock,
  createHttpApplication,
  createLogger,
  fullScopeKey,
  Health,
  type HttpApplication,
} from '@laurel/runtime';
import { subjectOf } from '@laurel/testing/subjects';
import { findUnguarded, historyOf, sampleConfiguration, MemoryDirectory } from '@laurel/testing/http-modules';
import type { z } from 'zod';
import type { QueryPorts } from './ports.ts';
import { QueriesModule } from './queries-module.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const KEY = 'a key for the tests only';
const DAY = '2026-06-01';
const ADA = 'ada/lovelace';
const CONFIGURATION = sampleConfiguration('default');

/** Reads that know one user, and note what they were asked. */
function memoryReads(asked: unknown[][]): QueryPorts {
  const configuration = CONFIGURATION;
  const note = <T>(answer: T, ...question: unknown[]): T => {
    asked.push(question);
    return answer;
  };
  const month: BoardRun = { start: '2026-06-01', end: '2026-06-30' };
  return {
    explain: () => Promise.reject(new ProblemError(problemOf('not_in_this_topology', 'The log is elsewhere.'))),
    clock: createClock({ type: 'frozen', at: NOW }),
    configuration: () => historyOf(configuration),
    directory: new MemoryDirectory(ADA, '__proto__', 'nameless'),
    users: {
      profiles: () => Promise.reject(new Error('nobody asks')),
      find: async (account, id) =>
        account === 'default' && (id === subjectOf(ADA) || id === subjectOf('__proto__'))
          ? {
              name: id === subjectOf(ADA) ? 'Ada' : null,
              email: null,
              tz: id === subjectOf(ADA) ? 'Pacific/Kiritimati' : null,
              attributes: new Map([['__proto__', 'x']]),
              subscribeToEmails: false,
              deviceTokens: ['token'],
              notifications: {},
              createdAt: NOW - 1,
              updatedAt: NOW,
              totals: new Map([['commits', 1_500_000n]]),
              attributeHashes: new Map(),
            }
          : null,
      names: async (_account, ids) => new Map(ids.filter((id) => id === subjectOf(ADA)).map((id) => [id, 'Ada'])),
      count: async () => 3,
      dayCounts: async (_account, range) =>
        note([{ date: '2026-03-02', newUsers: 1, activeUsers: 3 }], 'user days', range),
      metricDayCounts: async (_account, metrics, range) =>
        note(
          [
            { metric: 'commits', date: '2026-03-02', events: 4, total: 2_500_000n },
            { metric: '__proto__', date: '2026-03-02', events: 1, total: 10n ** 23n },
          ],
          'metric days',
          metrics,
          range,
        ),
      metricSummary: async (_account, _id, metric, query) =>
        note([{ date: DAY, total: 10n ** 23n + 1n, change: -1_500_000n }], 'metric summary', metric, query),
    },
    streaks: {
      view: async (_account, id) => ({
        length: id === subjectOf(ADA) ? 3 : 0,
        frequency: 'daily',
        started: DAY,
        periodStart: DAY,
        periodEnd: DAY,
        expires: DAY,
        extendedAt: id === subjectOf(ADA) ? NOW : null,
      }),
      lengths: async (_account, ids) =>
        new Map(ids.filter((id) => id === subjectOf(ADA)).map((id) => [id, { length: 3, extendedAt: NOW }])),
      history: async (_account, _id, at, periods) =>
        note([{ periodStart: DAY, periodEnd: DAY, length: 3, usedFreeze: true }], 'history', at, periods),
      survival: async (_account, most) =>
        note({ lengths: [{ length: 1, reached: 7, ended: 2 }], longest: 1_204 }, 'survival', most),
    },
    achievements: {
      completedBy: async () => new Map([['first', NOW]]),
      matchingSums: async () => new Map(),
      counts: async () => new Map([['first', 1]]),
    },
    points: {
      standing: async () => ({ total: 10n ** 17n + 1n, earned: 10n ** 17n + 1n }),
      boosts: async () => [],
      awards: async (_user, system, at, limit) =>
        note(
          [
            { id: 'a2', triggerId: 't-time', awarded: 1n, total: 11n, at: NOW },
            { id: 'a1', triggerId: 'long gone', awarded: 10n, total: 10n, at: NOW - 1 },
          ],
          'awards',
          system,
          at,
          limit,
        ),
      summary: async (_user, system, at, query) =>
        note([{ date: DAY, total: 10n ** 17n + 1n, change: -3n }], 'summary', system, at, query),
      dayCounts: async (_account, systems, range) =>
        note(
          [{ system: 'xp', date: '2026-03-03', awarded: 10n ** 17n + 1n, consumed: 5n }],
          'point days',
          systems,
          range,
        ),
      usersByLevel: async (_account, system) =>
        configuration.pointsSystemByKey.get(system)!.levels.map((one, index) => ({ level: one, users: index + 1 })),
      usersByRange: async (_account, system) => note([{ from: 1n, to: 10n ** 17n + 1n, users: 2 }], 'ranges', system),
    },
    leaderboards: {
      status: (_account, board) => (board === 'streaks' ? 'finished' : board === 'weekly-xp' ? 'scheduled' : 'active'),
      run: (_account, board, _at, date) =>
        note(board === 'weekly-xp' || (date ?? DAY) < '2026-01-01' ? null : month, 'run', board, date),
      runs: async (_account, board, _at, { before, limit }) =>
        note(
          [
            { start: '2026-03-01', end: '2026-03-31', participants: 7, isFinal: false, changedAt: null },
            { start: '2026-02-01', end: '2026-02-28', participants: 0, isFinal: true, changedAt: NOW },
          ].slice(0, limit),
          'runs',
          board,
          before,
          limit,
        ),
      changedAt: async (_account, board) => (board === 'monthly' ? NOW : null),
      rankings: async (_account, board, run, { offset, limit }) =>
        note(
          [
            { subject: subjectOf(ADA), rank: offset + 1, value: 2_500_000n },
            { subject: subjectOf('nameless'), rank: offset + 2, value: 10n ** 23n },
          ],
          'rankings',
          board,
          run.start,
          offset,
          limit,
        ),
      standing: async (_account, _board, _run, id) =>
        id === subjectOf(ADA) ? { rank: 5, value: 1n } : { rank: null, value: null },
      history: async (_user, _board, _run, limit) =>
        note([{ at: NOW, previousRank: null, rank: 5, previousValue: null, value: 1n }], 'entries', limit),
    },
  };
}

let http: HttpApplication;
let asked: unknown[][];
beforeAll(async () => {
  asked = [];
  http = await createHttpApplication({
    modules: [QueriesModule.register(memoryReads(asked))],
    keys: fullScopeKey(KEY, 'default'),
    health: new Health(createClock({ type: 'system' })),
    logger: createLogger('silent'),
  });
});
beforeEach(() => void (asked.length = 0));
afterAll(() => http.close());

const get = (url: string) => http.fastify.inject({ url, headers: { 'x-api-key': KEY } });

/** The answer, which must be 200 and of that shape and carry every field of it that is not tied to a condition. */
async function read<Shape extends z.ZodType>(url: string, shape: Shape) {
  const response = await get(url);
  expect({ url, status: response.statusCode }).toEqual({ url, status: 200 });
  const json = response.json();
  for (const one of [json].flat()) expect(shape.safeParse(one).error).toBeUndefined();
  return json;
}

async function refused(url: string, status: number, code: string, ...paths: string[]) {
  const response = await get(url);
  const json = response.json();
  expect({ url, status: response.statusCode, code: json.code }).toEqual({ url, status, code });
  expect(problem.safeParse(json).error).toBeUndefined();
  expect((json.errors ?? []).map(({ path }: { path: string }) => path)).toEqual(paths);
}

const ada = `/v1/users/${encodeURIComponent(ADA)}`;

describe('reads about all users', () => {
  it('return every requested day with exact numbers, and zeros for days without events', async () => {
    const range = { from: '2026-03-01', to: '2026-03-03' };
    const { body } = await get('/admin/v1/days?from=2026-03-01&to=2026-03-03');
    expect(body).toBe(
      `{"days":[${[
        '{"date":"2026-03-01","events":0,"activeUsers":0,"newUsers":0,"metrics":{},"points":{}}',
        '{"date":"2026-03-02","events":5,"activeUsers":3,"newUsers":1,"metrics":{"commits":{"events":4,"value":2.5},"__proto__":{"events":1,"value":100000000000000000}},"points":{}}',
        '{"date":"2026-03-03","events":0,"activeUsers":0,"newUsers":0,"metrics":{},"points":{"xp":{"awarded":100000000000000001,"consumed":5}}}',
      ].join(',')}]}`,
    );
    expect(asked).toEqual([
      ['user days', range],
      ['metric days', [...CONFIGURATION.metricByKey.keys()], range],
      ['point days', [...CONFIGURATION.pointsSystemByKey.keys()], range],
    ]);
    expect((await read('/admin/v1/days?from=2024-01-01&to=2025-02-03', dayCounts)).days).toHaveLength(400);
  });

  it.each([
    ['', 'from', 'to'],
    ['?from=2026-03-01', 'to'],
    ['?from=2026-03-02&to=2026-03-01', 'to'],
    ['?from=2024-01-01&to=2025-02-04', 'to'],
    ['?from=yesterday&to=2026-03-01&to=2026-03-02', 'from', 'to'],
  ])('refuse the days %s', async (query, ...paths) => {
    await refused(`/admin/v1/days${query}`, 422, 'invalid_request', ...paths);
    expect(asked).toEqual([]);
  });

  it('return how long streaks lasted', async () => {
    expect(await read('/admin/v1/streaks/survival', streakSurvival)).toEqual({
      frequency: CONFIGURATION.streak?.frequency ?? null,
      lengths: [{ length: 1, reached: 7, ended: 2 }],
      longest: 1_204,
    });
    expect(asked).toEqual([['survival', 1_000]]);
  });

  it('return the runs of a board page by page', async () => {
    const runs = '/admin/v1/leaderboards/monthly/runs';
    const first = await read(`${runs}?limit=1`, leaderboardRunPage);
    expect(first).toEqual({
      runs: [{ start: '2026-03-01', end: '2026-03-31', participants: 7, final: false, changedAt: null }],
      next: expect.any(String),
    });
    const whole = await read(`${runs}?cursor=${first.next}`, leaderboardRunPage);
    expect(whole).toMatchObject({
      runs: [{ final: false }, { start: '2026-02-01', final: true, changedAt: '2026-06-01T12:00:00.000Z' }],
      next: null,
    });
    expect(asked).toEqual([
      ['runs', 'monthly', null, 2],
      ['runs', 'monthly', '2026-03-01', 21],
    ]);
    await refused('/admin/v1/leaderboards/none/runs', 404, 'unknown_leaderboard');
    const wrong = Buffer.from('runs:2026-02-30').toString('base64url');
    await refused(`${runs}?limit=41&cursor=${wrong}`, 422, 'invalid_request', 'limit', 'cursor');
  });
});

describe('reads of a user', () => {
  it('return the profile, including attributes such as __proto__', async () => {
    const profile = await read(ada, user);
    expect(profile).toMatchObject({ id: ADA, email: null, tz: 'Pacific/Kiritimati', control: false });
    expect(Object.entries(profile.attributes)).toEqual([['__proto__', 'x']]);
    expect(profile.created).toBe('2026-06-01T11:59:59.999Z');
    expect(await read('/v1/users/__proto__', user)).toMatchObject({ id: '__proto__', name: null });
  });

  it('return points, level and awards with exact numbers, ten awards by default', async () => {
    const { body } = await get(`${ada}/points/xp`);
    expect(body).toContain('"total":100000000000000001,');
    const points = await read(`${ada}/points/xp?awards=100`, userPoints);
    expect(points).toMatchObject({
      level: { key: 'adept' },
      awards: [{ trigger: { type: 'time' } }, { trigger: null }],
    });
    expect(asked).toEqual([
      ['awards', 'xp', NOW, 10],
      ['awards', 'xp', NOW, 100],
    ]);
  });

  it('return the points summary with either spelling of its dates', async () => {
    const query = { aggregation: 'weekly', from: '2025-01-01', to: '2026-02-04' };
    const snake = await get(
      `${ada}/points/xp/event-summary?aggregation=weekly&start_date=2025-01-01&end_date=2026-02-04`,
    );
    expect(snake.body).toBe('[{"date":"2026-06-01","total":100000000000000001,"change":-3}]');
    await get(`${ada}/points/xp/event-summary?aggregation=weekly&startDate=2025-01-01&endDate=2026-02-04`);
    expect(asked).toEqual([
      ['summary', 'xp', NOW, query],
      ['summary', 'xp', NOW, query],
    ]);
  });

  it('return the exact summary of a metric with either spelling of its dates', async () => {
    const query = {
      rule: { frequency: 'monthly', weekStart: 'monday' },
      from: '2025-01-01',
      to: '2026-02-04',
    };
    const summary = `${ada}/metrics/__proto__/event-summary?aggregation=monthly`;
    const snake = await get(`${summary}&start_date=2025-01-01&end_date=2026-02-04`);
    expect(snake.body).toBe('[{"date":"2026-06-01","total":100000000000000000.000001,"change":-1.5}]');
    expect(await read(`${summary}&startDate=2025-01-01&endDate=2026-02-04`, metricBucket)).toHaveLength(1);
    expect(asked).toEqual([
      ['metric summary', '__proto__', query],
      ['metric summary', '__proto__', query],
    ]);
  });

  it('return achievements with statistics: completed ones, or all in configuration order', async () => {
    const [first, ...none] = await read(`${ada}/achievements`, userAchievement);
    expect(none).toEqual([]);
    expect(first).toMatchObject({ completions: 1, rarity: 33.33, achievedAt: '2026-06-01T12:00:00.000Z' });
    expect(first.key).toBe('first');
    const all = await read(`${ada}/achievements?includeIncomplete=true`, userAchievement);
    expect(all.map(({ id }: { id: string }) => id)).toEqual([
      'id-of-first',
      'id-of-week',
      'id-of-both',
      'id-of-profile',
    ]);
    expect(all[3]).toMatchObject({ key: 'profile', achievedAt: null, completions: 0, rarity: 0 });
    expect(await read(`${ada}/achievements?includeIncomplete=false`, userAchievement)).toHaveLength(1);
  });

  it('return how far the user is with each achievement that counts something', async () => {
    const all = await read(`${ada}/achievements?includeIncomplete=true`, userAchievement);
    const progressOf = (list: readonly { key: string; progress?: unknown }[]) =>
      Object.fromEntries(list.map(({ key, progress }) => [key, progress]));
    expect(progressOf(all)).toEqual({
      first: { have: 1.5, need: 1.5 },
      week: { have: 3, need: 7 },
      both: { have: 1, need: 2 },
      profile: undefined,
    });
    const stranger = await read('/v1/users/__proto__/achievements?includeIncomplete=true', userAchievement);
    expect(progressOf(stranger)).toMatchObject({ first: { have: 1.5, need: 1.5 }, week: { have: 0, need: 7 } });
    expect((await get('/v1/achievements')).body).not.toContain('progress');
  });

  it('return the streak with seven periods by default', async () => {
    const streak = await read(`${ada}/streak`, userStreak);
    expect(streak).toMatchObject({ length: 3, extended: '2026-06-01T12:00:00.000Z', pauses: [] });
    expect(streak.streakHistory).toEqual([
      { periodStart: DAY, periodEnd: DAY, length: 3, usedPause: false, usedFreeze: true },
    ]);
    await get(`${ada}/streak?historyPeriods=366`);
    expect(asked).toEqual([
      ['history', NOW, 7],
      ['history', NOW, 366],
    ]);
  });

  it('return metrics with their achievements', async () => {
    const metrics = await read(`${ada}/metrics`, userMetric);
    expect(metrics).toMatchObject([{ key: 'commits', current: 1.5 }, { key: '__proto__', current: 0, achievements: [] }]); // prettier-ignore
    expect(metrics[0].achievements).toMatchObject([{ id: 'id-of-first' }]);
    expect(await read(`${ada}/metrics/commits`, userMetric)).toEqual(metrics[0]);
  });

  it('return the place on a leaderboard in the run of the user’s own date', async () => {
    const own = await read(`${ada}/leaderboards/monthly`, userLeaderboard);
    expect(own).toMatchObject({ rank: 5, value: 0.000001, history: [{ date: '2026-06-02', previousValue: null }] });
    expect(own).not.toHaveProperty('status');
    expect(asked).toEqual([
      ['run', 'monthly', '2026-06-02'],
      ['entries', 10],
    ]);
    expect((await get(`${ada}/leaderboards/monthly?numEvents=0`)).json().history).toEqual([]);
  });
});

describe('a read', () => {
  it('refuses userAttributes by name, unless the user or key is unknown', async () => {
    const board = '/v1/leaderboards/monthly';
    for (const path of [
      ...['', '/metrics', '/metrics/commits', '/achievements', '/streak', '/points/xp', '/leaderboards/monthly'].map(
        (suffix) => `${ada}${suffix}`,
      ),
      ...['/v1/achievements', '/v1/points/xp', '/v1/points/xp/levels', '/v1/points/xp/level-summary'],
      ...['/v1/points/xp/summary', '/v1/leaderboards', board],
    ])
      await refused(`${path}?userAttributes=plan:pro`, 422, 'invalid_request', 'userAttributes');
    await refused('/v1/streaks?userIds=a&userAttributes=', 422, 'invalid_request', 'userAttributes');
    await refused(`${board}?userAttributes[plan]=pro&limit=x`, 422, 'invalid_request', 'userAttributes[plan]', 'limit');
    await refused('/v1/users/nobody?userAttributes=plan:pro', 404, 'unknown_user');
    await refused('/v1/points/none?userAttributes=plan:pro', 404, 'unknown_points_system');
    expect((await get(`${board}?attributes=plan:pro&userattribute=x`)).statusCode).toBe(200);
  });

  it('accepts true, True and 1 for a flag, and false, False and 0', async () => {
    const count = async (query: string) => (await get(`${ada}/achievements?includeIncomplete=${query}`)).json().length;
    expect(await Promise.all(['true', 'True', '1'].map(count))).toEqual([4, 4, 4]);
    expect(await Promise.all(['false', 'False', '0'].map(count))).toEqual([1, 1, 1]);
    for (const wrong of ['TRUE', 'yes', ''])
      await refused(`${ada}/achievements?includeIncomplete=${wrong}`, 422, 'invalid_request', 'includeIncomplete');
  });

  it('of zero rows of a leaderboard returns an empty list', async () => {
    expect((await read('/v1/leaderboards/monthly?limit=0', leaderboard)).rankings).toEqual([]);
    expect((await read('/v1/leaderboards/monthly?limit=0&userId=nobody', leaderboard)).rankings).toEqual([]);
    expect(asked.map(([what]) => what)).not.toContain('rankings');
  });
});

describe('reads of the account', () => {
  it('return all achievements without a user', async () => {
    const all = await read('/v1/achievements', listedAchievement);
    expect(all).toHaveLength(4);
    expect(all[0]).toMatchObject({ achievedAt: null, completions: 1, rarity: 33.33 });
  });

  it('return a points system with its triggers by type and its levels', async () => {
    const { triggers } = await read('/v1/points/xp', pointsSystem);
    expect(triggers.map(({ type }: { type: string }) => type)).toEqual(['metric', 'streak', 'achievement', 'user_creation', 'time']); // prettier-ignore
    expect(triggers).toMatchObject([
      { metricId: 'id-of-commits', metricName: 'Commits', metricThreshold: 2.5, points: 10 },
      { streakLengthThreshold: 7 },
      { achievementId: 'id-of-first', achievementName: 'First', points: -5 },
      { status: 'active', userAttributes: [], created: '2026-01-01T00:00:00.000Z' },
      { timeUnit: 'hour', timeInterval: 4 },
    ]);
    expect(await read('/v1/points/xp/levels', level)).toMatchObject([
      { key: 'novice', description: '' },
      { key: 'adept', description: 'Able.' },
    ]);
    expect(await read('/v1/points/__proto__', pointsSystem)).toMatchObject({ triggers: [], maxPoints: null });
  });

  it('return the number of users per level and per range of points', async () => {
    expect(await read('/v1/points/xp/level-summary', levelUsers)).toMatchObject([
      { level: { key: 'novice', description: '' }, users: 1 },
      { level: { key: 'adept', description: 'Able.' }, users: 2 },
    ]);
    const ranges = await get('/v1/points/__proto__/summary');
    expect(ranges.body).toBe('[{"from":1,"to":100000000000000001,"users":2}]');
    expect(await read('/v1/points/xp/summary', pointsRange)).toHaveLength(1);
    expect(asked).toEqual([
      ['ranges', '__proto__'],
      ['ranges', 'xp'],
    ]);
  });

  it('return the leaderboards, finished ones only on request', async () => {
    const keys = (boards: { key: string }[]) => boards.map(({ key }) => key);
    expect(keys(await read('/v1/leaderboards', listedLeaderboard))).toEqual(['monthly', 'weekly-xp']);
    expect(keys(await read('/v1/leaderboards?includeFinished=true', listedLeaderboard))).toHaveLength(3);
  });

  it('return a leaderboard with the ten first rows by default', async () => {
    const board = await read('/v1/leaderboards/monthly', leaderboard);
    expect(board).toMatchObject({ status: 'active', start: '2026-01-01', end: null });
    expect(board).toMatchObject({ runStart: DAY, runEnd: expect.any(String), changedAt: '2026-06-01T12:00:00.000Z' });
    expect(board.rankings[0]).toEqual({ userId: ADA, userName: 'Ada', rank: 1, value: 2.5 });
    expect(board.rankings[1].userName).toBeNull();
    await get(`/v1/leaderboards/monthly?run=2026-06-15&offset=20&limit=1000`);
    await get(`/v1/leaderboards/monthly?userId=${encodeURIComponent(ADA)}&offset=2&limit=3`);
    expect(asked).toEqual([
      ['run', 'monthly', null],
      ['rankings', 'monthly', DAY, 0, 10],
      ['run', 'monthly', '2026-06-15'],
      ['rankings', 'monthly', DAY, 20, 1000],
      ['run', 'monthly', null],
      ['rankings', 'monthly', DAY, 6, 3],
    ]);
  });

  it('return empty rankings for an unranked user and for a board that has not begun', async () => {
    expect((await read('/v1/leaderboards/monthly?userId=nobody', leaderboard)).rankings).toEqual([]);
    const scheduled = await read('/v1/leaderboards/weekly-xp', leaderboard);
    expect(scheduled).toMatchObject({
      status: 'scheduled',
      rankings: [],
      runStart: null,
      runEnd: null,
      changedAt: null,
    });
  });

  it('return the streaks of many users, longest first, and 0 for unknown users', async () => {
    const ids = `userIds=nobody&userIds=__proto__&userIds=${encodeURIComponent(ADA)}`;
    expect(await read(`/v1/streaks?${ids}`, rankedStreak)).toEqual([
      { userId: ADA, streakLength: 3, extended: '2026-06-01T12:00:00.000Z' },
      { userId: 'nobody', streakLength: 0, extended: null },
      { userId: '__proto__', streakLength: 0, extended: null },
    ]);
  });

  it.each([
    ['separated', 'userIds=a,b,c', ['a', 'b', 'c']],
    ['separated and repeated', 'userIds=a,b&userIds=c', ['a', 'b', 'c']],
    ['with an escaped comma, which belongs to the id', 'userIds=a%2Cb,c&userIds=d%2cd', ['a,b', 'c', 'd,d']],
    ['with other escapes', 'user%49ds=a+b,%C3%BC&userIds=%3D%26,100%', ['a b', 'ü', '=&', '100%']],
  ])('return the streaks of users whose ids are %s', async (_, query, ids) => {
    const streaks = (await read(`/v1/streaks?${query}`, rankedStreak)) as readonly { readonly userId: string }[];
    expect(streaks.map(({ userId }) => userId)).toEqual(ids);
  });
});

describe('refused reads', () => {
  it('name the unknown key and the nearest one', async () => {
    const errorOf = async (url: string) => (await get(url)).json<{ error: string }>().error;
    expect(await errorOf(`${ada}/metrics/comits`)).toBe("There is no metric 'comits' (did you mean 'commits'?).");
    expect(await errorOf('/v1/points/xpp')).toBe("There is no points system 'xpp' (did you mean 'xp'?).");
    expect(await errorOf('/v1/leaderboards/monthyl')).toBe(
      "There is no leaderboard 'monthyl' (did you mean 'monthly'?).",
    );
  });

  it('answer 404 for an unknown user, system, board, metric or run before 422', async () => {
    await refused('/v1/users/nobody', 404, 'unknown_user');
    await refused('/v1/users/nobody/points/unknown?awards=0', 404, 'unknown_user');
    await refused('/v1/users/nobody/metrics/unknown', 404, 'unknown_user');
    await refused(`${ada}/points/unknown?awards=0`, 404, 'unknown_points_system');
    await refused(`${ada}/points/unknown/event-summary`, 404, 'unknown_points_system');
    await refused(`${ada}/metrics/unknown`, 404, 'unknown_metric');
    await refused('/v1/users/nobody/metrics/unknown/event-summary', 404, 'unknown_user');
    await refused(`${ada}/metrics/unknown/event-summary`, 404, 'unknown_metric');
    await refused('/v1/points/constructor/level-summary', 404, 'unknown_points_system');
    await refused('/v1/points/constructor/summary', 404, 'unknown_points_system');
    await refused(`${ada}/leaderboards/unknown?numEvents=x`, 404, 'unknown_leaderboard');
    await refused('/v1/leaderboards/unknown', 404, 'unknown_leaderboard');
    await refused('/v1/points/constructor', 404, 'unknown_points_system');
    await refused('/v1/leaderboards/monthly?run=2025-12-31&limit=1001', 404, 'unknown_run');
    await refused(`${ada}/leaderboards/weekly-xp?run=2026-06-01`, 404, 'unknown_run');
  });

  it('answer 422 for a timeline when this process cannot read the log', async () => {
    await refused(`/admin${ada}/events`, 422, 'not_in_this_topology');
  });

  it('answer 422 for each parameter out of range, with every problem listed', async () => {
    await refused(`${ada}/points/xp?awards=0`, 422, 'invalid_request', 'awards');
    await refused(`${ada}/points/xp?awards=101`, 422, 'invalid_request', 'awards');
    await refused(`${ada}/points/xp?awards=1.5`, 422, 'invalid_request', 'awards');
    await refused(`${ada}/points/xp?awards=`, 422, 'invalid_request', 'awards');
    await refused(`${ada}/points/xp?awards=1&awards=2`, 422, 'invalid_request', 'awards');
    await refused(`${ada}/streak?historyPeriods=367`, 422, 'invalid_request', 'historyPeriods');
    await refused(`${ada}/achievements?includeIncomplete=yes`, 422, 'invalid_request', 'includeIncomplete');
    await refused(`${ada}/leaderboards/monthly?numEvents=101`, 422, 'invalid_request', 'numEvents');
    await refused(
      '/v1/leaderboards/monthly?run=x&offset=-1&limit=1001',
      422,
      'invalid_request',
      'run',
      'offset',
      'limit',
    );
    await refused('/v1/streaks', 422, 'invalid_request', 'userIds');
    await refused(`/v1/streaks?${'userIds=a&'.repeat(101)}`, 422, 'invalid_request', 'userIds');
    await refused(`/v1/streaks?userIds=${'a,'.repeat(100)}a`, 422, 'invalid_request', 'userIds');
    for (const empty of ['', ',', 'a,', 'a,,b', 'a&userIds='])
      await refused(`/v1/streaks?userIds=${empty}`, 422, 'invalid_request', 'userIds');
  });

  const summaries = ['points/xp', 'metrics/commits'];
  it.each(summaries)(
    'answer 422 for a summary of %s with missing or impossible dates or more than 400 days',
    async (path) => {
      const summary = `${ada}/${path}/event-summary`;
      await refused(summary, 422, 'invalid_request', 'aggregation', 'start_date', 'end_date');
      await refused(`${summary}?aggregation=daily&start_date=2026-02-30&end_date=x`, 422, 'invalid_request', 'start_date', 'end_date'); // prettier-ignore
      await refused(`${summary}?aggregation=daily&start_date=2026-01-02&end_date=2026-01-01`, 422, 'invalid_request', 'end_date'); // prettier-ignore
      await refused(`${summary}?aggregation=daily&start_date=2025-01-01&end_date=2026-02-05`, 422, 'invalid_request', 'end_date'); // prettier-ignore
    },
  );

  it('answer 422 for the level summary of a system without levels', async () => {
    await refused('/v1/points/__proto__/level-summary', 422, 'invalid_request', 'key');
  });

  it('never succeed without a key, whatever is done to the path', async () => {
    const { unguarded, sent } = await findUnguarded(await http.listen(0, '127.0.0.1'), http.routes);
    expect(unguarded).toEqual([]);
    expect(sent).toBeGreaterThan(1_000);
  });

  it('ignore unknown parameters', async () => {
    expect((await get(`${ada}/streak?colour=red`)).statusCode).toBe(200);
  });

  it('answer 422 for a misspelled parameter, together with other problems', async () => {
    await refused('/v1/leaderboards/monthly?limt=1', 422, 'invalid_request', 'limt');
    await refused('/v1/leaderboards/monthly?limt=1&run=x', 422, 'invalid_request', 'run', 'limt');
    await refused(`${ada}/streak?history_periods=3`, 422, 'invalid_request', 'history_periods');
  });

  it('answer 404 for an unknown resource even with a misspelled parameter', async () => {
    await refused('/v1/users/nobody/streak?HistoryPeriods=3', 404, 'unknown_user');
    await refused('/v1/leaderboards/nothing?limt=1', 404, 'unknown_leaderboard');
  });
});

describe('a read with a browser session', () => {
  const TOKEN = 'a'.repeat(43);
  const cookie = `laurel_session=${TOKEN}`;
  const reader = { account: 'default', by: 'ada', scopes: new Set(['read'] as const) };
  let people: unknown[][];
  let applications: unknown[][];
  let both: HttpApplication;
  beforeAll(async () => {
    [people, applications] = [[], []];
    const find = (token: string) => Promise.resolve(token === TOKEN ? reader : null);
    both = await createHttpApplication({
      modules: [QueriesModule.register(memoryReads(applications), memoryReads(people))],
      keys: fullScopeKey(KEY, 'default'),
      sessions: { sessions: { find, isOpen: () => Promise.resolve(true) }, publicUrl: null },
      health: new Health(createClock({ type: 'system' })),
      logger: createLogger('silent'),
    });
  });
  afterAll(() => both.close());

  it.each([
    [`/v1/users/${encodeURIComponent(ADA)}/points/xp`, 'awards'],
    [`/v1/users/${encodeURIComponent(ADA)}/streak`, 'history'],
    ['/v1/leaderboards/monthly', 'rankings'],
  ])('of %s uses the limited pool, and a read with a key does not', async (url, question) => {
    const asked = async (headers: Record<string, string>) => {
      [people.length, applications.length] = [0, 0];
      expect((await both.fastify.inject({ url, headers })).statusCode).toBe(200);
      return { people: people.map(([what]) => what), applications: applications.map(([what]) => what) };
    };
    const once = expect.arrayContaining([question]);
    expect(await asked({ cookie })).toEqual({ people: once, applications: [] });
    expect(await asked({ 'x-api-key': KEY })).toEqual({ people: [], applications: once });
    expect(await asked({ cookie, 'x-api-key': KEY })).toEqual({ people: [], applications: once });
  });
});
