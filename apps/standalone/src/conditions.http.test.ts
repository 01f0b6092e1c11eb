import { ACCOUNT } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { EventAnswer, ExplainedPointsOfEventAnswer, PointsSystemAnswer, UserPoints } from '@laurel/schemas';
import type { TestDatabase } from '@laurel/testing/database';
import { Client } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { askOf } from './testing/ask.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
attributes: { user: [plan], event: [course] }
achievements:
  - { key: listener, name: Listener, where: { event: { course: radio } }, trigger: { type: metric, metric: lessons, value: 5 } }
  - { key: member, name: Member, where: { user: { plan: pro } }, trigger: { type: metric, metric: lessons, value: 4 } }
points:
  - key: coins
    name: Coins
    triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }]
    boosts: [{ key: double, name: Double, multiplier: 2, start: 2026-01-01T00:00:00Z, where: { user: { plan: pro } } }]
  - key: xp
    name: XP
    triggers:
      - { key: radio, type: metric, metric: lessons, threshold: 2, points: 10, where: { event: { course: [radio, tv] } } }
      - { key: pro, type: metric, metric: lessons, threshold: 1, points: 1, where: { user: { plan: pro } } }
      - { key: welcome, type: user_creation, points: 100, where: { user: { plan: pro } } }
leaderboards: [{ key: top, name: Top, rankBy: points, pointsSystem: xp, start: 2026-01-01 }]
`;

describe('conditions over HTTP', () => {
  const clock: Clock = {
    now: () => Date.parse('2026-03-02T20:00:00Z'),
    elapsedMs: () => 0,
    after: () => () => undefined,
  };
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

  const ask = askOf(() => served);
  const client = new Client(() => served);
  const learn = async (id: string, value: number, course: string | null, plan?: string) => {
    const user = { id, ...(plan !== undefined && { attributes: { plan } }) };
    const body = { user, value, ...(course !== null && { attributes: { course } }) };
    return (await ask<EventAnswer>('/v1/metrics/lessons/event', body)).answer;
  };
  const totalOf = async (id: string) => (await ask<UserPoints>(`/v1/users/${id}/points/xp`)).answer.total;
  const digest = () => served.service.digest(ACCOUNT);
  const findings = async () => {
    const found: unknown[] = [];
    await served.service.verify(ACCOUNT, true, (progress) => found.push(...(progress.findings ?? [])));
    return found;
  };

  it('count only matching events, and judge the user as the event leaves them', async () => {
    await learn('ada', 1, 'radio', 'pro');
    expect(await totalOf('ada')).toBe(101);
    await learn('ada', 5, 'chess');
    expect(await totalOf('ada')).toBe(106);
    await learn('ada', 1, 'tv', 'free');
    expect(await totalOf('ada')).toBe(116);
    await learn('ada', 7, null);
    expect(await totalOf('ada')).toBe(116);
    // What was met meanwhile is lost.
    await ask('/v1/users', { id: 'ada', attributes: { plan: 'pro' } });
    await learn('ada', 1, null);
    expect(await totalOf('ada')).toBe(117);
  });

  it('are shown with triggers, and explained', async () => {
    const { eventId } = await learn('bob', 3, 'chess', 'free');
    const { triggers } = (await ask<PointsSystemAnswer>('/v1/points/xp')).answer;
    const [radio, tv] = [
      { key: 'course', value: 'radio' },
      { key: 'course', value: 'tv' },
    ];
    expect(triggers).toMatchObject([
      { eventAttribute: radio, eventAttributes: [radio, tv], userAttributes: [] },
      { userAttributes: [{ key: 'plan', value: 'pro' }] },
      { userAttributes: [{ key: 'plan', value: 'pro' }] },
    ]);
    expect(triggers[1]).not.toHaveProperty('eventAttributes');
    const path = `/admin/v1/users/bob/explain/points/xp/events/${eventId}`;
    const { fired, missed } = (await ask<ExplainedPointsOfEventAnswer>(path)).answer;
    expect(fired).toEqual([]);
    expect(missed?.map(({ why }) => why).sort()).toEqual(['event_differs', 'user_differs', 'user_differs']);
  });

  it('are met in batches, and by hashes that nobody sees in an export', async () => {
    const events = [1, 2].map(() => ({
      metric: 'lessons',
      user: { id: 'cy' },
      value: 1,
      attributes: { course: 'radio' },
    }));
    expect((await client.batch(events)).json.results).toMatchObject([{ status: 201 }, { status: 201 }]);
    expect(await totalOf('cy')).toBe(10);
    const exported = JSON.stringify(await client.read('/admin/v1/users/cy/export'));
    expect(exported).toContain('radio');
    expect(exported).not.toMatch(/hashes/i);
  });

  it('boost the awards of users who match, and list a boost only for them', async () => {
    const awarded = async (plan?: string) =>
      (await learn('ada', 1, null, plan)).points['coins']?.awards.map((award) => [award.awarded, award.boosts?.length]);
    expect(await awarded()).toEqual([[10, undefined]]);
    const boosts = () => client.read('/v1/users/ada/points/coins/boosts');
    expect(await boosts()).toEqual([]);
    expect(await awarded('pro')).toEqual([[20, 1]]);
    expect(await boosts()).toMatchObject([{ name: 'Double', userAttributes: [{ key: 'plan', value: 'pro' }] }]);
    expect(await awarded('free')).toEqual([[10, undefined]]);
    expect(await client.read('/v1/points/coins/boosts')).toHaveLength(1);
  });

  it('show what matching events add up to as the progress of an achievement', async () => {
    await learn('ada', 3, 'radio');
    await learn('ada', 4, 'chess');
    const achievements = await client.read('/v1/users/ada/achievements?includeIncomplete=true');
    expect(achievements).toMatchObject([
      { key: 'listener', progress: { have: 3, need: 5 } },
      { key: 'member', progress: { have: 7, need: 4 }, achievedAt: null },
    ]);
    const { answer } = await ask<{ eventId: string }>('/v1/users', { id: 'ada', attributes: { plan: 'pro' } });
    expect(answer).toBeDefined();
    expect(await client.read('/v1/users/ada/achievements')).toMatchObject([{ key: 'member' }]);
  });

  it('keep every number after an erasure, through a rebuild and a verification', async () => {
    await learn('ada', 4, 'radio', 'pro');
    await learn('bob', 2, 'radio', 'free');
    const { previewId, places } = (await client.send('DELETE', '/admin/v1/users/ada?preview=true&boards=anonymous'))
      .json;
    expect(places).toContainEqual({ place: 'events', rows: 1, becomes: 'hashed' });
    await client.send('DELETE', `/admin/v1/users/ada?previewId=${previewId}&boards=anonymous&reason=a+letter`);
    const board = await client.read('/v1/leaderboards/top');
    expect(board.rankings.map(({ value }: { value: number }) => value)).toEqual([124, 10]);
    const before = await digest();
    expect(await findings()).toEqual([]);
    await served.service.engine.rebuild([]);
    expect(await digest()).toEqual(before);
    expect(await findings()).toEqual([]);
    expect((await client.read('/v1/leaderboards/top')).rankings).toEqual(board.rankings);
  });
});
