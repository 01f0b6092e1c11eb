import type { TimelineEvent, UserAnswer, UserOverview } from '@laurel/schemas';
import { fakeService, ok, refused, type FakeAnswers } from '../testing/fake-service.ts';
import { HARMFUL_TEXTS, HARMLESS } from '../testing/harmful-texts.ts';
import { runCommand } from '../testing/run-command.ts';

const user = (id: string, rest: Partial<UserAnswer> = {}): UserAnswer => ({
  id,
  email: null,
  name: null,
  tz: null,
  subscribeToEmails: true,
  attributes: {},
  control: false,
  created: '2026-11-21T09:38:39.881Z',
  updated: '2026-11-21T09:38:39.881Z',
  ...rest,
});

const laurel = async (answers: FakeAnswers, ...words: string[]) => {
  const service = await fakeService(answers);
  try {
    const result = await runCommand(words, { variables: service.variables });
    return { ...result, routes: service.requests.map(({ route }) => route) };
  } finally {
    await service.close();
  }
};

const cells = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(/ {2,}/));

describe('laurel users', () => {
  it('prints a table of users', async () => {
    const users = [user('ada', { name: 'Ada', email: 'ada@example.org', tz: 'Europe/Berlin' }), user('bea')];
    const { exitCode, stdout } = await laurel({ 'GET /admin/v1/users?limit=40': ok({ users, next: null }) }, 'users');
    expect([exitCode, cells(stdout)]).toEqual([
      0,
      [
        ['id', 'name', 'e-mail', 'zone', 'created'],
        ['ada', 'Ada', 'ada@example.org', 'Europe/Berlin', '2026-11-21T09:38:39.881Z'],
        ['bea', 'UTC', '2026-11-21T09:38:39.881Z'],
      ],
    ]);
  });

  it('reads pages, also empty ones, until it has as many users as requested', async () => {
    const pageOf = (from: number, count: number) => Array.from({ length: count }, (_, n) => user(`ad ${from + n}`));
    const { stdout, routes } = await laurel(
      {
        'GET /admin/v1/users?limit=40&prefix=ad': ok({ users: pageOf(0, 38), next: 'one' }),
        'GET /admin/v1/users?limit=12&cursor=one&prefix=ad': ok({ users: [], next: 'two' }),
        'GET /admin/v1/users?limit=12&cursor=two&prefix=ad': ok({ users: pageOf(38, 12), next: 'three' }),
      },
      ...['users', 'ad', '--json'],
    );
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as UserAnswer).id)).toEqual(pageOf(0, 50).map(({ id }) => id));
    expect(routes).toHaveLength(3);
  });

  it('prints a table of the users who completed an achievement, newest first, page by page', async () => {
    const completion = (userId: string) => ({ userId, achievedAt: '2026-11-21T09:38:39.881Z' });
    const route = 'GET /admin/v1/achievements/a%2Fb/completions';
    const answers = {
      [`${route}?limit=40`]: ok({ completions: [completion('bea')], next: 'one' }),
      [`${route}?limit=39&cursor=one`]: ok({ completions: [completion('ada')], next: null }),
      ...{ [`${route}?limit=1`]: ok({ completions: [], next: null }) },
    };
    const { exitCode, stdout } = await laurel(answers, 'users', '--completed', 'a/b', '--limit', '40');
    const at = '2026-11-21T09:38:39.881Z';
    expect([exitCode, cells(stdout)]).toEqual([
      0,
      [
        ['id', 'completed'],
        ['bea', at],
        ['ada', at],
      ],
    ]);
    const { stdout: none } = await laurel(answers, 'users', '--completed', 'a/b', '--limit', '1');
    expect(none).toBe('there are none\n');
    expect(await laurel(answers, 'users', 'ad', '--completed', 'a/b')).toMatchObject({ exitCode: 2, routes: [] });
  });

  it('prints a table of the users on a level, newest first', async () => {
    const at = '2026-11-21T09:38:39.881Z';
    const answers = {
      'GET /admin/v1/points/xp/levels/novice/users?limit=40': ok({
        ...{ users: [{ userId: 'ada', reachedAt: at }], next: null },
      }),
    };
    const { exitCode, stdout } = await laurel(answers, 'users', '--level', 'xp/novice', '--limit', '40');
    expect([exitCode, cells(stdout)]).toEqual([
      0,
      [
        ['id', 'reached'],
        ['ada', at],
      ],
    ]);
    const lines = await laurel(answers, 'users', '--level', 'xp/novice', '--limit', '40', '--json');
    expect(JSON.parse(lines.stdout)).toEqual({ userId: 'ada', reachedAt: at });
  });

  it.each([
    [['--level', 'xp']],
    [['--level', 'xp/']],
    [['--level', 'a/b/c']],
    [['--level', 'xp/a', '--completed', 'a']],
  ])('refuses %j', async (words) => {
    expect(await laurel({}, 'users', ...words)).toMatchObject({ exitCode: 2, routes: [] });
  });

  it('finds users by e-mail and by name with their own page size', async () => {
    const found = [user('ada', { name: 'Ada', email: 'ada@example.org', tz: 'UTC' })];
    const answers = {
      'GET /admin/v1/users?limit=20&email=ada%40example.org': ok({ users: found, next: null }),
      'GET /admin/v1/users?limit=20&name=lovel': ok({ users: found, next: 'one' }),
      'GET /admin/v1/users?limit=20&cursor=one&name=lovel': ok({ users: [], next: null }),
    };
    for (const words of [
      ['--email', 'ada@example.org'],
      ['--name', 'lovel'],
    ]) {
      const { stdout } = await laurel(answers, 'users', ...words, '--json');
      expect(JSON.parse(stdout)).toEqual(found[0]);
    }
    expect(await laurel({}, 'users', '--email', 'a', '--name', 'b')).toMatchObject({ exitCode: 2, routes: [] });
  });

  it('says that there are no users', async () => {
    const { stdout } = await laurel({ 'GET /admin/v1/users?limit=40': ok({ users: [], next: null }) }, 'users');
    expect(stdout).toBe('there are none\n');
  });

  it.each(['0', 'ten', '-1'])('refuses --limit %s', async (limit) => {
    expect(await laurel({}, 'users', '--limit', limit)).toMatchObject({ exitCode: 2, routes: [] });
  });

  it.each(HARMFUL_TEXTS)('escapes control characters in names: %s', async (_, name) => {
    const answers = { 'GET /admin/v1/users?limit=40': ok({ users: [user('ada', { name })], next: null }) };
    expect((await laurel(answers, 'users')).stdout).toMatch(HARMLESS);
    expect((await laurel(answers, 'users', '--json')).stdout).toMatch(HARMLESS);
  });
});

const OVERVIEW: UserOverview = {
  ...user('a/b', { name: 'Ada', attributes: { plan: 'pro' } }),
  metrics: [{ key: 'lessons', total: 12.5 }],
  streak: { length: 3, expires: '2026-11-22', freezes: 1 },
  achievements: [{ key: 'first', achievedAt: '2026-11-21T09:38:39.881Z' }],
  points: [
    { pointsSystem: 'xp', system: 'xp', total: 340, level: 'novice' },
    { pointsSystem: 'gems', system: 'gems', total: 0, level: null },
  ],
};

describe('laurel user', () => {
  const route = 'GET /admin/v1/users/a%2Fb';
  const last = `${route}/events?limit=10`;
  const none = { [last]: ok({ events: [], next: null }) };

  it('shows profile, totals, streak and points of a user', async () => {
    const { exitCode, stdout } = await laurel({ [route]: ok(OVERVIEW), ...none }, 'user', 'a/b');
    expect(exitCode).toBe(0);
    expect(cells(stdout)).toEqual(
      expect.arrayContaining([
        ['user', 'a/b'],
        ['attribute plan', 'pro'],
        ['total lessons', '12.5'],
        ['streak', '3, expires 2026-11-22'],
        ['freezes', '1'],
        ['points xp', '340, level novice'],
        ['points gems', '0'],
        ['achievement first', '2026-11-21T09:38:39.881Z'],
      ]),
    );
  });

  it('shows the last ten events below', async () => {
    const answers = { [route]: ok(OVERVIEW), [last]: ok({ events: [LESSON, GRANT], next: 'more' }) };
    const { stdout } = await laurel(
      { ...answers, [`${route}/events?limit=8&cursor=more`]: ok({ events: [SWEEP], next: null }) },
      ...['user', 'a/b'],
    );
    expect(
      cells(stdout)
        .slice(-4)
        .map(([, event]) => event),
    ).toEqual(['event', '2.5 Lessons, imported', '50 XP given by hand by somebody (It was lost.)', 'time passed']);
  });

  it('prints nothing when one of its reads fails', async () => {
    const failed = await laurel({ [route]: ok(OVERVIEW), [last]: refused('forbidden') }, 'user', 'a/b');
    expect([failed.exitCode, failed.stdout]).toEqual([2, '']);
  });

  it('prints the whole answer with --json', async () => {
    expect(JSON.parse((await laurel({ [route]: ok(OVERVIEW) }, 'user', 'a/b', '--json')).stdout)).toEqual(OVERVIEW);
  });

  it('says that there is no such user', async () => {
    const { exitCode, stderr } = await laurel({ [route]: refused('unknown_user', 'There is no user.') }, 'user', 'a/b');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('There is no user.')]);
  });

  it.each(HARMFUL_TEXTS)('escapes control characters in attributes: %s', async (_, plan) => {
    const { stdout } = await laurel(
      { [route]: ok({ ...OVERVIEW, attributes: { [plan]: plan } }), ...none },
      'user',
      'a/b',
    );
    expect(stdout).toMatch(HARMLESS);
  });
});

const timelineEvent = (number: number, rest: Partial<TimelineEvent>): TimelineEvent => ({
  id: `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`,
  type: 'MetricEventRecorded',
  words: '2.5 Lessons',
  occurredAt: '2026-11-21T09:38:39.881Z',
  recordedAt: '2026-11-21T09:38:40.000Z',
  version: 1,
  corrected: null,
  effects: { users: [], streaks: [], achievements: [], points: [] },
  pointsLeftOut: 0,
  ...rest,
});

const LESSON = timelineEvent(3, {
  ...{ metric: 'lessons', value: 2.5, attributes: {}, imported: true },
  effects: {
    users: [],
    streaks: [{ type: 'StreakExtended', words: 'streak of 4 days, was 3' }],
    achievements: [],
    points: [{ type: 'PointsAwarded', words: '10 XP for Lessons, now 30' }],
  },
});
const GRANT = timelineEvent(2, {
  type: 'GrantRecorded',
  words: '50 XP given by hand',
  grant: { kind: 'points', system: 'xp', amount: 50, boards: true },
  by: null,
  reason: 'It was lost.',
});
const SWEEP = timelineEvent(1, { type: 'UsersSwept', words: 'time passed' });

describe('laurel user events', () => {
  const route = 'GET /admin/v1/users/a%2Fb/events';

  it('prints a table of events and their effects', async () => {
    const answers = { [`${route}?limit=20`]: ok({ events: [LESSON, GRANT, SWEEP], next: null }) };
    const { exitCode, stdout } = await laurel(answers, 'user', 'events', 'a/b');
    expect(exitCode).toBe(0);
    const at = '2026-11-21T09:38:39.881Z';
    expect(cells(stdout)).toEqual([
      ['at', 'event', 'effects', 'id'],
      [at, '2.5 Lessons, imported', '10 XP for Lessons, now 30; streak of 4 days, was 3', LESSON.id],
      [at, '50 XP given by hand by somebody (It was lost.)', GRANT.id],
      [at, 'time passed', SWEEP.id],
    ]);
  });

  it('marks retracted and amended events', async () => {
    const corrected = [true, false].map((retracted) => ({ retracted, corrections: [] }));
    const events = corrected.map((one, place) => timelineEvent(place, { metric: 'lessons', value: 2, corrected: one }));
    const { stdout } = await laurel({ [`${route}?limit=20`]: ok({ events, next: null }) }, 'user', 'events', 'a/b');
    expect(cells(stdout).map((row) => row[1])).toEqual(['event', '2.5 Lessons, retracted', '2.5 Lessons, amended']);
  });

  it('reads pages until it has as many events as requested', async () => {
    const pageOf = (from: number, count: number) =>
      Array.from({ length: count }, (_, n) => timelineEvent(from - n, { type: 'UserIdentified' }));
    const { stdout, routes } = await laurel(
      {
        [`${route}?limit=40`]: ok({ events: pageOf(90, 40), next: 'one' }),
        [`${route}?limit=10&cursor=one`]: ok({ events: pageOf(50, 10), next: 'two' }),
      },
      ...['user', 'events', 'a/b', '--limit', '50', '--json'],
    );
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as TimelineEvent).id)).toEqual(pageOf(90, 50).map(({ id }) => id));
    expect(routes).toHaveLength(2);
  });

  it('says that there are no events, or why they are not available', async () => {
    const first = `${route}?limit=20`;
    const { stdout } = await laurel({ [first]: ok({ events: [], next: null }) }, 'user', 'events', 'a/b');
    expect(stdout).toBe('nothing has happened\n');
    const elsewhere = { [first]: refused('not_in_this_topology', 'The log is elsewhere.') };
    const { exitCode, stderr } = await laurel(elsewhere, 'user', 'events', 'a/b');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('The log is elsewhere.')]);
  });

  it.each(['0', 'ten', '-1'])('refuses --limit %s', async (limit) => {
    expect(await laurel({}, 'user', 'events', 'ada', '--limit', limit)).toMatchObject({ exitCode: 2, routes: [] });
  });

  it.each(HARMFUL_TEXTS)('escapes control characters in reasons: %s', async (_, reason) => {
    const answers = { [`${route}?limit=20`]: ok({ events: [{ ...GRANT, reason }], next: null }) };
    expect((await laurel(answers, 'user', 'events', 'a/b')).stdout).toMatch(HARMLESS);
    expect((await laurel(answers, 'user', 'events', 'a/b', '--json')).stdout).toMatch(HARMLESS);
  });
});
