import type { Clock } from '@laurel/ports';
import type { Problem, TimelineEvent, UserTimeline } from '@laurel/schemas';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { askOf } from './testing/ask.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';
import { statementsOf } from './testing/statements-of.ts';

const BEGINNING = Date.parse('2026-03-02T20:00:00Z');
const DAY_MS = 86_400_000;

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }], freezes: { initial: 1, max: 5, earnEvery: 7, earn: 1 } }
achievements: [{ key: first, name: First, trigger: { type: metric, metric: lessons, value: 1 } }, { key: profile, name: Profile, trigger: { type: api } }]
points: [{ key: xp, name: XP, triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }] }]
leaderboards: [{ key: board, name: Board, rankBy: metric, metric: lessons, start: 2026-01-01 }]
`;

describe('the timeline of a user', () => {
  let now: number;
  /** Nothing is done by time but what a test does. */
  const clock: Clock = { now: () => now, elapsedMs: () => 0, after: () => () => undefined };
  let database: TestDatabase;
  let served: Served;
  beforeEach(async () => {
    now = BEGINNING;
    database = await openServiceDatabase();
    served = await serveInProcess(database.connection, CONFIGURATION, clock);
  });
  afterEach(async () => {
    await served.close();
    await database.close();
  });

  const ask = askOf(() => served);

  /** @returns the event's id */
  async function record(id: string, value = 1): Promise<string> {
    const body = { user: { id }, value, attributes: { course: 'greek' } };
    const { status, answer } = await ask<{ eventId: string }>('/v1/metrics/lessons/event', body);
    expect(status).toBe(201);
    return answer.eventId;
  }

  const eventsOf = async (id: string): Promise<readonly TimelineEvent[]> =>
    (await ask<UserTimeline>(`/admin/v1/users/${id}/events?limit=50`)).answer.events;

  const typesIn = ({ users, streaks, achievements, points }: TimelineEvent['effects']) =>
    [users, streaks, achievements, points].map((effects) => effects.map(({ type }) => type));

  it('shows the content of an event and its effects by area, without ranks', async () => {
    const id = await record('ada', 3);
    await record('bea');
    expect(await eventsOf('ada')).toEqual([
      {
        ...{ id, type: 'MetricEventRecorded', metric: 'lessons', value: 3, attributes: { course: 'greek' } },
        ...{ imported: false, version: 1, corrected: null, words: '3 Lessons' },
        occurredAt: '2026-03-02T20:00:00.000Z',
        recordedAt: '2026-03-02T20:00:00.000Z',
        effects: {
          users: expect.arrayContaining([
            expect.objectContaining({ type: 'MetricTotalChanged', metric: 'lessons', change: 3, total: 3 }),
          ]),
          streaks: expect.arrayContaining([expect.objectContaining({ type: 'StreakStarted', period: '2026-03-02' })]),
          achievements: [expect.objectContaining({ type: 'AchievementCompleted', achievement: 'first' })],
          points: [expect.objectContaining({ type: 'PointsAwarded', system: 'xp', awarded: 30, total: 30 })],
        },
        pointsLeftOut: 0,
      },
    ]);
  });

  it('lists the newest recorded event first, so an import stands where it was recorded', async () => {
    const first = await record('ada');
    now += 1_000;
    const line = { metric: 'lessons', user: { id: 'ada' }, value: 2, timestamp: '2026-02-01T00:00:00Z' };
    expect((await ask('/admin/v1/metrics/events', { events: [line] })).status).toBe(200);
    now += 1_000;
    await ask('/v1/achievements/profile/complete', { user: { id: 'ada' } });
    now += 1_000;
    await ask('/v1/users', { id: 'ada', name: 'Ada', email: 'ada@example.org' });
    const events = await eventsOf('ada');
    expect(events.map(({ type }) => type)).toEqual([
      'UserIdentified',
      'AchievementCompletedByCall',
      'MetricEventRecorded',
      'MetricEventRecorded',
    ]);
    expect(events[1]).toMatchObject({ achievement: 'profile' });
    expect(events[2]).toMatchObject({ imported: true, value: 2, occurredAt: '2026-02-01T00:00:00.000Z' });
    expect(events[3]).toMatchObject({ id: first, imported: false });
    expect(JSON.stringify(events)).not.toContain('ada@example.org');
  });

  it('shows grants with their author and reason', async () => {
    await record('ada');
    const points = { system: 'xp', amount: 50, reason: 'The lesson was not counted.', boards: false };
    expect((await ask('/admin/v1/users/ada/grants/points', points)).status).toBe(201);
    expect((await ask('/admin/v1/users/ada/grants/freezes', { amount: 2, reason: 'Outage.' })).status).toBe(201);
    const [freezes, granted] = await eventsOf('ada');
    expect(freezes).toMatchObject({ type: 'GrantRecorded', grant: { kind: 'freezes', amount: 2 }, reason: 'Outage.' });
    expect(granted).toMatchObject({
      grant: { kind: 'points', system: 'xp', amount: 50, boards: false },
      by: 'environment',
      reason: 'The lesson was not counted.',
      effects: { points: [expect.objectContaining({ type: 'PointsAwarded', awarded: 50, total: 60 })] },
    });
  });

  it('shows the part of a sweep that concerns the user', async () => {
    await record('ada');
    now += DAY_MS;
    await record('bea');
    now += 2 * DAY_MS;
    await served.service.engine.sweep();
    const [ada] = await eventsOf('ada');
    const [bea] = await eventsOf('bea');
    if (ada === undefined || bea === undefined) throw new Error('no sweep is shown');
    expect([ada.type, bea.type]).toEqual(['UsersSwept', 'UsersSwept']);
    expect(typesIn(ada.effects)).toEqual([[], ['FreezeUsed', 'StreakEnded'], [], []]);
    expect(typesIn(bea.effects)).toEqual([[], ['FreezeUsed'], [], []]);
  });

  it.each([1, 2, 3, 7, 50])('lists each event once in pages of %d, while more are recorded', async (limit) => {
    const recorded: string[] = [];
    for (let value = 1; value <= 7; value++) {
      recorded.unshift(await record('ada', value));
      await record('bea');
    }
    const shown: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = `limit=${limit}${cursor && `&cursor=${cursor}`}`;
      const { answer }: { answer: UserTimeline } = await ask(`/admin/v1/users/ada/events?${query}`);
      expect(answer.events.length).toBeLessThanOrEqual(limit);
      shown.push(...answer.events.map(({ id }) => id));
      cursor = answer.next;
      await record('ada');
    }
    expect(shown).toEqual(recorded);
  });

  it('needs at most five statements a page, also when the process has not cached the user', async () => {
    for (let value = 1; value <= 30; value++) await record('ada', value);
    await ask('/admin/v1/users/ada/grants/points', { system: 'xp', amount: 5, reason: 'Sealed with the data key.' });
    await served.close();
    served = await serveInProcess(database.connection, CONFIGURATION, clock);
    // A connection is opened first.
    await ask('/admin/v1/users/nobody/events');
    const asked = await statementsOf(async () => {
      const { answer } = await ask<UserTimeline>('/admin/v1/users/ada/events?limit=25');
      expect(answer.events).toHaveLength(25);
      expect(answer.events[0]?.reason).toBe('Sealed with the data key.');
    });
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.length).toBeLessThanOrEqual(5);
  });

  it.each([
    ['limit=0', ['limit']],
    ['limit=51', ['limit']],
    ['limit=ten&cursor=x', ['limit', 'cursor']],
    ['cursor=', ['cursor']],
    [`cursor=${Buffer.from('audit:12').toString('base64url')}`, ['cursor']],
    ['limit=1&limit=2', ['limit']],
    ['cursor=a&cursor=b', ['cursor']],
  ])('refuses %s and names the invalid parameters', async (query, paths) => {
    await record('ada');
    const { status, answer } = await ask<Problem>(`/admin/v1/users/ada/events?${query}`);
    expect([status, answer.code, answer.errors?.map(({ path }) => path)]).toEqual([422, 'invalid_request', paths]);
  });

  it.each(['nobody', 'assigned', '%00', 'x'.repeat(256)])('answers 404 for an unknown user: %s', async (id) => {
    await served.service.directory.assign('default', 'assigned');
    const { status, answer } = await ask<Problem>(`/admin/v1/users/${id}/events`);
    expect([status, answer.code]).toEqual([404, 'unknown_user']);
  });

  it('requires the scope read or support', async () => {
    const { answer } = await ask<{ key: string }>('/admin/v1/keys', { label: 'sender', scopes: ['ingest'] });
    const response = await fetch(`${served.baseUrl}/admin/v1/users/ada/events`, {
      headers: { 'x-api-key': answer.key },
    });
    expect(response.status).toBe(403);
  });
});
