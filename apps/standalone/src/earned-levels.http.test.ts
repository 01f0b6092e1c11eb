import type {
  CorrectionPreviewAnswer,
  ExplainedPointsAnswer,
  LevelUserPage,
  LevelUsersAnswer,
  UserOverview,
  UserPoints,
  UserTimeline,
} from '@laurel/schemas';
import { parseDocument } from '@laurel/configuration';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { askOf } from './testing/ask.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const configured = (levelsBy: string) => `
version: 1
metrics: [{ key: lessons, name: Lessons }, { key: undone, name: Undone }]
points:
  - key: coins
    name: Coins
    levelsBy: ${levelsBy}
    levels: [{ key: gold, name: Gold, points: 100 }]
    triggers:
      - { type: metric, metric: lessons, threshold: 1, points: 10 }
      - { type: metric, metric: undone, threshold: 1, points: -10 }
`;

describe('levels that follow what users have earned', () => {
  let database: TestDatabase;
  let served: Served;
  const ask = askOf(() => served);
  const answered = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const { status, answer } = await ask<Answer>(path, body);
    expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
    return answer;
  };
  const send = (metric: string, id: string, value: number) =>
    answered<{ eventId: string; points: Record<string, object> }>(`/v1/metrics/${metric}/event`, {
      user: { id },
      value,
    });
  const pointsOf = (id: string) => answered<UserPoints>(`/v1/users/${id}/points/coins`);
  const overviewOf = async (id: string) => (await answered<UserOverview>(`/admin/v1/users/${id}`)).points;
  const explained = (id: string) => answered<ExplainedPointsAnswer>(`/admin/v1/users/${id}/explain/points/coins`);

  beforeAll(async () => {
    database = await openServiceDatabase();
    const clock = { now: () => Date.parse('2026-03-01T20:00:00Z'), elapsedMs: () => 0, after: () => () => undefined };
    served = await serveInProcess(database.connection, configured('total'), clock);
  });
  afterAll(async () => {
    await served?.close();
    await database?.close();
  });

  it('show at once when a publication switches to them', async () => {
    await send('lessons', 'ada', 10);
    const taken = await send('undone', 'ada', 5);
    expect(taken.points['coins']).toMatchObject({ total: 50, level: null });
    for (const answer of [await pointsOf('ada'), (await overviewOf('ada'))[0], await explained('ada')])
      expect(answer).not.toHaveProperty('earned');
    expect(await pointsOf('ada')).toMatchObject({ total: 50, level: null });

    const { document } = parseDocument(configured('earned'), 'laurel.yaml');
    await answered('/admin/v1/configurations', { document });
    expect(await pointsOf('ada')).toMatchObject({ total: 50, earned: 100, level: { key: 'gold' } });
    expect(await overviewOf('ada')).toMatchObject([{ total: 50, earned: 100, level: 'gold' }]);
    expect(await explained('ada')).toMatchObject({ total: 50, earned: 100, levelsBy: 'earned', level: 'gold' });
    expect(await answered<LevelUsersAnswer[]>('/v1/points/coins/level-summary')).toMatchObject([{ users: 1 }]);
  });

  it('are listed and announced from the next event on', async () => {
    const reached = await send('lessons', 'bob', 10);
    expect(reached.points['coins']).toMatchObject({ level: { key: 'gold' } });
    expect((await send('undone', 'bob', 10)).points['coins']).not.toHaveProperty('level');
    await send('lessons', 'ada', 1);
    const { users } = await answered<LevelUserPage>('/admin/v1/points/coins/levels/gold/users');
    expect(users.map(({ userId }) => userId).sort()).toEqual(['ada', 'bob']);
    const { events } = await answered<UserTimeline>('/admin/v1/users/bob/events');
    const shown = events.flatMap(({ effects }) => effects.points.map(({ words }) => words));
    expect(shown).toContain('level Gold of Coins (by points earned)');
  });

  it('are in exports of the user and of the state', async () => {
    expect(await answered('/admin/v1/users/ada/export')).toMatchObject({
      points: { coins: 60 },
      earned: { coins: 110 },
    });
    expect(await answered('/admin/v1/state')).toMatchObject({
      users: { bob: { points: { coins: 0 }, earned: { coins: 100 } } },
    });
  });

  it('fall back when a correction changes what was earned, even if the total stays', async () => {
    const { events } = await answered<UserTimeline>('/admin/v1/users/bob/events');
    const corrections = [{ eventId: events.at(-1)?.id, retract: true }];
    const preview = await answered<CorrectionPreviewAnswer>('/admin/v1/corrections/previews', { corrections });
    expect(preview.users[0]?.points).toMatchObject([
      { before: { total: 0, earned: 100, level: 'gold' }, after: { total: 0, earned: 0, level: null } },
    ]);
    await answered('/admin/v1/corrections', { corrections, preview: preview.id, reason: 'by mistake' });
    expect(await pointsOf('bob')).toMatchObject({ total: 0, earned: 0, level: null });
    const { users } = await answered<LevelUserPage>('/admin/v1/points/coins/levels/gold/users');
    expect(users.map(({ userId }) => userId)).toEqual(['ada']);
  });
});
