import { describe, expect, it } from '@jest/globals';
import { type Client, newUserId } from './client.ts';
import { expectFields } from './fields.ts';

/** The routes of the specification, section 8, that write. */
export function describeFurtherWrites(client: Client): void {
  describe('users and completions by call', () => {
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

    it('settle composites and points as an event does, and count in the lists', async () => {
      const id = newUserId();
      await client.record('lessons', id, 1);
      const complete = () =>
        client.send('POST', '/v1/achievements/profile/complete', { body: { user: { id, tz: 'Asia/Tokyo' } } });
      const all = await Promise.all(Array.from({ length: 8 }, complete));
      expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 202)]);
      expect(new Set(all.map(({ json }) => json.completionId)).size).toBe(1);
      const completed = await client.read(`/v1/users/${id}/achievements`);
      expect(completed.map(({ name }: { name: string }) => name)).toContain('Profile complete');
      expect((await client.read(`/v1/users/${id}`)).tz).toBe('Asia/Tokyo');
    });

    it('refuse what is wrong with a user, field by field, and create nobody', async () => {
      const id = newUserId();
      const wrong = await client.send('POST', '/v1/users', { body: { id, tz: 'UTC+3', email: 7 } });
      expect([wrong.status, wrong.json.errors.map(({ path }: { path: string }) => path).sort()]).toEqual([
        422,
        ['email', 'tz'],
      ]);
      expect((await client.send('PUT', `/v1/users/${id}`, { body: { tz: null } })).status).toBe(422);
      expect((await client.send('PUT', '/v1/users/%00', { body: {} })).status).toBe(422);
      expect((await client.send('POST', '/v1/achievements/profile/complete', { body: { user: {} } })).status).toBe(422);
      expect((await client.send('GET', `/v1/users/${id}`)).status).toBe(404);
    });

    it('identify a user without making a period current or beginning a streak', async () => {
      const id = newUserId();
      await client.send('PUT', `/v1/users/${id}`, { body: { tz: 'Pacific/Kiritimati' } });
      expect(await client.read(`/v1/users/${id}/streak`)).toMatchObject({ length: 0, started: null });
      expect((await client.read(`/v1/users/${id}/points/energy`)).total).toBe(20);
    });
  });
}

/** The routes of the specification, section 8, that count over many events or users. */
export function describeFurtherSummaries(client: Client): void {
  describe('summaries', () => {
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
