import { describe, expect, it } from '@jest/globals';
import { type Client, type Json, newUserId } from './client.ts';

const MINUTE_MS = 60_000;

/** Everything out again (specification, section 9.15). */
export function describeExports(client: Client): void {
  describe('exports', () => {
    async function lines(path: string): Promise<Json[]> {
      const { status, text } = await client.send('GET', `/admin/v1/export/${path}`);
      expect({ status, text }).toMatchObject({ status: 200 });
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    }
    const of = (rows: readonly Json[], id: string): Json[] => rows.filter(({ userId }) => userId === id);
    /** From shortly before now on, by any clock of a test. */
    const since = async (): Promise<string> => {
      const { now } = await client.read('/admin/v1/status');
      return `from=${new Date(Date.parse(now) - MINUTE_MS).toISOString()}`;
    };

    it('hold the metric events of a range, in their order, each with what was sent', async () => {
      const [id, other, from] = [newUserId('exported'), newUserId('exported'), await since()];
      const attributes = { course: '=1+1', note: 'a "b"\nc' };
      const body = { user: { id, name: 'Ada' }, value: 0.1, attributes };
      const { json } = await client.send('POST', '/api/metrics/words/event', { body });
      await client.record('lessons', other, 2);
      await client.record('words', id, -3);
      const rows = await lines(`events?${from}`);
      expect(of(rows, id)).toEqual([
        {
          id: json.eventId,
          timestamp: expect.any(String),
          recordedAt: expect.any(String),
          userId: id,
          metric: 'words',
          value: 0.1,
          attributes,
          imported: false,
          configurationVersion: expect.any(Number),
        },
        expect.objectContaining({ value: -3, attributes: {} }),
      ]);
      const places = rows.map(({ userId }) => userId);
      expect(places.indexOf(other)).toBeGreaterThan(places.indexOf(id));
      expect(JSON.stringify(rows)).not.toContain('"Ada"');
    });

    it('take events by their instants, also imported ones', async () => {
      const id = newUserId('imported');
      await client.import('words', id, 4, '2019-05-06T23:59:59.999Z');
      await client.import('words', id, 5, '2019-05-07T00:00:00Z');
      await client.record('words', id, 6);
      const values = async (range: string) => of(await lines(`events?${range}`), id).map(({ value }) => value);
      expect(await values('from=2019-05-06&to=2019-05-07')).toEqual([4]);
      expect(await values('from=2019-05-07&to=2019-05-07T00:00:01Z')).toEqual([5]);
      expect(await values('to=2019-05-08')).toEqual([4, 5]);
      expect(await values(await since())).toEqual([6]);
    });

    it('hold the awards of a range with the ids, amounts and totals that reads show', async () => {
      const [id, from] = [newUserId('awarded'), await since()];
      await client.record('lessons', id, 3);
      await client.record('spent', id, 1);
      const awards = of(await lines(`awards?${from}`), id);
      for (const system of ['xp', 'energy']) {
        const { awards: shown } = await client.read(`/v1/users/${id}/points/${system}?awards=100`);
        const exported = awards.filter(({ points }) => points === system).reverse();
        expect(exported.map((award) => [award.id, award.at, award.awarded, award.total])).toEqual(
          shown.map((award: Json) => [award.id, award.date, award.awarded, award.total]),
        );
        expect(shown.length).toBeGreaterThan(0);
      }
      expect(of(await lines('awards?to=2019-01-01'), id)).toEqual([]);
    });

    it('hold the ranks of the runs that a range touches', async () => {
      const [id, from] = [newUserId('ranked'), await since()];
      await client.record('words', id, 7);
      const { rank, runStart, runEnd } = await client.read(`/v1/users/${id}/leaderboards/words-daily`);
      const rows = of(await lines(`rankings?${from}`), id);
      expect(rows.map(({ leaderboard }) => leaderboard)).toEqual(expect.arrayContaining(['words-all', 'words-daily']));
      expect(rows.find(({ leaderboard }) => leaderboard === 'words-daily')).toEqual({
        ...{ leaderboard: 'words-daily', run: runStart, runEnd, rank, userId: id, value: 7 },
        reachedAt: expect.any(String),
      });
      expect(of(await lines('rankings?to=2019-01-01'), id)).toEqual([]);
    });

    it('hold the winners of a run that is final, with their addresses, and of no other', async () => {
      const id = newUserId('winner');
      const body = { id, name: 'Grace', email: 'grace@example.org' };
      expect((await client.send('POST', '/v1/users', { body })).status).toBe(201);
      await client.import('words', id, 1e9, '2020-02-03T12:00:00Z');
      const won = await lines('winners?leaderboard=season&run=2020-02-03&limit=1000');
      expect(of(won, id)).toEqual([
        {
          ...{ leaderboard: 'season', run: '2020-01-01', runEnd: '2020-05-31', rank: expect.any(Number), userId: id },
          ...{ name: 'Grace', email: 'grace@example.org', value: 1e9, reachedAt: '2020-02-03T12:00:00.000Z' },
        },
      ]);
      expect(won.map(({ rank }) => rank)).toEqual(won.map((_, place) => place + 1));
      const status = async (query: string) => (await client.send('GET', `/admin/v1/export/winners?${query}`)).status;
      expect(await status('leaderboard=season')).toBe(200);
      expect(await status('leaderboard=season&run=2021-01-01')).toBe(404);
      expect(await status('leaderboard=words-all')).toBe(404);
      expect(await status('leaderboard=words-all&run=2020-02-03')).toBe(422);
      expect(await status('leaderboard=none')).toBe(404);
    });

    it('hold everything about one user, and nothing of another', async () => {
      const [id, other] = [newUserId('whole'), newUserId('other')];
      const profile = { id, name: 'Hedy', email: 'hedy@example.org', tz: 'Europe/Vienna', attributes: { plan: 'pro' } };
      expect((await client.send('POST', '/v1/users', { body: profile })).status).toBe(201);
      const body = { user: { id }, value: 12, attributes: { course: 'radio' } };
      const { json: event } = await client.send('POST', '/api/metrics/words/event', { body });
      await client.record('words', other, 3);
      await client.record('words', id, 0);
      await client.record('lessons', id, 1);
      const { status, json, headers } = await client.send('GET', `/admin/v1/users/${id}/export`);
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      const { user, totals, achievements, points, events, awards, standings, rankChanges } = json;
      expect(user).toMatchObject(profile);
      expect(totals).toEqual({ words: 12, lessons: 1 });
      expect(Object.keys(achievements)).toEqual(['first-lesson']);
      expect(events.map(({ type, details }: Json) => [type, details.value])).toEqual([
        ['UserIdentified', undefined],
        ['MetricEventRecorded', '12'],
        ['MetricEventRecorded', '0'],
        ['MetricEventRecorded', '1'],
      ]);
      const { attributes } = profile;
      expect(events[0].details).toMatchObject({
        tz: profile.tz,
        personal: { name: 'Hedy', email: profile.email, attributes },
      });
      expect(events[1]).toMatchObject({ id: event.eventId, details: { metric: 'words', attributes: body.attributes } });
      for (const system of ['xp', 'energy', 'capped']) {
        const shown = await client.read(`/v1/users/${id}/points/${system}?awards=100`);
        expect(points[system]).toBe(shown.total);
        const exported = awards.filter((award: Json) => award.points === system).reverse();
        expect(exported.map((award: Json) => award.id)).toEqual(shown.awards.map((award: Json) => award.id));
      }
      const board = await client.read(`/v1/users/${id}/leaderboards/words-all`);
      const ofBoard = ({ leaderboard }: Json) => leaderboard === 'words-all';
      expect(standings.filter(ofBoard).map(({ value }: Json) => value)).toEqual([12]);
      expect(rankChanges.filter(ofBoard).map(({ rank }: Json) => rank)).toEqual(
        board.history.map(({ rank }: Json) => rank),
      );
      expect(JSON.stringify(json)).not.toContain(other);
      expect((await client.send('GET', `/admin/v1/users/${newUserId()}/export`)).status).toBe(404);
    });

    it('are CSV as well, with a line for each row', async () => {
      const id = newUserId('csv');
      const from = await since();
      await client.record('words', id, 0.25);
      const { headers, text } = await client.send('GET', `/admin/v1/export/events?${from}&format=csv`);
      expect(headers.get('content-type')).toMatch(/^text\/csv/);
      const [header, ...rest] = text.split('\r\n');
      expect(header).toBe('id,timestamp,recordedAt,userId,metric,value,attributes,imported,configurationVersion');
      expect(rest.filter((line) => line.includes(`,${id},words,0.25,{},false,`))).toHaveLength(1);
    });
  });
}
