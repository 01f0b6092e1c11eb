import { describe, expect, it } from '@jest/globals';
import { type Client, newUserId } from './client.ts';
import { expectFields } from './fields.ts';

/** The routes of the specification, section 8, that are not reads of one user, system or board. */
export function describeFurtherRoutes(client: Client): void {
  describe('further routes', () => {
    it('create, replace and change users', async () => {
      const id = newUserId();
      const user = { id, name: 'Ada', email: 'ada@example.org', tz: 'Europe/Berlin', attributes: { plan: 'pro' } };
      const created = await client.send('POST', '/v1/users', { body: user });
      expect(created).toMatchObject({ status: 201, json: user });
      expectFields(created.json, 'user');
      expect(await client.send('POST', '/v1/users', { body: { id, name: 'Eve' } })).toMatchObject({
        status: 200,
        json: { ...user, name: 'Eve' },
      });
      const patch = { body: { attributes: { plan: null, size: 'xl' } } };
      expect(await client.send('PATCH', `/v1/users/${id}`, patch)).toMatchObject({ status: 200 });
      expect((await client.read(`/v1/users/${id}`)).attributes).toEqual({ size: 'xl' });
      expect((await client.send('PATCH', `/v1/users/${newUserId()}`, patch)).status).toBe(404);
      expect((await client.send('PUT', `/v1/users/${newUserId()}`, { body: {} })).status).toBe(200);
    });

    it('complete an achievement by call, once', async () => {
      const body = { user: { id: newUserId() } };
      const complete = (key: string) => client.send('POST', `/v1/achievements/${key}/complete`, { body });
      const first = await complete('profile');
      expect(first.status).toBe(201);
      expectFields(first.json, 'completion');
      expectFields(first.json.achievement, 'apiAchievement');
      const again = await complete('profile');
      expect(again).toMatchObject({ status: 202, json: { completionId: first.json.completionId } });
      expect((await complete('first-lesson')).status).toBe(422);
      expect((await complete('unknown')).status).toBe(404);
    });

    it('sum up a metric, levels and points', async () => {
      const id = newUserId();
      const { currentStreak } = await client.record('words', id, 2.5);
      const day = currentStreak.periodStart;
      const query = `aggregation=daily&start_date=${day}&end_date=${day}`;
      expect(await client.read(`/v1/users/${id}/metrics/words/event-summary?${query}`)).toEqual([
        { date: day, total: 2.5, change: 2.5 },
      ]);
      for (const row of await client.read('/v1/points/xp/level-summary')) expectFields(row, 'levelSummary');
      expect((await client.send('GET', '/v1/points/energy/level-summary')).status).toBe(422);
      const ranges = await client.read('/v1/points/xp/summary');
      expect(ranges[0]).toMatchObject({ from: 0, to: 0 });
      for (const range of ranges) expectFields(range, 'pointsRange');
    });
  });
}
