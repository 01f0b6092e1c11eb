import type { ExplainedEventAnswer, ExplainedPointsOfEventAnswer, ExplainedStandingAnswer } from '@laurel/schemas';
import type { TestDatabase } from '@laurel/testing/database';
import { Client, type Json } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
points:
  - key: xp
    name: XP
    triggers: [{ type: time, unit: hour, interval: 12, points: 1 }]
leaderboards:
  - { key: days, name: Days, rankBy: points, pointsSystem: xp, start: 2026-01-01, runUnit: day, runInterval: 1 }
`;
const DAY = 86_400_000;
const MANY = Array.from({ length: 23 }, (_, n) => `many ${n}`);

let database: TestDatabase;
let served: Served;
let now = Date.parse('2026-03-01T12:00:00Z');
const client = new Client(() => served);

beforeEach(async () => {
  database = await openServiceDatabase();
  const clock = { now: () => now, elapsedMs: () => 0, after: () => () => undefined };
  served = await serveInProcess(database.connection, CONFIGURATION, clock);
});
afterEach(async () => {
  await served?.close();
  await database?.close();
});

async function record(ids: readonly string[]): Promise<void> {
  for (const id of ids) await client.send('POST', '/v1/metrics/lessons/event', { body: { user: { id }, value: 1 } });
}

/** The newest event of a user, after so many days in which nothing happens. */
async function sweptAfter(days: number, id: string): Promise<string> {
  now += days * DAY;
  await served.service.engine.sweep();
  const { events } = await client.read(`/admin/v1/users/${encodeURIComponent(id)}/events?limit=1`);
  expect(events[0].type).toBe('UsersSwept');
  return events[0].id as string;
}

const page = (eventId: string, query = ''): Promise<ExplainedEventAnswer> =>
  client.read(`/admin/v1/events/${eventId}?${query}`);

async function pagesOf(eventId: string, query: string): Promise<readonly ExplainedEventAnswer[]> {
  const pages: ExplainedEventAnswer[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const one: ExplainedEventAnswer = await page(eventId, `${query}${cursor && `&cursor=${cursor}`}`);
    pages.push(one);
    cursor = one.next;
  }
  return pages;
}

describe('the explanation of an event that concerns many users', () => {
  it.each([
    ['', [10, 10, 3]],
    ['limit=9', [9, 9, 5]],
  ])('shows the effects on all of them, page by page (%s)', async (query, lengths) => {
    await record(MANY);
    const sweep = await sweptAfter(1, MANY[0] as string);
    const pages = await pagesOf(sweep, query);
    expect(pages.map(({ users, caused }) => [users, caused.length])).toEqual(lengths.map((length) => [23, length]));
    const caused = pages.flatMap((one) => one.caused);
    expect(caused.map(({ userId }) => userId).sort()).toEqual([...MANY].sort());
    for (const { effects, pointsLeftOut, runsLeftOut } of caused) {
      expect(effects.map(({ type }) => type)).toEqual(['PointsAwarded', 'PointsAwarded', 'RankChanged', 'RankChanged']);
      expect([pointsLeftOut, runsLeftOut]).toEqual([0, 0]);
    }
  });

  it('ends a page before the user whose runs would exceed it, and omits no rank', async () => {
    const ids = MANY.slice(0, 5);
    await record(ids);
    const pages = await pagesOf(await sweptAfter(12, ids[0] as string), '');
    expect(pages.map(({ caused }) => caused.length)).toEqual([2, 2, 1]);
    for (const { effects, runsLeftOut } of pages.flatMap((one) => one.caused)) {
      const ranks = effects.filter(({ type }) => type === 'RankChanged');
      expect([ranks.length, runsLeftOut]).toEqual([24, 0]);
    }
  });

  it('says which effects of a user it omits and where to find them', async () => {
    await record(['ada', 'ben']);
    const sweep = await sweptAfter(140, 'ada');
    const pages = await pagesOf(sweep, '');
    expect(pages.map(({ caused }) => caused.length)).toEqual([1, 1]);
    const [{ userId, effects, pointsLeftOut, runsLeftOut }] = pages.flatMap((one) => one.caused) as [Json];
    expect(effects.filter(({ type }: Json) => type === 'PointsAwarded')).toHaveLength(100);
    expect([pointsLeftOut, runsLeftOut]).toEqual([180, 90]);
    const all: ExplainedPointsOfEventAnswer = await client.read(
      `/admin/v1/users/${userId}/explain/points/xp/events/${sweep}`,
    );
    expect(all.fired).toHaveLength(280);
    const shown = new Set(effects.flatMap(({ run }: Json) => run ?? []));
    const hidden = Array.from({ length: 140 }, (_, day) => new Date(now - day * DAY).toISOString().slice(0, 10));
    const notShown = hidden.find((date) => !shown.has(date));
    const standing: ExplainedStandingAnswer = await client.read(
      `/admin/v1/users/${userId}/explain/leaderboards/days?run=${notShown}`,
    );
    expect(standing.contributions.map(({ event }) => event.id)).toEqual([sweep, sweep]);
  });

  it('refuses a cursor of another list and a page size outside the limits', async () => {
    await record(['ada']);
    const sweep = await sweptAfter(1, 'ada');
    for (const query of ['cursor=abc', 'limit=0', 'limit=11'])
      expect((await client.send('GET', `/admin/v1/events/${sweep}?${query}`)).status).toBe(422);
    expect(await page(sweep, `cursor=${Buffer.from('users:5').toString('base64url')}`)).toMatchObject({
      ...{ users: 1, caused: [], next: null },
    });
  });
});
