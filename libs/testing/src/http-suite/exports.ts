import { describe, expect, it } from '@jest/globals';
import { randomOf, seedOf } from '../random/index.ts';
import { type Client, type Json, newUserId } from './client.ts';

const MINUTE_MS = 60_000;

/** Tests exports (specification, section 9.15). */
export function describeExports(client: Client): void {
  describe('exports', () => {
    async function lines(path: string): Promise<Json[]> {
      const { status, text } = await client.send('GET', `/admin/v1/export/${path}`);
      expect({ status, text }).toMatchObject({ status: 200 });
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    }
    const of = (rows: readonly Json[], id: string): Json[] => rows.filter(({ userId }) => userId === id);
    /** An instant shortly before now, by the clock of any test. */
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

    describe('of the log', () => {
      const batch = 'application/cloudevents-batch+json';
      const page = async (query: string, headers: Readonly<Record<string, string>> = {}) => {
        const answer = await client.send('GET', `/admin/v1/events?${query}`, { headers });
        expect(answer).toMatchObject({ status: 200 });
        return { ...answer, cursor: answer.headers.get('laurel-cursor') ?? '' };
      };
      const linesOf = (text: string): Json[] =>
        text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
      /** The rows after a cursor, read in pages of these sizes, and the last cursor. */
      async function steps(from: string, sizes: readonly number[]) {
        const read: Json[] = [];
        for (let cursor = from, turn = 0; ; turn++) {
          const { text, cursor: next } = await page(
            `limit=${sizes[turn % sizes.length]}${cursor && `&after=${cursor}`}`,
          );
          if (next === cursor) return { read, cursor };
          read.push(...linesOf(text));
          cursor = next;
        }
      }

      it('give in steps, cut anywhere, what they give at once', async () => {
        const { cursor } = await steps('', [1_000]);
        const id = newUserId('logged');
        for (let value = 1; value <= 12; value++) await client.record('words', id, value);
        const atOnce = linesOf((await page(`limit=1000&after=${cursor}`)).text);
        expect(of(atOnce, id).map(({ type, details }) => [type, details.value])).toEqual(
          Array.from({ length: 12 }, (_, n) => ['MetricEventRecorded', String(n + 1)]),
        );
        const random = randomOf(seedOf('steps of an export'));
        const size = () => 1 + Math.floor(random() * 6);
        for (const sizes of [[1], [2, 5], [7, 1, 3], [1_000], Array.from({ length: 20 }, size)]) {
          const { read } = await steps(cursor, sizes);
          expect(read.slice(0, atOnce.length)).toEqual(atOnce);
        }
      });

      it('end at the head that a call named, however many events follow', async () => {
        const id = newUserId('logged');
        const { cursor } = await steps('', [1_000]);
        for (let value = 1; value <= 3; value++) await client.record('words', id, value);
        const head = (await page(`limit=1&after=${cursor}`)).headers.get('laurel-head') ?? '';
        await client.record('words', id, 4);
        for (const rest of ['limit=2', 'limit=2&types=MetricEventRecorded', 'limit=1000&wait=30']) {
          const read: Json[] = [];
          for (let from = cursor; from !== head;) {
            const { text, cursor: next } = await page(`${rest}&after=${from}&until=${head}`);
            read.push(...linesOf(text));
            from = next;
          }
          expect(of(read, id).map(({ details }) => details.value)).toEqual(['1', '2', '3']);
        }
      });

      it('hold what was said of a user, and of some types only those', async () => {
        const { cursor } = await steps('', [1_000]);
        const id = newUserId('logged');
        const attributes = { course: 'radio' };
        const body = { user: { id, name: 'Hedy', tz: 'Europe/Vienna' }, value: 12, attributes };
        const { json } = await client.send('POST', '/api/metrics/words/event', { body });
        await client.send('POST', '/v1/users', { body: { id, email: 'hedy@example.org' } });
        const recorded = {
          ...{ id: json.eventId, type: 'MetricEventRecorded', userId: id, configurationVersion: expect.any(Number) },
          ...{ timestamp: expect.any(String), recordedAt: expect.any(String) },
          details: { metric: 'words', value: '12', tz: 'Europe/Vienna', attributes, personal: { name: 'Hedy' } },
        };
        const identified = linesOf((await page(`limit=1000&after=${cursor}&types=UserIdentified`)).text);
        expect(of(identified, id).map(({ details }) => details.personal)).toEqual([{ email: 'hedy@example.org' }]);
        expect(new Set(identified.map(({ type }) => type))).toEqual(new Set(['UserIdentified']));
        expect(of(linesOf((await page(`limit=1000&after=${cursor}`)).text), id)[0]).toEqual(recorded);
        const { text, headers } = await page(`limit=1000&after=${cursor}`, { accept: batch });
        expect(headers.get('content-type')).toContain(batch);
        expect((JSON.parse(text) as Json[]).find((event) => event.id === json.eventId)).toEqual({
          ...{ specversion: '1.0', id: json.eventId, source: '/accounts/default', subject: id },
          ...{ type: 'laurel.recorded.MetricEventRecorded.v1', time: expect.any(String) },
          ...{ datacontenttype: 'application/json', data: recorded },
        });
      });

      it('wait for what is recorded next', async () => {
        const id = newUserId('awaited');
        let { cursor } = await steps('', [1_000]);
        const waiting = page(`after=${cursor}&wait=30&types=AchievementCompletedByCall,UserIdentified`);
        await client.record('words', id, 1);
        await client.send('POST', '/v1/users', { body: { id, name: 'Ida' } });
        let found: Json[] = [];
        for (let next = waiting; !of(found, id)[0]; next = page(`after=${cursor}&wait=30&types=UserIdentified`)) {
          const { text, cursor: behind } = await next;
          cursor = behind;
          found = linesOf(text);
        }
        expect(of(found, id)).toHaveLength(1);
      });

      it('begin at no cursor but their own, and name what is wrong', async () => {
        const wrong = await client.send('GET', '/admin/v1/events?after=1&until=1&limit=1001&wait=31&types=Sent');
        expect([wrong.status, wrong.json.errors.map(({ path }: Json) => path)]).toEqual([
          422,
          ['after', 'until', 'limit', 'wait', 'types'],
        ]);
        const future = Buffer.from('log:9007199254740000').toString('base64url');
        expect((await client.send('GET', `/admin/v1/events?after=${future}`)).status).toBe(422);
      });
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
          changedAt: expect.any(String),
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
      // Outcomes depend on the configuration; without any, there is nothing to compare.
      expect([json.outcomes, json.webhookDeliveries]).toEqual([expect.any(Array), expect.any(Array)]);
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
