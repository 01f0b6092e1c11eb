import { describe, expect, it } from '@jest/globals';
import { type Client, newUserId, type Sent } from './client.ts';

const EVENT = '/api/metrics/lessons/event';

/**
 * Tests the error table of the specification, section 2, row by row, as far as one key with every scope can reach it.
 */
export function describeErrors(client: Client): void {
  describe('the error table', () => {
    const user = { id: newUserId() };

    async function refused(status: number, method: string, path: string, sent: Sent = {}) {
      const { status: answered, headers, json } = await client.send(method, path, sent);
      expect({ path, status: answered }).toEqual({ path, status });
      expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
      expect(json).toMatchObject({ status, type: expect.any(String), title: expect.any(String) });
      expect(json).toMatchObject({ detail: expect.any(String), error: expect.any(String), code: expect.any(String) });
      return { headers, json };
    }

    it('404 for an unknown path, before anything else', async () => {
      await refused(404, 'GET', '/v1/nothing', { key: null });
      await refused(404, 'POST', '/nothing', { key: null, text: '{', headers: { 'content-type': 'text/plain' } });
    });

    it('405 for a method that the path does not have', async () => {
      const { headers } = await refused(405, 'DELETE', EVENT, { key: null });
      expect(headers.get('allow')).toContain('POST');
      await refused(405, 'POST', '/v1/achievements', { key: null });
    });

    it('401 without a key or with an unknown one', async () => {
      await refused(401, 'POST', EVENT, { key: null, text: '{' });
      await refused(401, 'GET', '/v1/achievements', { key: 'unknown' });
      await refused(401, 'POST', '/admin/v1/metrics/events', { key: null, body: [] });
    });

    it('415 if the body is not JSON by its type', async () => {
      await refused(415, 'POST', EVENT, { text: '{}', headers: { 'content-type': 'text/plain' } });
    });

    it('413 for a body over 64 KiB', async () => {
      await refused(413, 'POST', EVENT, { text: ' '.repeat(65_537) });
    });

    it('400 for a body that is not JSON or no object, before 404', async () => {
      await refused(400, 'POST', EVENT, { text: '{' });
      await refused(400, 'POST', EVENT, { text: '[]' });
      await refused(400, 'POST', '/api/metrics/unknown/event', { text: '"x"' });
    });

    it('404 for an unknown metric, user, points system, leaderboard or run, before 422', async () => {
      await client.record('lessons', user.id, 1);
      await refused(404, 'POST', '/api/metrics/unknown/event', { body: {} });
      for (const path of ['points/xp?awards=0', 'streak?historyPeriods=0', 'achievements', 'leaderboards/lessons-all'])
        await refused(404, 'GET', `/v1/users/${newUserId()}/${path}`);
      await refused(404, 'GET', `/v1/users/${user.id}/points/unknown?awards=0`);
      await refused(404, 'GET', `/v1/users/${user.id}/leaderboards/unknown`);
      await refused(404, 'GET', '/v1/leaderboards/unknown?limit=1001');
      await refused(404, 'GET', '/v1/leaderboards/lessons-all?run=2019-12-31');
      await refused(404, 'GET', '/v1/leaderboards/season?run=2021-01-01');
      await refused(404, 'GET', '/v1/users/%2e%2e%2f/streak');
      for (const id of ['%00', 'a%00b', 'x'.repeat(256)]) await refused(404, 'GET', `/v1/users/${id}/streak`);
    });

    it('422 with every problem of a body', async () => {
      const { json } = await refused(422, 'POST', EVENT, { body: { user: { tz: 'UTC+3' }, value: 'x' } });
      const paths = json.errors.map(({ path }: { path: string }) => path);
      expect(paths.sort()).toEqual(['user.id', 'user.tz', 'value']);
    });

    it('422 for each bound of an event', async () => {
      const event = (more: object) => ({ body: { user, value: 1, ...more } });
      for (const value of [1e9 + 1, -1e9 - 1, '1', null, true]) await refused(422, 'POST', EVENT, event({ value }));
      for (const id of ['', '.', '..', 'a\0b', '\ud800', 'x'.repeat(256), 7])
        await refused(422, 'POST', EVENT, event({ user: { id } }));
      for (const id of [' ', '\t\u00a0', '\u200b\u2060\ufeff', '\u3164', '\u2800']) {
        const refusedId = [{ path: 'user.id', message: 'must have a visible character' }];
        const { json } = await refused(422, 'POST', EVENT, event({ user: { id } }));
        expect(json.errors).toEqual(refusedId);
        await refused(422, 'POST', '/v1/achievements/profile/complete', { body: { user: { id } } });
        for (const [method, path] of [
          ['POST', '/v1/users'],
          ['PUT', `/v1/users/${encodeURIComponent(id)}`],
        ] as const) {
          const identified = await refused(422, method, path, { body: method === 'PUT' ? {} : { id } });
          expect(identified.json.errors).toEqual([{ ...refusedId[0], path: 'id' }]);
        }
        const { accepted, results } = (await client.batch([event({ metric: 'lessons', user: { id } }).body])).json;
        expect({ accepted, results }).toMatchObject({
          accepted: 0,
          results: [{ status: 422, code: 'invalid_request', error: 'user.id must have a visible character.' }],
        });
        await refused(404, 'GET', `/v1/users/${encodeURIComponent(id)}`);
      }
      for (const tz of ['', 'local', '+05:30', 'Europe/berlin'])
        await refused(422, 'POST', EVENT, event({ user: { ...user, tz } }));
      for (const key of ['x'.repeat(256)])
        await refused(422, 'POST', EVENT, { ...event({}), headers: { 'idempotency-key': key } });
    });

    it('422 that names the nearest zone', async () => {
      for (const [tz, meant] of [
        ['Europe/Berln', 'Europe/Berlin'],
        ['berlin', 'Europe/Berlin'],
        ['utc', 'UTC'],
      ]) {
        const { json } = await refused(422, 'POST', EVENT, { body: { user: { ...user, tz }, value: 1 } });
        const message = `must be the name of an IANA time zone, or UTC (did you mean '${meant}'?)`;
        expect(json.errors).toEqual([{ path: 'user.tz', message }]);
      }
    });

    it('422 that names the field meant for one that is close to a field, and for an instant of a single event', async () => {
      const event = (more: object, ofUser: object = {}) => ({
        body: { user: { ...user, ...ofUser }, value: 1, ...more },
      });
      for (const [sent, path, meant] of [
        [event({}, { timezone: 'UTC' }), 'user.timezone', 'user.tz'],
        [event({}, { Email: 'a@b' }), 'user.Email', 'user.email'],
        [event({}, { attribute: {} }), 'user.attribute', 'user.attributes'],
        [event({ userId: 'ada' }), 'userId', 'user.id'],
        [event({ idempotency_key: 'k' }), 'idempotency_key', 'idempotencyKey'],
        [event({ vlaue: 2 }), 'vlaue', 'value'],
      ] as const) {
        const { json } = await refused(422, 'POST', EVENT, sent);
        expect(json.errors).toEqual([{ path, message: `is unknown: use ${meant}` }]);
      }
      const { json } = await refused(422, 'POST', EVENT, event({ timestamp: '2026-01-01T00:00:00Z' }));
      expect(json.errors).toMatchObject([{ path: 'timestamp' }]);
      await refused(422, 'POST', '/v1/users', { body: { ...user, time_zone: 'UTC' } });
      await refused(422, 'PUT', `/v1/users/${user.id}`, { body: { T_Z: 'UTC' } });
      await refused(422, 'POST', '/v1/achievements/profile/complete', { body: { user, userId: 'ada' } });
      await refused(422, 'POST', '/admin/v1/metrics/events', { body: { Events: [] } });
      const { results } = (await client.batch([{ metric: 'lessons', ...event({ time: 'now' }).body }])).json;
      expect(results).toMatchObject([{ status: 422, error: 'time is unknown: use timestamp.' }]);
    });

    it('ignores a field that is close to none', async () => {
      const body = { user: { ...user, nickname: 'A', i: 1 }, value: 1, source: 'web', valuation: 2, timestamp: null };
      expect((await client.send('POST', EVENT, { body })).status).toBe(201);
    });

    it('422 for each bound of a query', async () => {
      await client.record('lessons', user.id, 1);
      const summary = `/v1/users/${user.id}/points/xp/event-summary`;
      for (const aggregation of ['daily', 'weekly', 'monthly'])
        await refused(422, 'GET', `${summary}?aggregation=${aggregation}&start_date=9999-12-01&end_date=9999-12-31`);
      for (const path of [
        `/v1/users/${user.id}/points/xp?awards=0`,
        `/v1/users/${user.id}/points/xp?awards=101`,
        `/v1/users/${user.id}/points/xp?awards=ten`,
        `/v1/users/${user.id}/streak?historyPeriods=0`,
        `/v1/users/${user.id}/streak?historyPeriods=367`,
        `/v1/users/${user.id}/leaderboards/lessons-all?numEvents=101`,
        `/v1/users/${user.id}/achievements?includeIncomplete=yes`,
        `/v1/users/${user.id}/achievements?userAttributes=plan:pro`,
        '/v1/achievements?userAttributes=plan:pro',
        '/v1/leaderboards/lessons-all?userAttributes=plan:pro',
        '/v1/leaderboards/lessons-all?limit=1001',
        '/v1/leaderboards/lessons-all?offset=-1',
        '/v1/leaderboards/lessons-all?run=yesterday',
        `${summary}?aggregation=daily&start_date=2026-01-01`,
        `${summary}?aggregation=yearly&start_date=2026-01-01&end_date=2026-01-02`,
        `${summary}?aggregation=daily&start_date=2026-01-02&end_date=2026-01-01`,
        `${summary}?aggregation=daily&start_date=2025-01-01&end_date=2026-02-05`,
        `${summary}?aggregation=daily&start_date=2026-02-30&end_date=2026-03-01`,
      ])
        await refused(422, 'GET', path);
    });

    it('answers what is just within the bounds', async () => {
      await client.record('lessons', user.id, 1);
      for (const path of [
        `/v1/users/${user.id}/points/xp?awards=100&unknown=ignored`,
        `/v1/users/${user.id}/streak?historyPeriods=366`,
        `/v1/users/${user.id}/leaderboards/lessons-all?numEvents=0`,
        `/v1/users/${user.id}/achievements?includeIncomplete=True`,
        `/v1/users/${user.id}/achievements?includeIncomplete=1`,
        '/v1/leaderboards/lessons-all?limit=1000&offset=5',
        `/v1/users/${user.id}/points/xp/event-summary?aggregation=weekly&startDate=2025-01-01&endDate=2026-02-04`,
      ])
        await client.read(path);
    });

    it('is left without a change of state by every refusal', async () => {
      const id = newUserId();
      await refused(422, 'POST', EVENT, { body: { user: { id, name: 'Ada' }, value: 'x' } });
      await refused(404, 'GET', `/v1/users/${id}/streak`);
    });

    it('says without a key that it is alive and ready', async () => {
      for (const path of ['/healthz', '/readyz'])
        expect((await client.send('GET', path, { key: null })).status).toBe(200);
    });
  });
}
