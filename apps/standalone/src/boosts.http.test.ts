import { parseDocument } from '@laurel/configuration';
import type {
  ListedBoost,
  EventPoints,
  ExplainedPointsAnswer,
  ExplainedPointsOfEventAnswer,
  UserPoints,
  UserTimeline,
} from '@laurel/schemas';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { askOf } from './testing/ask.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const NOW = '2026-03-07T20:00:00Z';

const WEEKEND =
  '{ key: weekend, name: Weekend, multiplier: 2, start: 2026-03-07T00:00:00Z, end: 2026-03-09T00:00:00Z }';
const HALVES = '{ key: halves, name: Halves, multiplier: 1.15, rounding: up, start: 2026-03-01T00:00:00Z }';
const PAST = '{ key: past, name: Past, multiplier: 9, start: 2026-02-01T00:00:00Z, end: 2026-03-01T00:00:00Z }';
const COMING = '{ key: coming, name: Coming, multiplier: 0.5, start: 2026-04-01T00:00:00Z }';

const configured = (...boosts: readonly string[]) => `
version: 1
metrics: [{ key: lessons, name: Lessons }, { key: hints, name: Hints }, { key: asides, name: Asides }]
points:
  - key: coins
    name: Coins
    maxPoints: 100
    boosts: [${boosts.join(', ')}]
    triggers:
      - { key: lesson, type: metric, metric: lessons, threshold: 1, points: 10 }
      - { type: metric, metric: hints, threshold: 1, points: -10 }
  - key: gems
    name: Gems
    boosts: [{ key: rare, name: Rare, multiplier: 0.1, start: 2026-03-01T00:00:00Z }]
    triggers: [{ type: metric, metric: asides, threshold: 1, points: 1 }]
`;

const SHOWN = {
  weekend: { name: 'Weekend', status: 'active', multiplier: 2, rounding: 'down', end: '2026-03-09T00:00:00.000Z' },
  halves: { name: 'Halves', status: 'active', multiplier: 1.15, rounding: 'up', end: null },
};

describe('boosts', () => {
  let database: TestDatabase;
  let served: Served;
  const ask = askOf(() => served);
  const answered = async <Answer>(path: string, body?: object): Promise<Answer> => {
    const { status, answer } = await ask<Answer>(path, body);
    expect([path, Math.floor(status / 100)]).toEqual([path, 2]);
    return answer;
  };
  const send = async (metric: string, value: number, id = 'ada') =>
    answered<{ eventId: string; points: Record<string, EventPoints> }>(`/v1/metrics/${metric}/event`, {
      user: { id },
      value,
    });
  const boostsOf = (path: string) => answered<ListedBoost[]>(path);

  beforeAll(async () => {
    database = await openServiceDatabase();
    const clock = { now: () => Date.parse(NOW), elapsedMs: () => 0, after: () => () => undefined };
    served = await serveInProcess(database.connection, configured(HALVES, PAST, WEEKEND, COMING), clock);
  });
  afterAll(async () => {
    await served?.close();
    await database?.close();
  });

  it('multiply an award, which names them', async () => {
    const { points } = await send('lessons', 1);
    expect(points['coins']).toMatchObject({
      added: 23,
      total: 23,
      awards: [{ awarded: 23, boosts: [SHOWN.halves, SHOWN.weekend] }],
    });
    const read = await answered<UserPoints>('/v1/users/ada/points/coins');
    expect(read.awards).toEqual(points['coins']?.awards);
  });

  it('leave awards alone that take points', async () => {
    const { points } = await send('hints', 1);
    expect(points['coins']).toMatchObject({ added: -10, total: 13 });
    expect(points['coins']?.awards[0]).not.toHaveProperty('boosts');
  });

  it('come before the cap, and an explanation shows each step', async () => {
    const { eventId } = await send('lessons', 5);
    const why = await answered<ExplainedPointsOfEventAnswer>(
      `/admin/v1/users/ada/explain/points/coins/events/${eventId}`,
    );
    const boosts = [SHOWN.halves, SHOWN.weekend];
    expect(why.fired).toMatchObject([{ times: 5, nominal: 50, boosts, boosted: 115, change: 87, cutBy: 'cap' }]);
    const all = await answered<ExplainedPointsAnswer>('/admin/v1/users/ada/explain/points/coins');
    expect(all.entries[0]).toEqual(why.fired[0]);
    expect(all.entries[1]).not.toHaveProperty('boosts');
  });

  it('may round an award to nothing, and the answer still names the system', async () => {
    const { eventId, points } = await send('asides', 1, 'bob');
    expect(points['gems']).toMatchObject({ added: 0, total: 0, awards: [] });
    const why = await answered<ExplainedPointsOfEventAnswer>(
      `/admin/v1/users/bob/explain/points/gems/events/${eventId}`,
    );
    expect(why.fired).toMatchObject([{ nominal: 1, boosted: 0, change: 0, cutBy: null }]);
  });

  it('are in timelines and exports', async () => {
    const { events } = await answered<UserTimeline>('/admin/v1/users/ada/events');
    const words = events.flatMap(({ effects }) => effects.points.map((effect) => effect.words));
    expect(words).toContainEqual(expect.stringMatching(/^23 Coins .* with Halves and Weekend, now 23$/));
    const exported = await answered<{ awards: readonly object[] }>('/admin/v1/users/ada/export');
    expect(exported.awards[0]).toMatchObject({ awarded: 23, boosts: [SHOWN.halves, SHOWN.weekend] });
    expect(exported.awards[1]).not.toHaveProperty('boosts');
  });

  it('are listed with their status, finished ones only if asked for', async () => {
    for (const path of ['/v1/points/coins/boosts', '/v1/users/ada/points/coins/boosts']) {
      expect(await boostsOf(path)).toMatchObject([
        SHOWN.halves,
        SHOWN.weekend,
        { name: 'Coming', status: 'scheduled', multiplier: 0.5 },
      ]);
      const all = await boostsOf(`${path}?includeFinished=true`);
      expect(all.map(({ name, status }) => [name, status])).toEqual([
        ['Halves', 'active'],
        ['Past', 'finished'],
        ['Weekend', 'active'],
        ['Coming', 'scheduled'],
      ]);
    }
    expect(await ask('/v1/points/nothing/boosts')).toMatchObject({ status: 404 });
    expect(await ask('/v1/users/nobody/points/coins/boosts')).toMatchObject({ status: 404 });
    expect(await ask('/v1/points/coins/boosts?includeFinshed=true')).toMatchObject({ status: 422 });
  });

  it('end when a publication removes them, and awards show them as they were', async () => {
    const stronger = WEEKEND.replace('multiplier: 2', 'multiplier: 3');
    const { document } = parseDocument(configured(stronger), 'laurel.yaml');
    await answered('/admin/v1/configurations', { document });
    const all = await boostsOf('/v1/points/coins/boosts?includeFinished=true');
    expect(all).toMatchObject([
      { name: 'Weekend', multiplier: 3 },
      { name: 'Halves', status: 'finished' },
      { name: 'Past', status: 'finished', end: '2026-03-01T00:00:00.000Z' },
    ]);
    const { points } = await send('lessons', 1, 'cleo');
    expect(points['coins']?.awards).toMatchObject([{ awarded: 30, boosts: [{ name: 'Weekend', multiplier: 3 }] }]);
    const read = await answered<UserPoints>('/v1/users/ada/points/coins');
    expect(read.awards.at(-1)).toMatchObject({ awarded: 23, boosts: [SHOWN.halves, SHOWN.weekend] });
  });
});

describe('a boost of one user', () => {
  let database: TestDatabase;
  let served: Served;
  let now = Date.parse(NOW);
  const ask = askOf(() => served);
  const give = (id: string, body: object) =>
    ask<{ eventId: string; code?: string; errors?: object[] }>(`/admin/v1/users/${id}/grants/boost`, {
      ...{ pointsSystem: 'coins', multiplier: 1.5, reason: 'Won in the raffle.', ...body },
    });
  const send = async (id: string) => {
    const { answer } = await ask<{ points: Record<string, EventPoints> }>('/v1/metrics/lessons/event', {
      user: { id },
      value: 1,
    });
    return answer.points['coins'];
  };
  const boostsOf = async (id: string, query = '') =>
    (await ask<ListedBoost[]>(`/v1/users/${id}/points/coins/boosts${query}`)).answer;

  beforeAll(async () => {
    database = await openServiceDatabase();
    const clock = { now: () => now, elapsedMs: () => 0, after: () => () => undefined };
    served = await serveInProcess(database.connection, configured(WEEKEND), clock);
  });
  afterAll(async () => {
    await served?.close();
    await database?.close();
  });

  it('multiplies what triggers give them, behind those of the configuration, and nobody else', async () => {
    await send('ada');
    await send('bob');
    const { status, answer } = await give('ada', { minutes: 60, name: 'Happy hour' });
    expect(status).toBe(201);
    const own = { id: answer.eventId, name: 'Happy hour', status: 'active', multiplier: 1.5, rounding: 'down' };
    expect(await send('ada')).toMatchObject({ added: 30, awards: [{ boosts: [SHOWN.weekend, own] }] });
    expect(await send('bob')).toMatchObject({ added: 20, awards: [{ boosts: [SHOWN.weekend] }] });
    expect(await boostsOf('ada')).toMatchObject([
      SHOWN.weekend,
      { ...own, start: '2026-03-07T20:00:00.000Z', end: '2026-03-07T21:00:00.000Z' },
    ]);
    expect(await boostsOf('bob')).toMatchObject([SHOWN.weekend]);
    const read = (await ask<UserPoints>('/v1/users/ada/points/coins')).answer;
    expect(read.awards[0]).toMatchObject({ awarded: 30, boosts: [SHOWN.weekend, own] });
  });

  it('is in the timeline, with who gave it and why, and in the export', async () => {
    const { events } = (await ask<UserTimeline>('/admin/v1/users/ada/events')).answer;
    const given = events.find(({ grant }) => grant?.kind === 'boost');
    expect(given).toMatchObject({
      type: 'GrantRecorded',
      words: 'Happy hour (Coins × 1.5) given for 60 minutes by hand',
      grant: { pointsSystem: 'coins', name: 'Happy hour', multiplier: 1.5, rounding: 'down', minutes: 60 },
      reason: 'Won in the raffle.',
    });
    const exported = (await ask<{ events: readonly { type: string; details: object }[] }>('/admin/v1/users/ada/export'))
      .answer;
    expect(exported.events.find(({ type }) => type === 'GrantRecorded')?.details).toMatchObject({
      grant: { kind: 'boost', system: 'coins', name: 'Happy hour', multiplier: 150 },
    });
  });

  it('ends', async () => {
    now = Date.parse('2026-03-07T21:00:00Z');
    expect(await send('ada')).toMatchObject({ added: 20, awards: [{ boosts: [SHOWN.weekend] }] });
    expect(await boostsOf('ada')).toHaveLength(1);
    const { events } = (await ask<UserTimeline>('/admin/v1/users/ada/events')).answer;
    expect(events.flatMap(({ effects }) => effects.points)).toContainEqual(
      expect.objectContaining({
        type: 'BoostEnded',
        at: '2026-03-07T21:00:00.000Z',
        words: 'Happy hour for Coins ended',
      }),
    );
    expect(await boostsOf('ada', '?includeFinished=true')).toMatchObject([
      SHOWN.weekend,
      { name: 'Happy hour', status: 'finished' },
    ]);
  });

  it('is refused beyond twenty that are not finished', async () => {
    for (let nth = 0; nth < 20; nth++)
      expect((await give('bob', { until: '2026-03-08T00:00:00Z', multiplier: 1, rounding: 'up' })).status).toBe(201);
    const { status, answer } = await give('bob', { minutes: 1 });
    expect([status, answer.code]).toEqual([422, 'too_many_boosts']);
    expect((await give('ada', { minutes: 1 })).status).toBe(201);
    expect((await boostsOf('bob')).filter(({ name }) => name === 'Boost')).toHaveLength(20);
    now = Date.parse('2026-03-08T00:00:00Z');
    expect((await give('bob', { minutes: 1 })).status).toBe(201);
  });

  it.each([
    [
      'an unknown system',
      { pointsSystem: 'coin', minutes: 1 },
      "must be the key of a points system (did you mean 'coins'?)",
    ],
    ['three decimals', { multiplier: 1.125, minutes: 1 }, 'must be a number from 0.01 to 100 with at most 2 decimals'],
    ['a multiplier of 0', { multiplier: 0, minutes: 1 }, 'must be a number from 0.01 to 100 with at most 2 decimals'],
    ['neither an end nor minutes', {}, 'must be given, or minutes, but not both'],
    ['an end and minutes', { minutes: 1, until: '2027-01-01T00:00:00Z' }, 'must be given, or minutes, but not both'],
    ['an end in the past', { until: '2026-01-01T00:00:00Z' }, 'must lie in the future'],
    ['half a minute', { minutes: 0.5 }, 'must be a whole number from 1 to 5256000'],
    [
      'an unknown rounding',
      { minutes: 1, rounding: 'nearst' },
      "must be one of down, up, nearest (did you mean 'nearest'?)",
    ],
  ])('is refused with %s', async (_, body, message) => {
    const { status, answer } = await give('ada', body);
    expect([status, answer.errors]).toEqual([422, [expect.objectContaining({ message })]]);
  });
});
