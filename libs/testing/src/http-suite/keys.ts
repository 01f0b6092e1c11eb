import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type Answer, type Client, type Json, newUserId } from './client.ts';

const KEYS = '/admin/v1/keys';
const EVENT = '/api/metrics/lessons/event';
const HOUR_MS = 3_600_000;

/** A request that only a key with this scope may make. */
const REQUESTS: readonly { scope: string; method: string; path: string; body?: () => unknown }[] = [
  { scope: 'ingest', method: 'POST', path: EVENT, body: () => ({ user: { id: newUserId() }, value: 1 }) },
  { scope: 'read', method: 'GET', path: '/v1/achievements' },
  { scope: 'admin', method: 'GET', path: KEYS },
  { scope: 'export', method: 'GET', path: '/admin/v1/export/events?from=2999-01-01' },
];

/** Tests that keys are created, listed, revoked and counted (specification, section 9). */
export function describeKeys(client: Client): void {
  describe('keys', () => {
    async function makeKey(scopes: readonly string[], more: object = {}): Promise<Json> {
      const { status, json } = await client.send('POST', KEYS, { body: { label: 'HTTP suite', scopes, ...more } });
      expect({ status, json }).toMatchObject({ status: 201 });
      return json;
    }
    const listed = async (id: string): Promise<Json> =>
      (await client.read(KEYS)).find((one: { id: string }) => one.id === id);
    const revoke = (id: string): Promise<Answer> => client.send('DELETE', `${KEYS}/${id}`);
    const statusWith = async (key: string): Promise<number> =>
      (await client.send('GET', '/v1/achievements', { key })).status;

    it('are shown once, and listed without the key or its hash', async () => {
      const { key, ...rest } = await makeKey(['read', 'ingest'], { label: 'Ada’s laptop', requestsPerMinute: 600 });
      expect(key).toMatch(/^lrl_[0-9A-Za-z]{36}$/);
      expect(rest).toEqual({
        id: expect.any(String),
        label: 'Ada’s laptop',
        scopes: ['ingest', 'read'],
        createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
        createdBy: expect.any(String),
        expiresAt: null,
        revokedAt: null,
        revokedBy: null,
        requestsPerMinute: 600,
      });
      expect(await listed(rest.id)).toEqual(rest);
      const { text } = await client.send('GET', KEYS);
      expect(text).not.toContain(key);
      expect(text).not.toContain(createHash('sha256').update(key).digest('hex'));
      expect((await revoke(rest.id)).text).not.toContain(key);
    });

    it.each(REQUESTS)('with the scope $scope alone are refused with 403 wherever another is needed', async (own) => {
      const { key, id } = await makeKey([own.scope]);
      for (const { scope, method, path, body } of REQUESTS) {
        const { status, json } = await client.send(method, path, { key, ...(body && { body: body() }) });
        expect({ scope, allowed: status < 300 }).toEqual({ scope, allowed: scope === own.scope });
        if (scope !== own.scope) expect(json).toMatchObject({ status: 403, code: 'forbidden' });
      }
      await revoke(id);
    });

    it('with the scope support find users, show them and grant, and neither erase, export nor publish', async () => {
      const { key, id } = await makeKey(['support']);
      const userId = newUserId();
      await client.send('POST', EVENT, { body: { user: { id: userId }, value: 1 } });
      const reason = 'The service was down.';
      const today = new Date().toISOString().slice(0, 10);
      const excused = { from: today, to: today, reason };
      const statusOf = async (method: string, path: string, body?: object): Promise<number> =>
        (await client.send(method, path, { key, ...(body && { body }) })).status;
      const user = `/admin/v1/users/${userId}`;
      expect([
        await statusOf('GET', `/admin/v1/users?prefix=${userId}`),
        await statusOf('GET', user),
        await statusOf('GET', `${user}/events`),
        await statusOf('GET', `${user}/explain/streak`),
        await statusOf('POST', `${user}/grants/excused`, excused),
      ]).toEqual([200, 200, 200, 200, 201]);
      expect([
        await statusOf('DELETE', user),
        await statusOf('GET', `${user}/export`),
        await statusOf('GET', '/admin/v1/configurations'),
        await statusOf('GET', '/admin/v1/webhooks'),
        await statusOf('GET', KEYS),
        await statusOf('GET', '/v1/achievements'),
        await statusOf('POST', EVENT, { user: { id: userId }, value: 1 }),
      ]).toEqual(Array.from({ length: 7 }, () => 403));
      await revoke(id);
    });

    it('cannot make or revoke others without the scope admin', async () => {
      const { key, id } = await makeKey(['ingest', 'read']);
      const refused = [
        await client.send('POST', KEYS, { key, body: { label: 'more', scopes: ['admin'] } }),
        await client.send('DELETE', `${KEYS}/${id}`, { key }),
        await client.send('GET', KEYS, { key }),
      ];
      expect(refused.map(({ status }) => status)).toEqual([403, 403, 403]);
      expect(await listed(id)).toMatchObject({ revokedAt: null });
      await revoke(id);
    });

    it('are of no use from their expiry on', async () => {
      const { id, createdAt } = await makeKey(['read']);
      const expiresAt = new Date(Date.parse(createdAt) + 1_500).toISOString();
      const expiring = await makeKey(['read'], { expiresAt });
      expect(expiring.expiresAt).toBe(expiresAt);
      while ((await statusWith(expiring.key)) !== 401);
      expect(await statusWith(expiring.key)).toBe(401);
      expect(await listed(expiring.id)).toMatchObject({ expiresAt, revokedAt: null });
      const after = await makeKey(['read']);
      expect(Date.parse(after.createdAt)).toBeGreaterThanOrEqual(Date.parse(expiresAt));
      for (const made of [id, expiring.id, after.id]) await revoke(made);
    });

    it('are of no use from the answer to their revocation on, also while they are being used', async () => {
      const { id, key } = await makeKey(['ingest', 'read']);
      const user = { id: newUserId() };
      const statuses: number[] = [];
      const record = async () => {
        const { status } = await client.send('POST', EVENT, { key, body: { user, value: 1 } });
        statuses.push(status);
        return status;
      };
      const queues = Array.from({ length: 4 }, async () => {
        while ((await record()) === 201);
      });
      while (statuses.length < 8) await record();
      const revoked = await revoke(id);
      expect(revoked).toMatchObject({ status: 200, json: { id, revokedAt: expect.any(String) } });
      expect(await record()).toBe(401);
      await Promise.all(queues);

      expect(new Set(statuses)).toEqual(new Set([201, 401]));
      const recorded = statuses.filter((status) => status === 201).length;
      expect(await client.read(`/v1/users/${user.id}/metrics/lessons`)).toMatchObject({ current: recorded });
      expect((await revoke(id)).json).toEqual(revoked.json);
      expect(await listed(id)).toEqual(revoked.json);
    });

    it('that there are not cannot be revoked', async () => {
      for (const id of ['018f0000-0000-7000-8000-000000000000', 'constructor', '%00', '..%2Fkeys'])
        expect((await revoke(id)).json).toMatchObject({ status: 404, code: 'unknown_key' });
    });

    it('are refused with every field that is wrong', async () => {
      const wrong = { scopes: ['root'], expiresAt: 'tomorrow', requestsPerMinute: 0 };
      const { status, json } = await client.send('POST', KEYS, { body: wrong });
      expect(status).toBe(422);
      const paths = json.errors.map(({ path }: { path: string }) => path);
      expect(paths.sort()).toEqual(['expiresAt', 'label', 'requestsPerMinute', 'scopes.0']);
      const past = { label: 'late', scopes: ['read'], expiresAt: new Date(Date.now() - HOUR_MS * 48).toISOString() };
      expect((await client.send('POST', KEYS, { body: past })).json).toMatchObject({
        status: 422,
        errors: [{ path: 'expiresAt', message: 'must lie in the future' }],
      });
      const misspelt = { label: 'typo', scopes: ['read'], expires_at: '2999-01-01T00:00:00Z' };
      expect((await client.send('POST', KEYS, { body: misspelt })).status).toBe(422);
    });

    it('with a limit see what is left, and get 429 beyond it, with nothing recorded', async () => {
      const { key, id } = await makeKey(['ingest'], { requestsPerMinute: 2 });
      const user = { id: newUserId() };
      const answers: Answer[] = [];
      for (let request = 0; request < 4; request++)
        answers.push(await client.send('POST', EVENT, { key, body: { user, value: 1 } }));
      const left = answers.map(({ status, headers }) => [
        status,
        /;r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1],
      ]);
      expect(left).toEqual([
        [201, '1'],
        [201, '0'],
        [429, '0'],
        [429, '0'],
      ]);
      for (const { headers } of answers) expect(headers.get('ratelimit-policy')).toBe('"default";q=2;w=60');
      const [, , refused] = answers;
      expect(refused?.json).toMatchObject({ status: 429, code: 'rate_limited' });
      expect(refused?.headers.get('content-type')).toMatch(/^application\/problem\+json/);
      const retryAfter = Number(refused?.headers.get('retry-after'));
      expect(retryAfter).toBeGreaterThanOrEqual(1);
      expect(retryAfter).toBeLessThanOrEqual(30);
      expect(await client.read(`/v1/users/${user.id}/metrics/lessons`)).toMatchObject({ current: 2 });
      await revoke(id);
      expect((await client.send('POST', EVENT, { key, body: { user, value: 1 } })).status).toBe(401);
    });

    it('without a limit see none', async () => {
      const { headers } = await client.send('GET', KEYS);
      for (const name of ['ratelimit', 'ratelimit-policy', 'retry-after']) expect(headers.get(name)).toBeNull();
    });
  });
}
