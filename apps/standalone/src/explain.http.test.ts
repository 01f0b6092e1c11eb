import type { ExplainedStandingAnswer, ExplainedStreakAnswer } from '@laurel/contracts';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }] }
leaderboards:
  - { key: top, name: Top, rankBy: metric, metric: lessons, start: 2026-01-01, maxParticipants: 3 }
`;

describe('an explanation', () => {
  let database: TestDatabase;
  let served: Served;
  let now = Date.parse('2026-03-01T20:00:00Z');
  beforeAll(async () => {
    database = await openTestDatabase([]);
    const clock = { now: () => now, elapsedMs: () => 0, after: () => () => undefined };
    served = await serveInProcess(database.connection, CONFIGURATION, clock);
    for (const [id, value] of Object.entries({ ada: 7, bob: 5, cara: 5, dora: 5, eve: 2.5 })) {
      await ask('/v1/metrics/lessons/event', { user: { id, tz: 'Asia/Kolkata' }, value });
      now += 1_000;
    }
    now += 2 * 86_400_000;
  });
  afterAll(async () => {
    await served?.close();
    await database?.close();
  });

  async function ask<Answer>(path: string, body?: object): Promise<Answer> {
    const headers = { 'x-api-key': served.apiKey, 'content-type': 'application/json' };
    const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${served.baseUrl}${path}`, init);
    expect(response.ok).toBe(true);
    return (await response.json()) as Answer;
  }
  const standingOf = (id: string) => ask<ExplainedStandingAnswer>(`/admin/v1/users/${id}/explain/leaderboards/top`);

  it('of a place says what decides between it and those next to it', async () => {
    expect(await standingOf('bob')).toMatchObject({
      ...{ rank: 2, behindLast: null },
      above: { userId: 'ada', value: 7, decidedBy: 'value' },
      below: { userId: 'cara', value: 5, decidedBy: 'reached_first' },
    });
  });

  it('of a user beyond the places says how far the last one is ahead', async () => {
    const beyond = { status: 'beyond_max_participants', rank: null, lastRanked: { userId: 'cara', value: 5 } };
    expect(await standingOf('eve')).toMatchObject({ ...beyond, behindLast: 2.5 });
    expect(await standingOf('dora')).toMatchObject({ ...beyond, behindLast: 0 });
  });

  it('of a streak that ended says when, in UTC and on the clock of the user', async () => {
    const { ends } = await ask<ExplainedStreakAnswer>('/admin/v1/users/ada/explain/streak');
    const end = { at: '2026-03-03T18:30:00.000Z', localTime: '2026-03-04T00:00:00.000', zone: 'Asia/Kolkata' };
    expect(ends).toEqual([{ ...end, length: 1 }]);
  });
});
