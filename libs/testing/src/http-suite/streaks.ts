import { describe, expect, it } from '@jest/globals';
import { type Client, type Json, newUserId } from './client.ts';

const dayAfter = (date: string) => new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);

/** Tests streaks (specification, section 4), as far as possible without controlling the clock. */
export function describeStreaks(client: Client): void {
  describe('streaks', () => {
    it('are extended when all conditions are met, once per period', async () => {
      const id = newUserId();
      const steps: [string, number, boolean, number][] = [
        ['lessons', 1, false, 0],
        ['reviews', 1, false, 0],
        ['reviews', 0.5, true, 1],
        ['reviews', 5, false, 1],
        ['lessons', -9, false, 1],
        ['lessons', 20, false, 1],
      ];
      for (const [metric, value, extended, length] of steps)
        expect((await client.record(metric, id, value)).currentStreak).toMatchObject({ extended, length });
    });

    it('are bounded by the current period and end after the next', async () => {
      const id = newUserId();
      const none = (await client.record('lessons', id, 1)).currentStreak;
      expect(none).toMatchObject({ length: 0, started: null, expires: null, frequency: 'daily' });
      const { currentStreak } = await client.record('reviews', id, 1.5);
      const { started, periodStart, periodEnd, expires } = currentStreak;
      expect([started, periodEnd]).toEqual([periodStart, periodStart]);
      expect(expires).toBe(dayAfter(periodStart));
    });

    it('are kept on the clock that the event itself brings', async () => {
      const id = newUserId();
      const east = await client.record('lessons', id, 1, { user: { tz: 'Pacific/Kiritimati' } });
      const west = await client.record('lessons', newUserId(), 1, { user: { tz: 'Pacific/Pago_Pago' } });
      expect(east.currentStreak.periodStart > west.currentStreak.periodStart).toBe(true);
      const moved = await client.record('lessons', id, 1, { user: { tz: 'Pacific/Pago_Pago' } });
      expect(moved.currentStreak.periodStart).toBe(east.currentStreak.periodStart);
    });

    it('show as much history as is asked for, oldest first', async () => {
      const id = newUserId();
      await client.record('lessons', id, 1);
      const { streakHistory, periodEnd } = await client.read(`/v1/users/${id}/streak?historyPeriods=30`);
      const days: string[] = streakHistory.map((period: Json) => period.periodStart);
      expect(days).toHaveLength(30);
      expect(days.at(-1)).toBe(periodEnd);
      expect(days.slice(1)).toEqual(days.slice(0, -1).map(dayAfter));
    });

    it('are ranked on a board of their own', async () => {
      const id = newUserId();
      await client.record('lessons', id, 1);
      const extending = await client.record('reviews', id, 1.5);
      expect(extending.leaderboards.streaks).toMatchObject({
        rankBy: 'streak',
        metricKey: null,
        pointsSystemKey: null,
        previousRank: null,
        rank: expect.any(Number),
      });
      expect((await client.record('reviews', id, 1)).leaderboards).not.toHaveProperty('streaks');
      expect(await client.read(`/v1/users/${id}/leaderboards/streaks`)).toMatchObject({ value: 1 });
    });
  });
}
