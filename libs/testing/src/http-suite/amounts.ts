import { describe, expect, it } from '@jest/globals';
import { type Client, newUserId } from './client.ts';

/** Tests totals, points and their limits (specification, sections 1 and 6). */
export function describeAmounts(client: Client): void {
  describe('totals and points', () => {
    it('are exact: 0.1 + 0.2 is 0.3', async () => {
      const id = newUserId();
      await client.record('words', id, 0.1);
      const { text } = await client.event('words', id, 0.2);
      expect(text).toMatch(/"total":0\.3[,}]/);
    });

    it('count values rounded to six decimals, half away from zero', async () => {
      const id = newUserId();
      expect((await client.event('words', id, 0.1 + 0.2)).text).toMatch(/"total":0\.3[,}]/);
      expect((await client.event('words', id, -0.3000005)).text).toMatch(/"total":-0\.000001[,}]/);
      const { json } = await client.batch([{ metric: 'words', user: { id }, value: 0.0000014 }], '?results=full');
      expect(json.results[0].body.total).toBe(0);
    });

    it('are written whole without a fraction, and small without an exponent', async () => {
      const id = newUserId();
      expect((await client.event('words', id, 0.000001)).text).toMatch(/"total":0\.000001[,}]/);
      expect((await client.event('words', id, 0.999999)).text).toMatch(/"total":1[,}]/);
    });

    it('are exact digit by digit beyond what a double can hold', async () => {
      const id = newUserId();
      const events = Array.from({ length: 100 }, () => ({ metric: 'words', user: { id }, value: 1e9 }));
      await client.batch(events);
      const { text } = await client.event('words', id, 0.000001);
      expect(text).toMatch(/"total":100000000000\.000001[,}]/);
    });

    it('go down with negative values, which take nothing back that was completed', async () => {
      const id = newUserId();
      await client.record('lessons', id, 1);
      const answer = await client.record('lessons', id, -3);
      expect(answer).toMatchObject({ total: -2, achievements: [], points: {} });
      expect(answer.leaderboards['lessons-all']).toMatchObject({ rank: null, previousRank: expect.any(Number) });
      expect(await client.read(`/v1/users/${id}/achievements`)).toMatchObject([{ name: 'First lesson' }]);
      expect((await client.read(`/v1/users/${id}/points/xp`)).total).toBe(10);
    });

    it('are corrected by a negative event as the integration guide says: sums are, what was given is not', async () => {
      const id = newUserId();
      const total = async () => (await client.read(`/v1/users/${id}/points/xp`)).total;
      await client.record('reviews', id, 1.5);
      const mistaken = await client.record('lessons', id, 3);
      const streak = mistaken.currentStreak.length;
      const before = await total();
      const corrected = await client.record('lessons', id, -2);
      expect(corrected).toMatchObject({ total: 1, points: {}, currentStreak: { length: streak, extended: false } });
      const { value } = await client.read(`/v1/users/${id}/leaderboards/lessons-all`);
      expect([value, await total()]).toEqual([1, before]);
      expect((await client.read(`/v1/users/${id}/leaderboards/xp-monthly`)).value).toBe(before);
      for (const again of [1, 1]) expect((await client.record('lessons', id, again)).points).toEqual({});
      expect((await client.record('lessons', id, 1)).points.xp).toMatchObject({ added: 10, total: before + 10 });
    });

    it('fire a trigger once for each multiple that the highest sum so far reaches', async () => {
      const id = newUserId();
      expect((await client.record('words', id, 9.5)).points).not.toHaveProperty('capped');
      expect((await client.record('words', id, 0.5)).points.capped).toMatchObject({ total: 10, added: 10 });
      expect((await client.record('words', id, -10)).points).toEqual({});
      expect((await client.record('words', id, 19)).points).toEqual({});
      expect((await client.record('words', id, 1)).points.capped).toMatchObject({ total: 20, added: 10 });
    });

    it('make one award per trigger of an event, cut to the room below the cap', async () => {
      const id = newUserId();
      const { capped } = (await client.record('words', id, 35)).points;
      expect(capped).toMatchObject({ total: 25, added: 25, maxPoints: 25, awards: [{ awarded: 25, total: 25 }] });
      const full = (await client.record('words', id, 10)).points.capped;
      expect(full).toMatchObject({ total: 25, added: 0, awards: [] });
    });

    it('never go below 0', async () => {
      const id = newUserId();
      const { energy } = (await client.record('spent', id, 1)).points;
      expect(energy).toMatchObject({ total: 15, added: 15, awards: [{ awarded: 20 }, { awarded: -5, total: 15 }] });
      expect((await client.record('spent', id, 4)).points.energy).toMatchObject({ total: 0, added: -15 });
      expect((await client.record('spent', id, 1)).points.energy).toMatchObject({ total: 0, added: 0, awards: [] });
    });

    it('give a level only when the event changed it', async () => {
      const id = newUserId();
      expect((await client.record('lessons', id, 1)).points.xp.level).toMatchObject({ key: 'bronze', points: 10 });
      expect((await client.record('lessons', id, 1)).points.xp).not.toHaveProperty('level');
      expect((await client.record('lessons', id, 8)).points.xp.level).toMatchObject({ key: 'silver' });
      expect((await client.read(`/v1/users/${id}/points/energy`)).level).toBeNull();
    });

    it('show as many of the newest awards as are asked for', async () => {
      const id = newUserId();
      for (let event = 0; event < 3; event++) await client.record('lessons', id, 1);
      const { awards } = await client.read(`/v1/users/${id}/points/xp?awards=2`);
      expect(awards.map(({ total }: { total: number }) => total)).toEqual([30, 20]);
    });

    it('keep keys and ids that are traps as the data they are', async () => {
      const id = newUserId('__proto__/%2F ü');
      const text = `{"user":{"id":${JSON.stringify(id)},"attributes":{"__proto__":"a","constructor":"b"}},"value":1}`;
      expect((await client.send('POST', '/api/metrics/words/event', { text })).status).toBe(201);
      const profile = await client.send('GET', `/v1/users/${encodeURIComponent(id)}`);
      expect(profile.json.id).toBe(id);
      expect(Object.entries(profile.json.attributes).sort()).toEqual([
        ['__proto__', 'a'],
        ['constructor', 'b'],
      ]);
    });
  });
}
