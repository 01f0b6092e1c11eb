import type { TestDatabase } from '@laurel/testing/database';
import { Client, type Json } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: reading, name: Pages read }]
streak: { frequency: daily, conditions: [{ metric: reading, threshold: 1 }], freezes: { initial: 1, max: 2 } }
achievements:
  - { key: bookworm, name: Bookworm, trigger: { type: metric, metric: reading, value: 500 } }
points:
  - key: gold
    name: Gold coins
    triggers:
      - { type: achievement, achievement: bookworm, points: 500 }
      - { type: metric, metric: reading, threshold: 100, points: 1 }
    levels: [{ key: rich, name: Rich, points: 500 }]
  - key: xp
    name: XP
    triggers: [{ type: time, unit: hour, interval: 12, points: 1 }]
leaderboards:
  - { key: readers, name: Readers, rankBy: metric, metric: reading, start: 2026-01-01 }
`;
const DAY = 86_400_000;

let database: TestDatabase;
let served: Served;
let now = Date.parse('2026-03-01T12:00:00Z');
const client = new Client(() => served);

beforeEach(async () => {
  database = await openServiceDatabase();
  now = Date.parse('2026-03-01T12:00:00Z');
  const clock = { now: () => now, elapsedMs: () => 0, after: () => () => undefined };
  served = await serveInProcess(database.connection, CONFIGURATION, clock);
});
afterEach(async () => {
  await served?.close();
  await database?.close();
});

describe('the description of an event', () => {
  const read = async (id: string, value: number): Promise<string> => {
    const { json } = await client.send('POST', '/v1/metrics/reading/event', { body: { user: { id }, value } });
    return json.eventId as string;
  };
  const wordsOf = async (eventId: string): Promise<readonly unknown[]> => {
    const { words, caused } = await client.read(`/admin/v1/events/${eventId}`);
    return [words, ...caused.flatMap(({ effects }: Json) => effects.map((effect: Json) => effect.words))];
  };

  it('starts with amounts and uses names, not keys or ids', async () => {
    await read('ben', 40);
    await read('ada', 0.5);
    const event = await read('ada', 499.5);
    expect(await wordsOf(event)).toEqual([
      '499.5 Pages read',
      '499.5 Pages read, now 500',
      'streak of 1 day started',
      'Bookworm completed',
      '5 Gold coins for Pages read, now 5',
      '500 Gold coins for Bookworm, now 505',
      'level Rich of Gold coins',
      'rank 1 of 2 on Readers, was 2',
    ]);
    // As a release stored it that did not count them.
    await database.sql.query('update rank_changes set participants = null', []);
    expect((await wordsOf(event)).at(-1)).toBe('rank 1 on Readers, was 2');
    const { events } = await client.read('/admin/v1/users/ada/events?limit=1');
    expect(events[0].words).toBe('499.5 Pages read');
    expect(events[0].effects.points.map((effect: Json) => effect.words)).toEqual([
      '5 Gold coins for Pages read, now 5',
      '500 Gold coins for Bookworm, now 505',
      'level Rich of Gold coins',
    ]);
    expect(await wordsOf(await read('ada', -500))).toEqual([
      '-500 Pages read',
      '-500 Pages read, now 0',
      'not ranked on Readers, was 1',
    ]);
  });

  it('says what was granted by hand and what a sweep caused', async () => {
    await read('ada', 1);
    const grant = async (kind: string, body: object): Promise<readonly unknown[]> => {
      const answer = await client.send('POST', `/admin/v1/users/ada/grants/${kind}`, {
        body: { reason: 'a', ...body },
      });
      return wordsOf(answer.json.eventId);
    };
    expect(await grant('points', { system: 'gold', amount: 7 })).toEqual([
      '7 Gold coins given by hand',
      '7 Gold coins by hand, now 7',
    ]);
    expect(await grant('points', { system: 'gold', amount: -2 })).toEqual([
      '2 Gold coins taken by hand',
      '-2 Gold coins by hand, now 5',
    ]);
    expect(await grant('freezes', { amount: 1 })).toEqual([
      '1 streak freeze given by hand',
      '1 streak freeze given, now 2',
    ]);
    expect(await grant('achievement', { achievement: 'bookworm' })).toEqual([
      'Bookworm completed by hand',
      'Bookworm completed',
      '500 Gold coins for Bookworm, now 505',
      'level Rich of Gold coins',
    ]);
    now += 2 * DAY;
    await served.service.engine.sweep();
    const { events } = await client.read('/admin/v1/users/ada/events?limit=1');
    const swept = await wordsOf(events[0].id);
    expect(swept.slice(0, 4)).toEqual([
      'time passed',
      '1 streak freeze used for 2026-03-02',
      '1 XP for 12 hours, now 1',
      '1 XP for 12 hours, now 2',
    ]);
  });
});
