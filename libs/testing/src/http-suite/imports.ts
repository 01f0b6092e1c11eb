import { afterAll, describe, expect, it } from '@jest/globals';
import { type Client, type Json, newUserId } from './client.ts';

/** Tests batches and imports (specification, section 9). */
export function describeImports(client: Client): void {
  describe('batch and import', () => {
    afterAll(() => client.send('POST', '/admin/v1/imports/finish'));

    const statuses = (results: Json[]) => results.map(({ status }) => status);

    it('applies the events in order and tells of each', async () => {
      const id = newUserId();
      const event = (more: object) => ({ metric: 'lessons', user: { id }, value: 1, ...more });
      const events = [
        event({ idempotencyKey: 'a' }),
        event({ metric: 'unknown' }),
        event({ value: 'x' }),
        event({ idempotencyKey: 'a', value: 7 }),
        event({ timestamp: '2999-01-01T00:00:00Z' }),
        event({ value: 2 }),
      ];
      const { status, json } = await client.batch({ events }, '?results=full');
      expect(status).toBe(200);
      expect(json.accepted).toBe(2);
      expect(json.results.map(({ index }: Json) => index)).toEqual([0, 1, 2, 3, 4, 5]);
      expect(statuses(json.results)).toEqual([201, 404, 422, 202, 422, 201]);
      for (const index of [1, 2, 4]) expect(json.results[index].error).toEqual(expect.any(String));
      expect(json.results.map(({ code }: Json) => code)).toEqual([
        undefined,
        'unknown_metric',
        'invalid_request',
        undefined,
        'invalid_request',
        undefined,
      ]);
      const [first, , , replay, , last] = json.results;
      expect(first.body).toMatchObject({ total: 1, idempotentReplayed: false, idempotencyKey: 'a' });
      expect(first.body.achievements).toMatchObject([{ name: 'First lesson' }]);
      expect(replay.body).toMatchObject({ eventId: first.eventId, idempotentReplayed: true });
      expect(last.body).toMatchObject({ total: 3 });
      expect(last.body).not.toHaveProperty('idempotencyKey');
    });

    it('leaves the whole answers out unless they are asked for', async () => {
      const { json } = await client.batch([{ metric: 'lessons', user: { id: newUserId() }, value: 1 }]);
      expect(Object.keys(json.results[0]).sort()).toEqual(['eventId', 'index', 'status']);
    });

    it('takes a key, an instant and attributes that are null for absent', async () => {
      const id = newUserId();
      const event = { metric: 'lessons', user: { id }, value: 1, idempotencyKey: null, timestamp: null };
      const { json } = await client.batch([event, { ...event, attributes: null }], '?results=full');
      expect(statuses(json.results)).toEqual([201, 201]);
      expect(json.results[1].body).not.toHaveProperty('idempotencyKey');
      expect(Date.parse(json.results[0].body.achievements[0].achievedAt)).toBeGreaterThan(Date.parse('2021-01-01'));
    });

    it('takes at most 1,000 events', async () => {
      const events = Array.from({ length: 1_001 }, () => ({ metric: 'lessons', user: { id: newUserId() }, value: 1 }));
      expect((await client.batch(events)).status).toBe(422);
    });

    it('dates what an imported event causes at its own instant', async () => {
      const id = newUserId();
      const answer = await client.import('lessons', id, 1, '2020-06-15T12:00:00+02:00');
      expect(Date.parse(answer.achievements[0].achievedAt)).toBe(Date.parse('2020-06-15T10:00:00Z'));
      expect(Date.parse(answer.points.xp.awards[0].date)).toBe(Date.parse('2020-06-15T10:00:00Z'));
      expect(answer.leaderboards['xp-monthly']).toMatchObject({ start: '2020-06-01', end: '2020-06-30' });
      expect((await client.read(`/v1/users/${id}`)).created).toBe('2020-06-15T10:00:00.000Z');
    });

    it('counts a late event for totals, points and boards, but brings no past streak back', async () => {
      const id = newUserId();
      await client.record('reviews', id, 1.5);
      const live = await client.record('lessons', id, 1);
      const reviewed = await client.import('reviews', id, 1.5, '2020-06-15T12:00:00Z');
      const late = await client.import('lessons', id, 2, '2020-06-15T12:00:00Z');
      expect(reviewed.currentStreak.extended).toBe(false);
      expect(late.total).toBe(3);
      expect(late.currentStreak).toMatchObject({ length: 1, extended: false, started: live.currentStreak.started });
      expect(late.points.xp.added).toBe(20);
      expect(late.leaderboards['lessons-all'].previousRank).toEqual(expect.any(Number));
      const june = await client.read(`/v1/users/${id}/leaderboards/xp-monthly?run=2020-06-20`);
      expect(june).toMatchObject({ value: 20, rank: expect.any(Number) });
    });

    it('puts a late event on a finished board, in the run that holds its date', async () => {
      const id = newUserId();
      const { leaderboards } = await client.import('words', id, 7, '2020-07-01T00:00:00Z');
      expect(leaderboards.season).toMatchObject({ start: '2020-06-01', end: '2020-10-31', rank: expect.any(Number) });
      const last = await client.import('words', id, 2, '2020-12-31T23:59:59Z');
      expect(last.leaderboards.season).toMatchObject({ start: '2020-11-01', end: '2020-12-31' });
      const board = await client.read(`/v1/leaderboards/season?run=2020-08-01&userId=${id}&limit=1`);
      expect(board).toMatchObject({ start: '2020-01-01', end: '2020-12-31', rankings: [{ userId: id, value: 7 }] });
      const finished = await client.read(`/v1/leaderboards/season?userId=${id}&limit=1`);
      expect(finished.rankings).toMatchObject([{ userId: id, value: 2 }]);
      expect((await client.import('words', id, 1, '2021-01-01T00:00:00Z')).leaderboards).not.toHaveProperty('season');
    });

    it('sums points in buckets by the clock of each award', async () => {
      const id = newUserId();
      await client.import('lessons', id, 1, '2020-06-15T12:00:00Z');
      await client.import('lessons', id, 2, '2020-06-17T12:00:00Z');
      const summary = (query: string) => client.read(`/v1/users/${id}/points/xp/event-summary?${query}`);
      expect(await summary('aggregation=daily&start_date=2020-06-14&end_date=2020-06-18')).toEqual([
        { date: '2020-06-14', total: 0, change: 0 },
        { date: '2020-06-15', total: 10, change: 10 },
        { date: '2020-06-16', total: 10, change: 0 },
        { date: '2020-06-17', total: 30, change: 20 },
        { date: '2020-06-18', total: 30, change: 0 },
      ]);
      expect(await summary('aggregation=weekly&startDate=2020-06-10&endDate=2020-06-18')).toEqual([
        { date: '2020-06-10', total: 0, change: 0 },
        { date: '2020-06-15', total: 30, change: 30 },
      ]);
    });

    it('ends an import once', async () => {
      await client.import('words', newUserId(), 1, '2020-01-01T00:00:00Z');
      const finish = () => client.send('POST', '/admin/v1/imports/finish');
      expect(await finish()).toMatchObject({ status: 200, json: { closed: true } });
      expect(await finish()).toMatchObject({ status: 200, json: { closed: false } });
    });
  });
}
