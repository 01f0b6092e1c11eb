import { parse } from 'yaml';
import type {
  CorrectionAnswer,
  ExplainedPointsAnswer,
  ExplainedPointsOfEventAnswer,
  ExplainedStandingAnswer,
  ExplainedStreakAnswer,
} from '@laurel/schemas';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { askOf } from './testing/ask.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }, { key: words, name: Words }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }] }
points:
  - key: xp
    name: XP
    maxPoints: 25
    triggers:
      - { type: metric, metric: lessons, threshold: 5, points: 10 }
      - { type: streak, length: 3, points: 1 }
      - { type: user_creation, points: 2 }
leaderboards:
  - { key: april, name: April, rankBy: metric, metric: lessons, start: 2026-04-01, end: 2026-04-30 }
  - { key: points, name: Points, rankBy: points, pointsSystem: xp, start: 2026-01-01 }
  - { key: top, name: Top, rankBy: metric, metric: lessons, start: 2026-01-01, maxParticipants: 3 }
`;

/** Requests that must succeed. */
const answersOf = (served: () => Served) => {
  const ask = askOf(served);
  return async <Answer>(path: string, body?: object): Promise<Answer> => {
    const { status, answer } = await ask<Answer>(path, body);
    expect(Math.floor(status / 100)).toBe(2);
    return answer;
  };
};

describe('an explanation', () => {
  let database: TestDatabase;
  let served: Served;
  let now = Date.parse('2026-03-01T20:00:00Z');
  beforeAll(async () => {
    database = await openServiceDatabase();
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

  const ask = answersOf(() => served);
  const ofEvent = (id: string, event: string) =>
    ask<ExplainedPointsOfEventAnswer>(`/admin/v1/users/${id}/explain/points/xp/events/${event}`);
  const standingOf = (id: string) => ask<ExplainedStandingAnswer>(`/admin/v1/users/${id}/explain/leaderboards/top`);

  it('of a place says what decides between it and its neighbours', async () => {
    expect(await standingOf('bob')).toMatchObject({
      ...{ rank: 2, behindLast: null },
      above: { userId: 'ada', value: 7, decidedBy: 'value' },
      below: { userId: 'cara', value: 5, decidedBy: 'reached_first' },
    });
  });

  it('of a user beyond the last place says how far that place is ahead', async () => {
    const beyond = { status: 'beyond_max_participants', rank: null, lastRanked: { userId: 'cara', value: 5 } };
    expect(await standingOf('eve')).toMatchObject({ ...beyond, behindLast: 2.5 });
    expect(await standingOf('dora')).toMatchObject({ ...beyond, behindLast: 0 });
  });

  it('of an event says what each trigger awarded, or why it awarded nothing', async () => {
    const { entries } = await ask<ExplainedPointsAnswer>('/admin/v1/users/ada/explain/points/xp');
    const [own] = entries.map(({ event }) => event.id);
    const { change, fired, missed } = await ofEvent('ada', own ?? '');
    expect([change, fired.map(({ type }) => type)]).toEqual([12, ['user_creation', 'metric']]);
    expect(missed?.map(({ trigger, why, missing }) => [trigger?.type, why, missing])).toEqual([
      ['streak', 'streak_length', 2],
    ]);
    const { eventId } = await ask<{ eventId: string }>('/v1/metrics/lessons/event', { user: { id: 'ada' }, value: 1 });
    const none = await ofEvent('ada', eventId);
    expect(none).toMatchObject({ system: 'xp', change: 0, complete: true, version: 1, event: { id: eventId } });
    expect(none.missed?.map(({ trigger, why, missing }) => [trigger?.type, why, missing])).toEqual([
      ['user_creation', 'user_not_new', null],
      ['metric', 'below_threshold', 2],
      ['streak', 'streak_length', 2],
    ]);
    const cut = await ask<{ eventId: string }>('/v1/metrics/lessons/event', { user: { id: 'ada' }, value: 50 });
    expect((await ofEvent('ada', cut.eventId)).fired).toMatchObject([{ nominal: 100, change: 13, cutBy: 'cap' }]);
  });

  it.each(['bob', 'nobody'])('of an event answers 404 for another user: %s', async (id) => {
    const { entries } = await ask<ExplainedPointsAnswer>('/admin/v1/users/ada/explain/points/xp');
    const path = `/admin/v1/users/${id}/explain/points/xp/events/${entries[0]?.event.id}`;
    const response = await fetch(`${served.baseUrl}${path}`, { headers: { 'x-api-key': served.apiKey } });
    expect(response.status).toBe(404);
  });

  it('of points includes corrections and still adds up', async () => {
    const { eventId } = await ask<{ eventId: string }>('/v1/metrics/lessons/event', {
      user: { id: 'finn' },
      value: 10,
    });
    const corrections = [{ eventId, value: 5 }];
    const { id: preview } = await ask<{ id: string }>('/admin/v1/corrections/previews', { corrections });
    const { corrections: made } = await ask<CorrectionAnswer>('/admin/v1/corrections', {
      ...{ corrections, preview, reason: 'counted twice' },
    });
    const { recorded, entries } = await ask<ExplainedPointsAnswer>('/admin/v1/users/finn/explain/points/xp');
    expect([recorded, entries.map(({ type, change }) => [type, change])]).toEqual([
      12,
      [
        ['correction', -10],
        ['metric', 20],
        ['user_creation', 2],
      ],
    ]);
    expect(await ofEvent('finn', made[0]?.eventId ?? '')).toMatchObject({
      change: -10,
      fired: [{ type: 'correction' }],
    });
    const { eventId: next } = await ask<{ eventId: string }>('/v1/metrics/lessons/event', {
      user: { id: 'finn' },
      value: 5,
    });
    expect(await ofEvent('finn', next)).toMatchObject({ change: 10, fired: [{ total: 22 }] });
  });

  it('of a streak says when it ended, in UTC and in the time zone of the user', async () => {
    const { ends } = await ask<ExplainedStreakAnswer>('/admin/v1/users/ada/explain/streak');
    const end = { at: '2026-03-03T18:30:00.000Z', localTime: '2026-03-04T00:00:00.000', zone: 'Asia/Kolkata' };
    expect(ends).toEqual([{ ...end, length: 1 }]);
  });

  it('of a streak says when the time zone changed, but not the initial zone', async () => {
    const { zoneChanges, periods } = await ask<ExplainedStreakAnswer>('/admin/v1/users/bob/explain/streak');
    expect([zoneChanges, periods.length > 0]).toEqual([[], true]);
    const event = async (user: object) => {
      now += 1_000;
      await ask('/v1/metrics/words/event', { user, value: 1 });
      return new Date(now).toISOString();
    };
    await event({ id: 'hal' });
    const moved = await event({ id: 'hal', tz: 'Asia/Tokyo' });
    await event({ id: 'hal', tz: 'Asia/Tokyo' });
    const back = await event({ id: 'hal', tz: 'UTC' });
    const { zoneChanges: two } = await ask<ExplainedStreakAnswer>('/admin/v1/users/hal/explain/streak');
    expect(two).toEqual([
      { at: back, localTime: back.slice(0, -1), from: 'Asia/Tokyo', to: 'UTC' },
      { at: moved, localTime: '2026-03-04T05:00:07.000', from: 'UTC', to: 'Asia/Tokyo' },
    ]);
    let last = '';
    for (let times = 0; times < 21; times++) last = await event({ id: 'hal', tz: times % 2 ? 'UTC' : 'Asia/Tokyo' });
    const { zoneChanges: many } = await ask<ExplainedStreakAnswer>('/admin/v1/users/hal/explain/streak');
    expect([many.length, many[0]?.at]).toEqual([20, last]);
  });

  it('says why a user has no value, and which dates a board covers', async () => {
    await ask('/v1/metrics/words/event', { user: { id: 'gina' }, value: 1 });
    const none = { status: 'no_value', rank: null, value: null, start: '2026-01-01', end: null };
    expect(await standingOf('gina')).toMatchObject({ ...none, uncounted: 'nothing_recorded' });
    const of = (board: string, run = '') =>
      ask<ExplainedStandingAnswer>(`/admin/v1/users/ada/explain/leaderboards/${board}${run && `?run=${run}`}`);
    expect(await of('april', '2026-04-03')).toMatchObject({ status: 'no_value', uncounted: 'outside_run' });
    expect(await of('april')).toMatchObject({
      status: 'not_begun',
      start: '2026-04-01',
      end: '2026-04-30',
      uncounted: null,
    });
    expect(await of('april', '2026-05-01')).toMatchObject({
      status: 'outside_dates',
      runStart: null,
      end: '2026-04-30',
    });
    expect(await of('points')).toMatchObject({ status: 'ranked', uncounted: null });
    const publish = CONFIGURATION.replace(
      '- { key: top',
      '- { key: late, name: Late, rankBy: metric, metric: lessons, start: 2026-01-01 }\n  - { key: late-xp, name: Late XP, rankBy: points, pointsSystem: xp, start: 2026-01-01 }\n  - { key: late-streak, name: Late streak, rankBy: streak, start: 2026-01-01 }\n  - { key: top',
    );
    await ask('/admin/v1/configurations', { document: parse(publish) as unknown });
    for (const board of ['late', 'late-xp', 'late-streak'])
      expect(await of(board)).toMatchObject({ status: 'no_value', uncounted: 'recorded_before' });
  });
});

describe('an excused date of a streak that stays ended', () => {
  let database: TestDatabase;
  let served: Served;
  let now = Date.parse('2026-03-01T20:00:00Z');
  beforeAll(async () => {
    database = await openServiceDatabase();
    const clock = { now: () => now, elapsedMs: () => 0, after: () => () => undefined };
    served = await serveInProcess(database.connection, CONFIGURATION, clock);
  });
  afterAll(async () => {
    await served?.close();
    await database?.close();
  });

  const ask = answersOf(() => served);

  it('is shown as excused, past or future, both when recomputed and from the stored state', async () => {
    await ask('/v1/metrics/lessons/event', { user: { id: 'ada' }, value: 1 });
    now += 4 * 86_400_000;
    const excuse = (date: string) =>
      ask('/admin/v1/users/ada/grants/excused', { from: date, to: date, reason: 'an outage' });
    await excuse('2026-03-03');
    await excuse('2026-03-06');
    now += 2 * 86_400_000;
    const statuses = async () => {
      const { length, complete, periods } = await ask<ExplainedStreakAnswer>('/admin/v1/users/ada/explain/streak');
      return {
        length,
        complete,
        periods: periods.map(({ periodStart, status }) => `${periodStart.slice(-2)} ${status}`),
      };
    };
    const periods = ['07 open', '06 excused', '05 missed', '04 missed', '03 excused', '02 missed', '01 met'];
    expect(await statuses()).toEqual({ length: 0, complete: true, periods });
    const words = Array.from({ length: 500 }, () => ({ metric: 'words', user: { id: 'ada' }, value: 1 }));
    await ask('/admin/v1/metrics/events', { events: words });
    expect(await statuses()).toEqual({ length: 0, complete: false, periods });
  });
});
