import { ACCOUNT } from '@laurel/kernel';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLaurelClient, type EventAnswer, LaurelError, orThrow, type LaurelClient } from '@laurel/client';
import { DEMO_CONFIGURATION } from '@laurel/configuration';
import { newUserId } from '@laurel/testing/http-suite';
import { serveOnFreshDatabase, type Served } from './testing/serve-in-process.ts';

let served: Served;
let laurel: LaurelClient;

beforeAll(async () => {
  served = await serveOnFreshDatabase(DEMO_CONFIGURATION);
  laurel = createLaurelClient({ url: served.baseUrl, apiKey: served.apiKey });
});
afterAll(async () => {
  await laurel?.close();
  await served?.close();
});

const record = (id: string, idempotencyKey: string) =>
  laurel.POST('/v1/metrics/{key}/event', {
    params: { path: { key: 'lessons' }, header: { 'Idempotency-Key': idempotencyKey } },
    body: { user: { id, tz: 'Europe/Berlin' }, value: 1 },
  });

describe('the TypeScript client', () => {
  it('records an event once per idempotency key, whatever characters the key contains', async () => {
    const id = newUserId('ada/ß%');
    const first = await record(id, 'Lektion 四');
    const event: EventAnswer | undefined = first.data;
    expect([first.response.status, event?.total, event?.idempotencyKey]).toEqual([201, 1, 'Lektion 四']);
    expect(event?.achievements.map(({ name }) => name)).toEqual(['First lesson']);
    expect(event?.points['xp']?.level?.key).toBe('beginner');
    const replay = await record(id, 'Lektion 四');
    expect([replay.response.status, replay.data?.idempotentReplayed]).toEqual([202, true]);
  });

  it('reads what was recorded', async () => {
    const id = newUserId('__proto__');
    await orThrow(record(id, 'once'));
    const path = { path: { id } };
    expect(await orThrow(laurel.GET('/v1/users/{id}', { params: path }))).toMatchObject({ id, tz: 'Europe/Berlin' });
    const streak = await orThrow(
      laurel.GET('/v1/users/{id}/streak', { params: { ...path, query: { historyPeriods: 30 } } }),
    );
    expect([streak.length, streak.streakHistory.length]).toEqual([1, 30]);
    const streaks = await orThrow(laurel.GET('/v1/streaks', { params: { query: { userIds: ['nobody', id] } } }));
    expect(streaks.map(({ userId, streakLength }) => [userId, streakLength])).toEqual([
      [id, 1],
      ['nobody', 0],
    ]);
    const board = await orThrow(
      laurel.GET('/v1/leaderboards/{key}', { params: { path: { key: 'all-time' }, query: { userId: id, limit: 1 } } }),
    );
    expect(board.rankings).toMatchObject([{ userId: id, value: 1 }]);
  });

  it('returns the code of a refusal and every invalid field', async () => {
    const unknown = await laurel.GET('/v1/users/{id}/streak', { params: { path: { id: newUserId() } } });
    expect([unknown.error?.code, unknown.response.status]).toEqual(['unknown_user', 404]);
    const wrong = orThrow(laurel.POST('/v1/users', { body: { id: 'ada', tz: 'UTC+3', email: 'nobody' } }));
    const error = await wrong.catch((refusal: unknown) => refusal);
    expect(error).toBeInstanceOf(LaurelError);
    expect((error as LaurelError).problem?.errors?.map(({ path }) => path).sort()).toEqual(['email', 'tz']);
    const keyless = createLaurelClient({ url: served.baseUrl });
    await expect(orThrow(keyless.GET('/v1/achievements'))).rejects.toMatchObject({ code: 'unauthorized', status: 401 });
  });

  it('administers the service through the local socket without a key', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'laurel-client-'));
    const socketPath = await served.http.listenLocally(folder, ACCOUNT);
    const local = createLaurelClient({ socketPath });
    expect(await orThrow(local.GET('/admin/v1/status'))).toMatchObject({ ready: true, configurationVersion: 1 });
    const { id, key } = await orThrow(local.POST('/admin/v1/keys', { body: { label: 'app', scopes: ['read'] } }));
    const reader = createLaurelClient({ url: served.baseUrl, apiKey: key });
    expect((await orThrow(reader.GET('/v1/achievements'))).length).toBe(5);
    expect((await reader.GET('/admin/v1/keys')).error?.code).toBe('forbidden');
    await orThrow(local.DELETE('/admin/v1/keys/{id}', { params: { path: { id } } }));
    expect((await reader.GET('/v1/achievements')).error?.code).toBe('unauthorized');
    await Promise.all([local.close(), reader.close()]);
    rmSync(folder, { recursive: true, force: true });
  });

  it('reads the whole state in chunks', async () => {
    const stream = await orThrow(laurel.GET('/admin/v1/state', { parseAs: 'stream' }));
    const chunks: Uint8Array[] = [];
    for await (const chunk of stream ?? []) chunks.push(chunk as Uint8Array);
    expect(Object.keys(JSON.parse(Buffer.concat(chunks).toString()))).toEqual([
      'events',
      'asOf',
      'users',
      'leaderboards',
    ]);
  });

  it('accepts only the paths, parameters and bodies that the API document describes', () => {
    const wrong = () => [
      // @ts-expect-error there is no such path
      laurel.GET('/v1/nothing'),
      // @ts-expect-error the path's parameter is missing
      laurel.GET('/v1/users/{id}'),
      // @ts-expect-error the path has no such method
      laurel.DELETE('/v1/users/{id}', { params: { path: { id: 'ada' } } }),
      laurel.POST('/v1/users', {
        // @ts-expect-error an id is a text
        body: { id: 7 },
      }),
    ];
    expect(wrong).toBeInstanceOf(Function);
  });
});
