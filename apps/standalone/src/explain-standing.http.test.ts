import type { ExplainedStandingAnswer } from '@laurel/schemas';
import type { TestDatabase } from '@laurel/testing/database';
import { Client, type Json } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { parse } from 'yaml';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }, { key: words, name: Words }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }] }
points:
  - key: xp
    name: XP
    triggers:
      - { type: user_creation, points: 2 }
      - { type: metric, metric: lessons, threshold: 1, points: 10 }
      - { type: time, unit: hour, interval: 6, points: 1 }
leaderboards:
  - { key: days, name: Days, rankBy: metric, metric: lessons, start: 2026-01-01, runUnit: day, runInterval: 1 }
  - { key: points, name: Points, rankBy: points, pointsSystem: xp, start: 2026-01-01 }
  - { key: streaks, name: Streaks, rankBy: streak, start: 2026-01-01 }
`;
const HOUR = 3_600_000;

let database: TestDatabase;
let served: Served;
let now = Date.parse('2026-03-01T20:00:00Z');
const client = new Client(() => served);

beforeAll(async () => {
  database = await openServiceDatabase();
  const clock = { now: () => now, elapsedMs: () => 0, after: () => () => undefined };
  served = await serveInProcess(database.connection, CONFIGURATION, clock);
});
afterAll(async () => {
  await served?.close();
  await database?.close();
});

async function record(id: string, value: number, tz: string): Promise<string> {
  const body = { user: { id, tz }, value };
  const { status, json } = await client.send('POST', '/v1/metrics/lessons/event', { body });
  expect(status).toBe(201);
  return json.eventId as string;
}

const standing = (id: string, board: string, query = ''): Promise<ExplainedStandingAnswer> =>
  client.read(`/admin/v1/users/${id}/explain/leaderboards/${board}?${query}`);

const awardsOf = ({ awards }: ExplainedStandingAnswer['contributions'][number]) =>
  awards?.map(({ type, change }) => [type, change]) ?? null;

describe('the explanation of a place', () => {
  it('names the event, time zone, version and triggers behind each change of the value', async () => {
    const first = await record('ada', 2, 'Asia/Tokyo');
    now += 13 * HOUR;
    const second = await record('ada', 1, 'UTC');
    const { value, contributions, next } = await standing('ada', 'points');
    expect([value, next]).toEqual([34, null]);
    const ofFirst = { event: { id: first, type: 'MetricEventRecorded', metric: 'lessons', value: 2 }, version: 1 };
    const ofSecond = { event: { id: second }, version: 1 };
    const due = { ...ofSecond, change: 1, zone: 'Asia/Tokyo' };
    expect(contributions).toMatchObject([
      { ...ofSecond, at: new Date(now).toISOString(), zone: 'UTC', change: 10, value: 34 },
      { ...due, at: new Date(now - HOUR).toISOString(), value: 24 },
      { ...due, at: new Date(now - 7 * HOUR).toISOString(), value: 23 },
      { ...ofFirst, zone: 'Asia/Tokyo', change: 22, value: 22, previousRank: null, rank: 1 },
    ]);
    expect(contributions.map(awardsOf)).toEqual([
      [['metric', 10]],
      [['time', 1]],
      [['time', 1]],
      [
        ['user_creation', 2],
        ['metric', 20],
      ],
    ]);
    expect(contributions[0]?.awards?.[0]?.trigger).toMatchObject({ type: 'metric', metricName: 'Lessons' });
  });

  it('continues on the next page, and the changes on all pages add up to the value', async () => {
    const whole = await standing('ada', 'points');
    const seen: Json[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const page: ExplainedStandingAnswer = await standing('ada', 'points', `limit=1${cursor && `&cursor=${cursor}`}`);
      expect([page.rank, page.value, page.contributions.length]).toEqual([whole.rank, whole.value, 1]);
      seen.push(...page.contributions);
      cursor = page.next;
    }
    expect(seen).toEqual(whole.contributions);
    expect(seen.reduce((sum, { change }) => sum + change, 0)).toBe(whole.value);
  });

  it('refuses a cursor of another run', async () => {
    for (const value of [1, 2]) await record('ben', value, 'UTC');
    const { next } = await standing('ben', 'days', 'limit=1');
    const status = async (query: string) =>
      (await client.send('GET', `/admin/v1/users/ben/explain/leaderboards/days?${query}`)).status;
    expect(await status(`cursor=${next}`)).toBe(200);
    now += 24 * HOUR;
    expect(await status(`cursor=${next}`)).toBe(422);
    expect(await status(`run=2026-03-02&cursor=${next}`)).toBe(200);
    expect(await status('run=2027-03-02&cursor=YQ')).toBe(422);
    expect(await status('limit=51')).toBe(422);
  });

  it('names no trigger when a board ranks by a metric', async () => {
    const { contributions } = await standing('ada', 'days', 'run=2026-03-02');
    expect(contributions).toMatchObject([
      { change: 1, zone: 'UTC', awards: null },
      { change: 2, zone: 'Asia/Tokyo', awards: null },
    ]);
  });

  it('shows the time zone in which a streak ended', async () => {
    await record('cid', 1, 'America/New_York');
    now += 72 * HOUR;
    const woken = await record('cid', 1, 'Asia/Tokyo');
    const { contributions } = await standing('cid', 'streaks');
    expect(contributions.map(({ change, zone, event, awards }) => [change, zone, event.id === woken, awards])).toEqual([
      [1, 'Asia/Tokyo', true, null],
      [-1, 'America/New_York', true, null],
      [1, 'America/New_York', false, null],
    ]);
  });

  it('shows the time zone of each change, however often it changed in between', async () => {
    await record('gus', 1, 'Africa/Tunis');
    for (let times = 0; times < 105; times++) {
      const tz = times % 2 ? 'UTC' : 'Asia/Tokyo';
      await client.send('POST', '/v1/metrics/words/event', { body: { user: { id: 'gus', tz }, value: 1 } });
    }
    await record('gus', 2, 'Europe/Berlin');
    const { contributions } = await standing('gus', 'points');
    expect(contributions.map(({ zone }) => zone)).toEqual(['Europe/Berlin', 'Africa/Tunis']);
  });

  it('includes a grant that counts on boards and omits one that does not', async () => {
    await record('dan', 1, 'UTC');
    const grant = (body: object) =>
      client.send('POST', '/admin/v1/users/dan/grants/points', { body: { system: 'xp', reason: 'why', ...body } });
    await grant({ amount: 5 });
    await grant({ amount: 7, boards: false });
    const { value, contributions } = await standing('dan', 'points');
    expect([value, contributions.map(awardsOf)]).toEqual([
      17,
      [
        [['grant', 5]],
        [
          ['user_creation', 2],
          ['metric', 10],
        ],
      ],
    ]);
    expect(contributions[0]?.event).toMatchObject({ type: 'GrantRecorded', reason: 'why' });
  });

  it('names a correction without a trigger', async () => {
    const wrong = await record('eva', 9, 'UTC');
    const corrections = [{ eventId: wrong, value: 1 }];
    const { json: preview } = await client.send('POST', '/admin/v1/corrections/previews', { body: { corrections } });
    await client.send('POST', '/admin/v1/corrections', {
      body: { corrections, preview: preview.id, reason: 'counted nine times' },
    });
    const { value, contributions } = await standing('eva', 'points');
    expect([value, contributions.map(({ change, event }) => [change, event.type, event.reason])]).toEqual([
      12,
      [
        [-80, 'CorrectionRecorded', 'counted nine times'],
        [92, 'MetricEventRecorded', undefined],
      ],
    ]);
    expect(contributions.map(({ awards }) => awards === null)).toEqual([true, false]);
  });

  it('names the version of each change, and triggers that were removed since', async () => {
    await record('flo', 1, 'UTC');
    const document: Json = parse(CONFIGURATION);
    document.points[0].triggers.splice(1, 1, { type: 'metric', metric: 'lessons', threshold: 1, points: 3 });
    expect((await client.send('POST', '/admin/v1/configurations', { body: { document } })).status).toBe(201);
    await record('flo', 1, 'UTC');
    const { contributions } = await standing('flo', 'points');
    expect(contributions.map(({ version, change }) => [version, change])).toEqual([
      [2, 3],
      [1, 12],
    ]);
    expect(contributions[1]?.awards?.[1]).toMatchObject({ type: 'metric', trigger: { points: 10 }, change: 10 });
  });
});
