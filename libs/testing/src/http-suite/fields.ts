import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, type Json, newUserId } from './client.ts';
import { FROZEN_FIELDS, type FrozenShape } from './frozen-fields.ts';

/** Expects exactly the fields of these shapes. */
export function expectFields(value: Json, ...shapes: FrozenShape[]): void {
  expect(Object.keys(value).sort()).toEqual(shapes.flatMap((shape) => FROZEN_FIELDS[shape]).sort());
}

const first = (list: Json[], key: string, value: unknown): Json => list.find((one) => one[key] === value);
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Compares the frozen fields with one complete answer of each route. */
export function describeFields(client: Client): void {
  describe('every documented field', () => {
    const id = newUserId();
    const user = { name: 'Ada', email: 'ada@example.org', tz: 'Europe/Berlin', attributes: { plan: 'pro' } };
    let answer: Json;
    const of = (path: string) => client.read(`/v1/users/${id}/${path}`);

    beforeAll(async () => {
      await client.record('reviews', id, 1.5, { user });
      answer = (await client.event('lessons', id, 10, { idempotencyKey: 'maximal' })).json;
    });

    it('is in the answer to an event', () => {
      expectFields(answer, 'eventResponse', 'idempotency');
      expect(answer.metricId).toMatch(UUID);
      expect(answer.eventId).toMatch(UUID);
      expect(answer).toMatchObject({ total: 10, idempotentReplayed: false, idempotencyKey: 'maximal' });
    });

    it('is in the achievements of an event, by trigger, in the order in which they are settled', () => {
      const { achievements } = answer;
      expect(achievements.map(({ name }: Json) => name)).toEqual(['First lesson', 'Ten lessons', 'On fire', 'Double']);
      expectFields(achievements[0], 'achievement');
      expectFields(achievements[2], 'streakAchievement');
      expectFields(achievements[3], 'compositeAchievement');
      expect(achievements[0]).toMatchObject({
        key: 'first-lesson',
        trigger: 'metric',
        metricId: answer.metricId,
        metricName: 'Lessons',
        metricValue: 1,
        description: 'The first of many.',
        badgeUrl: 'https://example.org/first.png',
        achievedAt: expect.stringMatching(INSTANT),
        userAttributes: [],
      });
      expect(achievements[2]).toMatchObject({ trigger: 'streak', streakLength: 1, metricId: null, description: null });
      expect(achievements[3].achievementIds).toEqual([achievements[0].id, achievements[2].id]);
    });

    it('is in the streak of an event', () => {
      const { currentStreak } = answer;
      expectFields(currentStreak, 'currentStreak');
      expect(currentStreak).toMatchObject({ length: 1, frequency: 'daily', extended: true });
      expect(currentStreak).toMatchObject({
        freezes: 1,
        maxFreezes: 3,
        freezeAutoEarnInterval: 30,
        freezeAutoEarnAmount: 1,
      });
      expect(currentStreak.started).toMatch(DATE);
    });

    it('is in the points of an event', () => {
      const { xp } = answer.points;
      expect(Object.keys(answer.points)).toEqual(['xp']);
      const { level, ...rest } = xp;
      expectFields(rest, 'eventPoints');
      expectFields(level, 'level');
      expect(level).toMatchObject({ key: 'silver', name: 'Silver', description: '', badgeUrl: null, points: 100 });
      expect(xp).toMatchObject({ key: 'xp', name: 'Experience', maxPoints: null, total: 155, added: 155 });
      expect(xp.awards.map(({ total }: Json) => total)).toEqual([100, 105, 155]);
      const [metric, streak, achievement] = xp.awards;
      for (const award of xp.awards) expectFields(award, 'award');
      expectFields(metric.trigger, 'metricTrigger');
      expectFields(streak.trigger, 'streakTrigger');
      expectFields(achievement.trigger, 'achievementTrigger');
      expect(metric.trigger).toMatchObject({ type: 'metric', points: 10, metricThreshold: 1, status: 'active' });
      expect(metric.date).toMatch(INSTANT);
    });

    it('is in the leaderboards of an event', () => {
      expect(Object.keys(answer.leaderboards).sort()).toEqual(['lessons-all', 'streaks', 'xp-monthly']);
      for (const entry of Object.values<Json>(answer.leaderboards)) {
        expectFields(entry, 'leaderboardEntry');
        expect(entry).toMatchObject({ previousRank: null, rank: expect.any(Number), threshold: 0 });
      }
      expect(answer.leaderboards['lessons-all']).toMatchObject({
        rankBy: 'metric',
        metricKey: 'lessons',
        metricName: 'Lessons',
        pointsSystemKey: null,
        runUnit: null,
        runInterval: 0,
        maxParticipants: 1_000_000,
        start: '2020-01-01',
        end: null,
      });
      expect(answer.leaderboards['xp-monthly']).toMatchObject({
        rankBy: 'points',
        metricKey: null,
        pointsSystemKey: 'xp',
        pointsSystemName: 'Experience',
        runUnit: 'month',
        runInterval: 1,
        start: expect.stringMatching(/-01$/),
        end: expect.stringMatching(DATE),
      });
    });

    it('is in the points of a user', async () => {
      const points = await of('points/xp');
      expectFields(points, 'userPoints');
      expectFields(points.level, 'level');
      expect(points.awards.map(({ total }: Json) => total)).toEqual([155, 105, 100]);
      expectFields(points.awards[2].trigger, 'metricTrigger');
      const { awards } = await of('points/energy');
      expectFields(awards[0].trigger, 'userCreationTrigger');
    });

    it('is in the summary of a user’s points', async () => {
      const day = answer.currentStreak.periodStart;
      const summary = await of(`points/xp/event-summary?aggregation=daily&start_date=${day}&end_date=${day}`);
      expectFields(summary[0], 'summaryElement');
      expect(summary).toEqual([{ date: day, total: 155, change: 155 }]);
    });

    it('is in the achievements of a user and of all', async () => {
      const completed = await of('achievements');
      expect(completed.map(({ name }: Json) => name)).toEqual(['First lesson', 'Ten lessons', 'On fire', 'Double']);
      expectFields(completed[0], 'achievement', 'listStatistics', 'ofUser');
      expect(completed.map(({ progress }: Json) => progress)).toEqual(
        [1, 10, 1, 2].map((need) => ({ have: need, need })),
      );
      const all = await of('achievements?includeIncomplete=true');
      expect(all).toHaveLength(7);
      expectFields(first(all, 'trigger', 'api'), 'apiAchievement', 'listStatistics');
      expectFields(first(all, 'key', 'settled'), 'compositeAchievement', 'listStatistics', 'ofUser');
      expect(first(all, 'key', 'settled').progress).toEqual({ have: 1, need: 2 });
      expect(first(all, 'key', 'at-home').progress).toEqual({ have: 0, need: 1 });
      expect(first(all, 'trigger', 'api')).toMatchObject({ key: 'profile', achievedAt: null });
      const catalogue = await client.read('/v1/achievements');
      expect(catalogue).toHaveLength(7);
      expect(catalogue.map(({ key }: Json) => key)).toEqual(
        ['first-lesson', 'ten-lessons', 'on-fire', 'double', 'profile', 'settled', 'at-home'], // prettier-ignore
      );
      expectFields(catalogue[3], 'compositeAchievement', 'listStatistics');
      expect(catalogue[0].achievedAt).toBeNull();
      expect(catalogue[0].completions).toBeGreaterThan(0);
      expect(catalogue[0].rarity).toBeGreaterThan(0);
      expect(catalogue[0].rarity).toBeLessThanOrEqual(100);
    });

    it('is in the streak of a user', async () => {
      const streak = await of('streak');
      expectFields(streak, 'userStreak');
      expect(streak).toMatchObject({ length: 1, extended: expect.stringMatching(INSTANT), pauses: [] });
      expect(streak.streakHistory).toHaveLength(7);
      expectFields(streak.streakHistory[0], 'streakHistory');
      expect(streak.streakHistory.map(({ length }: Json) => length)).toEqual([0, 0, 0, 0, 0, 0, 1]);
    });

    it('is in a leaderboard and in a user’s place on it', async () => {
      const board = await client.read(`/v1/leaderboards/lessons-all?userId=${id}&limit=1`);
      expectFields(board, 'leaderboard');
      expect(board).toMatchObject({ status: 'active', start: '2020-01-01', runStart: '2020-01-01', runEnd: null });
      expectFields(board.rankings[0], 'ranking');
      expect(board.rankings[0]).toMatchObject({ userId: id, userName: 'Ada', value: 10 });
      const own = await of('leaderboards/lessons-all');
      expectFields(own, 'userLeaderboard');
      expectFields(own.history[0], 'rankHistory');
      expect(own).toMatchObject({ rank: board.rankings[0].rank, value: 10, runStart: '2020-01-01', runEnd: null });
      expect(own.history).toMatchObject([{ previousRank: null, previousValue: null, value: 10 }]);
    });

    it('is in the further reads', async () => {
      const profile = await client.read(`/v1/users/${id}`);
      expectFields(profile, 'user');
      expect(profile).toMatchObject({ id, ...user, control: false });
      const metrics = await of('metrics');
      expect(metrics.map(({ key }: Json) => key)).toEqual(['lessons', 'reviews', 'words', 'spent']);
      expectFields(metrics[0], 'userMetric');
      expectFields(metrics[0].achievements[0], 'achievement');
      expect(await of('metrics/reviews')).toMatchObject({ key: 'reviews', current: 1.5, achievements: [] });
      const system = await client.read('/v1/points/energy');
      expectFields(system, 'pointsSystem');
      expectFields(first(system.triggers, 'type', 'time'), 'timeTrigger');
      expect(system.maxPoints).toBe(20);
      expect(await client.read('/v1/points/xp/levels')).toMatchObject([{ key: 'bronze' }, { key: 'silver' }]);
      const boards = await client.read('/v1/leaderboards');
      for (const board of boards) expectFields(board, 'listedLeaderboard');
      const streaks = await client.read(`/v1/streaks?userIds=${newUserId()}&userIds=${id}`);
      for (const streak of streaks) expectFields(streak, 'rankedStreak');
      expect(streaks[0]).toMatchObject({ userId: id, streakLength: 1 });
      expect(streaks[1]).toMatchObject({ streakLength: 0, extended: null });
    });

    it('is in an error', async () => {
      const { json } = await client.send('POST', '/api/metrics/lessons/event', { body: {} });
      const { errors, ...problem } = json;
      expectFields(problem, 'problem');
      for (const item of errors) expectFields(item, 'problemItem');
    });
  });
}
