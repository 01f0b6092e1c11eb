import { describe, expect, it } from '@jest/globals';
import { randomOf, seedOf } from '../random/index.ts';
import { type Client, type Json, newUserId } from './client.ts';

/**
 * A value that no other user is likely to have. It is drawn from a new id, so it differs in each run on a separate
 * server.
 */
function rareValue(): number {
  const random = randomOf(seedOf(newUserId()));
  return Math.floor(random() * 9e8) + 1e6 + Math.floor(random() * 1e6) / 1e6;
}

/** Tests leaderboards (specification, section 7). */
export function describeLeaderboards(client: Client): void {
  describe('leaderboards', () => {
    const words = async (id: string, value: number): Promise<Json> =>
      (await client.record('words', id, value)).leaderboards['words-all'];
    const rankOf = async (id: string) => (await client.read(`/v1/users/${id}/leaderboards/words-all`)).rank;

    it('break a tie by who reached the value first', async () => {
      const [early, late, value] = [newUserId('early'), newUserId('late'), Math.floor(rareValue())];
      const { rank } = await words(early, value);
      expect((await words(late, value)).rank).toBe(rank + 1);
      await words(early, 1);
      expect(await words(early, -1)).toMatchObject({ previousRank: rank, rank: rank + 1 });
      expect([await rankOf(late), await rankOf(early)]).toEqual([rank, rank + 1]);
    });

    it('are not named by an event that changes nothing', async () => {
      const id = newUserId();
      await client.record('words', id, 5);
      expect((await client.record('words', id, 0)).leaderboards).toEqual({});
    });

    it('rank nobody with a value of 0 or less', async () => {
      const id = newUserId();
      expect(await words(id, -1)).toMatchObject({ previousRank: null, rank: null });
      expect(await words(id, 1)).toMatchObject({ previousRank: null, rank: null });
      expect(await words(id, 1)).toMatchObject({ previousRank: null, rank: expect.any(Number) });
    });

    it('show each change of a user’s value, oldest first', async () => {
      const id = newUserId();
      for (const value of [3, 4, -2]) await client.record('words', id, value);
      const { history, value } = await client.read(`/v1/users/${id}/leaderboards/words-all`);
      expect(value).toBe(5);
      expect(history.map((entry: Json) => [entry.previousValue, entry.value])).toEqual([
        [null, 3],
        [3, 7],
        [7, 5],
      ]);
      expect(history[0].previousRank).toBeNull();
      expect(history.slice(1).map((entry: Json) => entry.previousRank)).toEqual([
        expect.any(Number),
        expect.any(Number),
      ]);
      const newest = await client.read(`/v1/users/${id}/leaderboards/words-all?numEvents=1`);
      expect(newest.history).toEqual(history.slice(-1));
    });

    it('say which run they show', async () => {
      const id = newUserId();
      const { start, end } = (await client.record('words', id, 5)).leaderboards['words-daily'];
      const own = await client.read(`/v1/users/${id}/leaderboards/words-daily`);
      expect(own).toMatchObject({ start: '2020-01-01', end: null, runStart: start, runEnd: end });
      const past = await client.read('/v1/leaderboards/words-daily?run=2021-02-03');
      expect(past).toMatchObject({ runStart: '2021-02-03', runEnd: '2021-02-03' });
      const season = await client.read('/v1/leaderboards/season?run=2020-12-01');
      expect(season).toMatchObject({ runStart: '2020-11-01', runEnd: '2020-12-31' });
      const none = { runStart: null, runEnd: null };
      expect(await client.read('/v1/leaderboards/future')).toMatchObject({ start: '2999-01-01', ...none });
      expect(await client.read(`/v1/users/${id}/leaderboards/future`)).toMatchObject(none);
    });

    it('can be read without any row', async () => {
      const board = await client.read('/v1/leaderboards/words-all?limit=0');
      expect(board).toMatchObject({ key: 'words-all', rankings: [] });
    });

    it('can be read from a user’s place on', async () => {
      const [first, second] = [newUserId(), newUserId()];
      const value = Math.floor(rareValue());
      await words(first, value);
      await words(second, value);
      const page = (query: string) => client.read(`/v1/leaderboards/words-all?${query}`);
      const ids = ({ rankings }: Json) => rankings.map(({ userId }: Json) => userId);
      expect(ids(await page(`userId=${first}&limit=2`))).toEqual([first, second]);
      expect(ids(await page(`userId=${first}&offset=1&limit=1`))).toEqual([second]);
      expect(ids(await page(`userId=${newUserId()}`))).toEqual([]);
      const top = await page('limit=3');
      expect(top.rankings.map(({ rank }: Json) => rank)).toEqual([1, 2, 3].slice(0, top.rankings.length));
    });

    it('rank only as many as may take part, and say what it takes to be among them', async () => {
      const id = newUserId();
      const podium = async (value: number) => (await client.record('spent', id, value)).leaderboards.podium;
      let entry = await podium(1);
      if (entry.rank === null) entry = await podium(entry.threshold);
      expect(entry).toMatchObject({ previousRank: null, rank: 1, maxParticipants: 1 });
      const { value } = await client.read(`/v1/users/${id}/leaderboards/podium`);
      expect(entry.threshold).toBe(value);
      const other = (await client.record('spent', newUserId(), 0.5)).leaderboards.podium;
      expect(other).toMatchObject({ previousRank: null, rank: null, threshold: value });
    });

    it('take no live event outside of their dates', async () => {
      const { leaderboards } = await client.record('words', newUserId(), 1);
      expect(Object.keys(leaderboards).sort()).toEqual(['words-all', 'words-daily']);
      expect(leaderboards['words-daily']).toMatchObject({ runUnit: 'day', runInterval: 1 });
      expect(leaderboards['words-daily'].end).toBe(leaderboards['words-daily'].start);
    });

    it('show when a run changed that was final, wherever it is read', async () => {
      const id = newUserId('late');
      expect(await client.read('/v1/leaderboards/words-all')).toMatchObject({ changedAt: null });
      const { now } = await client.read('/admin/v1/status');
      await client.import('words', id, 3, '2020-07-01T12:00:00Z');
      const board = await client.read('/v1/leaderboards/season?run=2020-07-01');
      expect(board).toMatchObject({ runStart: '2020-06-01', changedAt: expect.any(String) });
      expect(Date.parse(board.changedAt)).toBeGreaterThanOrEqual(Date.parse(now));
      const { changedAt } = await client.read(`/v1/users/${id}/leaderboards/season?run=2020-07-01`);
      const { runs } = await client.read('/admin/v1/leaderboards/season/runs');
      const winners = await client.send('GET', '/admin/v1/export/winners?leaderboard=season&run=2020-07-01&limit=1');
      expect([
        changedAt,
        runs.find(({ start }: Json) => start === '2020-06-01').changedAt,
        JSON.parse(winners.text).changedAt,
      ]).toEqual([board.changedAt, board.changedAt, board.changedAt]);
    });

    it('are scheduled, active or finished', async () => {
      const statuses = async (query: string) =>
        new Map((await client.read(`/v1/leaderboards${query}`)).map((board: Json) => [board.key, board.status]));
      const listed = await statuses('');
      expect([listed.get('future'), listed.get('words-all'), listed.has('season')]).toEqual([
        'scheduled',
        'active',
        false,
      ]);
      expect((await statuses('?includeFinished=true')).get('season')).toBe('finished');
      expect(await client.read('/v1/leaderboards/season')).toMatchObject({ status: 'finished', end: '2020-12-31' });
    });
  });
}
