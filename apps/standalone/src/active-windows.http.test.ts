import type {
  CompletionAnswer,
  ExplainedAchievementAnswer,
  ExplainedPointsOfEventAnswer,
  ListedAchievement,
  PointsSystemAnswer,
  Problem,
  UserAchievementAnswer,
  UserPoints,
} from '@laurel/schemas';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { askOf } from './testing/ask.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const FROM = '2026-03-10T00:00:00Z';
const UNTIL = '2026-03-11T00:00:00Z';
const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
achievements:
  - { key: ten, name: Ten, activeFrom: ${FROM}, activeUntil: ${UNTIL}, trigger: { type: metric, metric: lessons, value: 10 } }
  - { key: visit, name: Visit, activeFrom: ${FROM}, activeUntil: ${UNTIL}, trigger: { type: api } }
  - { key: always, name: Always, trigger: { type: api } }
points:
  - key: coins
    name: Coins
    triggers:
      - { type: metric, metric: lessons, threshold: 5, points: 10, activeFrom: ${FROM}, activeUntil: ${UNTIL} }
      - { type: achievement, achievement: ten, points: 7 }
`;

describe('achievements and triggers with activeFrom and activeUntil', () => {
  let database: TestDatabase;
  let served: Served;
  let now = Date.parse(FROM) - 1;
  const ask = askOf(() => served);
  const answered = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const { status, answer } = await ask<Answer>(path, body);
    expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
    return answer;
  };
  const send = (value: number) =>
    answered<{ eventId: string; achievements: { key: string }[]; points: Record<string, UserPoints> }>(
      '/v1/metrics/lessons/event',
      { user: { id: 'ada' }, value },
    );
  const complete = (id: string) => ask<Problem & CompletionAnswer>('/v1/achievements/visit/complete', { user: { id } });
  const explained = (key: string) =>
    answered<ExplainedAchievementAnswer>(`/admin/v1/users/ada/explain/achievements/${key}`);
  const statuses = async () => ({
    achievements: (await answered<ListedAchievement[]>('/v1/achievements')).map(({ status }) => status),
    triggers: (await answered<PointsSystemAnswer>('/v1/points/coins')).triggers.map(({ status }) => status),
  });

  beforeAll(async () => {
    database = await openServiceDatabase();
    const clock = { now: () => now, elapsedMs: () => 0, after: () => () => undefined };
    served = await serveInProcess(database.connection, CONFIGURATION, clock);
  });
  afterAll(async () => {
    await served?.close();
    await database?.close();
  });

  it('neither fire nor complete before activeFrom, and explanations say why', async () => {
    const { eventId, achievements, points } = await send(12);
    expect({ achievements, points }).toEqual({ achievements: [], points: {} });
    expect(await statuses()).toEqual({
      achievements: ['inactive', 'inactive', undefined],
      triggers: ['inactive', 'active'],
    });
    const why = `/admin/v1/users/ada/explain/points/coins/events/${eventId}`;
    expect((await answered<ExplainedPointsOfEventAnswer>(why)).missed).toMatchObject([
      { why: 'not_active', trigger: { status: 'inactive' } },
      { why: 'achievement_not_completed' },
    ]);
    const bounds = { activeFrom: '2026-03-10T00:00:00.000Z', activeUntil: '2026-03-11T00:00:00.000Z' };
    expect(await explained('ten')).toMatchObject({ status: 'inactive', ...bounds });
    expect(await explained('visit')).toMatchObject({ status: 'inactive', ...bounds });
    expect(await explained('always')).not.toHaveProperty('activeFrom');
  });

  it('refuse a completion by call before activeFrom, and record nothing', async () => {
    const { status, answer } = await complete('eve');
    expect([status, answer.code]).toEqual([422, 'not_active']);
    expect((await ask('/v1/users/eve')).status).toBe(404);
  });

  it('complete and fire inside, without the multiples that were reached before', async () => {
    now = Date.parse(FROM);
    expect(await statuses()).toEqual({ achievements: ['active', 'active', undefined], triggers: ['active', 'active'] });
    expect(await explained('ten')).toMatchObject({ status: 'met' });
    const { achievements, points } = await send(3);
    expect(achievements).toMatchObject([{ key: 'ten', status: 'active' }]);
    expect(points['coins']?.awards).toMatchObject([
      { awarded: 10, trigger: { status: 'active' } },
      { awarded: 7, trigger: { status: 'active' } },
    ]);
    const { status, answer } = await complete('ada');
    expect([status, answer.achievement]).toMatchObject([201, { key: 'visit', status: 'active' }]);
  });

  it('end at activeUntil, keep what was given, and are still given by hand', async () => {
    now = Date.parse(UNTIL);
    expect((await send(100)).points).toEqual({});
    expect((await complete('eve')).status).toBe(422);
    expect((await complete('ada')).status).toBe(202);
    const own = await answered<UserAchievementAnswer[]>('/v1/users/ada/achievements');
    expect(own).toMatchObject([{ key: 'ten', status: 'inactive' }, { key: 'visit', status: 'inactive' }]); // prettier-ignore
    const { awards } = await answered<UserPoints>('/v1/users/ada/points/coins');
    expect(awards.map(({ trigger }) => trigger?.status)).toEqual(['active', 'inactive']);
    await answered('/v1/users', { id: 'eve' });
    const grant = { achievement: 'visit', reason: 'was there' };
    await answered('/admin/v1/users/eve/grants/achievement', grant);
    expect(await answered('/v1/users/eve/achievements')).toMatchObject([{ key: 'visit' }]);
  });
});
