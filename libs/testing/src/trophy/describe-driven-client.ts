import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TrophyApi, TrophyApiClient } from '@trophyso/node';
import { newUserId, type HttpSuiteTarget } from '../http-suite/client.ts';
import { trophyClient } from './replay-through-client.ts';

/** Runs the client from the first event of a user on, and compares its results with the specification. */
export function describeDrivenClient(target: () => HttpSuiteTarget): void {
  describe('against the server', () => {
    const user = { id: newUserId(), name: 'Ada', email: 'ada@example.org', tz: 'Europe/Berlin' };
    let client: TrophyApiClient;
    let answer: TrophyApi.EventResponse;
    let days: { aggregation: 'daily'; startDate: string; endDate: string };

    beforeAll(async () => {
      const { baseUrl, apiKey } = target();
      client = await trophyClient(baseUrl, apiKey);
      await client.metrics.event('reviews', { user: { ...user, attributes: { plan: 'pro' } }, value: 1.5 });
      answer = await client.metrics.event('lessons', { user, value: 10, idempotencyKey: 'from the client' });
      const day = answer.currentStreak.periodStart ?? '';
      days = { aggregation: 'daily', startDate: day, endDate: day };
    });

    it('gets the whole effect of an event, instants as dates', () => {
      expect(answer).toMatchObject({ total: 10, idempotentReplayed: false, idempotencyKey: 'from the client' });
      expect(answer.achievements.map(({ name }) => name)).toEqual(['First lesson', 'Ten lessons', 'On fire', 'Double']);
      expect(answer.achievements[0]?.achievedAt).toEqual(new Date(answer.points['xp']?.awards[0]?.date ?? ''));
      expect(answer.currentStreak).toMatchObject({ length: 1, frequency: 'daily', extended: true, freezes: 1 });
      expect(answer.points['xp']).toMatchObject({ total: 155, added: 155, awards: [{ awarded: 100 }, {}, {}] });
      expect(answer.leaderboards['lessons-all']).toMatchObject({ rankBy: 'metric', rank: expect.any(Number) });
      expect(answer.leaderboards['lessons-all']?.previousRank).toBeUndefined();
    });

    it('may send an event again', async () => {
      const again = await client.metrics.event('lessons', { user, value: 10, idempotencyKey: 'from the client' });
      expect(again).toMatchObject({ eventId: answer.eventId, total: 10, idempotentReplayed: true, achievements: [] });
    });

    it('creates, reads and changes users', async () => {
      const id = newUserId();
      const created = await client.users.create({ id, tz: 'Asia/Tokyo' });
      expect(created).toMatchObject({ id, tz: 'Asia/Tokyo', control: false, created: expect.any(Date) });
      expect(await client.users.identify(id, { name: 'Grace' })).toMatchObject({ id, name: 'Grace', tz: 'Asia/Tokyo' });
      expect(await client.users.update(id, { attributes: { plan: 'free' } })).toMatchObject({
        attributes: { plan: 'free' },
      });
      expect(
        await client.users.updatePreferences(id, { notifications: { recap: [], streakReminder: ['push'] } }),
      ).toEqual(await client.users.getPreferences(id));
      expect((await client.users.getPreferences(id)).notifications).toEqual({
        ...{ achievementCompleted: ['email', 'push'], recap: [], reactivation: ['email', 'push'] },
        streakReminder: ['push'],
      });
      expect(await client.users.get(user.id)).toMatchObject({ ...user, attributes: { plan: 'pro' } });
    });

    it('reads the metrics of a user and their summary', async () => {
      const metrics = await client.users.allMetrics(user.id);
      expect(metrics.map(({ key, current, status }) => [key, current, status])).toEqual([
        ['lessons', 10, 'active'],
        ['reviews', 1.5, 'active'],
        ['words', 0, 'active'],
        ['spent', 0, 'active'],
      ]);
      expect(await client.users.singleMetric(user.id, 'lessons')).toEqual(metrics[0]);
      expect(await client.users.metricEventSummary(user.id, 'lessons', days)).toEqual([
        { date: days.startDate, total: 10, change: 10 },
      ]);
    });

    it('reads achievements, and completes one by call', async () => {
      const { completionId, achievement, points } = await client.achievements.complete('profile', { user });
      expect(completionId).toMatch(/^[0-9a-f-]{36}$/);
      expect(achievement).toMatchObject({ key: 'profile', trigger: 'api', achievedAt: expect.any(Date) });
      expect(points).toMatchObject({ xp: { total: 162, added: 7 } });
      expect(await client.users.achievements(user.id)).toHaveLength(7);
      const [first] = await client.users.achievements(user.id, { includeIncomplete: 'true' });
      expect(first).toMatchObject({ name: 'First lesson', metricValue: 1, completions: expect.any(Number) });
      expect(await client.achievements.all()).toHaveLength(7);
    });

    it('reads streaks', async () => {
      const streak = await client.users.streak(user.id, { historyPeriods: 2 });
      expect(streak).toMatchObject({ length: 1, frequency: 'daily', maxFreezes: 3 });
      expect(streak.streakHistory?.map(({ length, usedFreeze }) => [length, usedFreeze])).toEqual([
        [0, false],
        [1, false],
      ]);
      expect(await client.streaks.list({ userIds: ['nobody', user.id] })).toMatchObject([
        { userId: user.id, streakLength: 1 },
        { userId: 'nobody', streakLength: 0 },
      ]);
    });

    it('reads points, their summary and their distribution', async () => {
      const points = await client.users.points(user.id, 'xp', { awards: 2 });
      expect(points).toMatchObject({ key: 'xp', total: 162 });
      expect(points.awards.map(({ total, trigger }) => [total, trigger?.type])).toEqual([
        [162, 'achievement'],
        [155, 'achievement'],
      ]);
      expect(await client.users.pointsEventSummary(user.id, 'xp', days)).toEqual([
        { date: days.startDate, total: 162, change: 162 },
      ]);
      const system = await client.points.system('energy');
      expect(system.triggers.map(({ type, created }) => [type, created])).toEqual([
        ['user_creation', expect.any(Date)],
        ['time', expect.any(Date)],
        ['metric', expect.any(Date)],
      ]);
      const [none, ...ranges] = await client.points.summary('xp');
      expect(none).toMatchObject({ from: 0, to: 0 });
      expect(ranges).toHaveLength(10);
    });

    it('reads leaderboards, a ranking and a user’s place', async () => {
      const boards = await client.leaderboards.all();
      expect(boards.map(({ key, status }) => [key, status])).toContainEqual(['future', 'scheduled']);
      const board = await client.leaderboards.get('lessons-all', { userId: user.id, limit: 1 });
      expect(board.rankings).toMatchObject([{ userId: user.id, userName: 'Ada', value: 10 }]);
      const place = await client.users.leaderboard(user.id, 'lessons-all', { numEvents: 5 });
      expect(place).toMatchObject({ rank: board.rankings[0]?.rank, value: 10 });
      expect(place.history).toMatchObject([{ timestamp: expect.any(Date), value: 10 }]);
    });

    it('gives freezes and restores streaks', async () => {
      const somebody = newUserId();
      await client.users.create({ id: somebody });
      const freezes = [{ userId: somebody }, { userId: somebody }, { userId: newUserId() }];
      const { issues } = await client.admin.streaks.freezes.create({ freezes });
      expect(issues).toEqual([
        { userId: freezes[2]?.userId, level: 'error', reason: expect.stringMatching(/no user/) },
      ]);
      expect((await client.users.streak(somebody)).freezes).toBe(3);
      const restored = await client.admin.streaks.restore({ users: [{ id: somebody }] });
      expect(restored).toEqual({
        restoredUsers: [],
        issues: [{ userId: somebody, level: 'warning', reason: expect.stringMatching(/no streak/) }],
      });
    });

    it('knows our refusals by their status and has their sentence', async () => {
      const { TrophyApi } = await import('@trophyso/node');
      const unknown = client.users.streak(newUserId());
      await expect(unknown).rejects.toBeInstanceOf(TrophyApi.NotFoundError);
      await expect(unknown).rejects.toMatchObject({ body: { error: expect.stringMatching(/\w/) } });
      const wrong = client.metrics.event('lessons', { user: { id: user.id, tz: 'UTC+3' }, value: 1 });
      await expect(wrong).rejects.toBeInstanceOf(TrophyApi.UnprocessableEntityError);
      const stranger = await trophyClient(target().baseUrl, 'not a key of the service at all');
      await expect(stranger.achievements.all()).rejects.toBeInstanceOf(TrophyApi.UnauthorizedError);
    });
  });
}
