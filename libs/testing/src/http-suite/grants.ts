import { describe, expect, it } from '@jest/globals';
import { type Client, type Json, newUserId } from './client.ts';

/** Tests grants by hand (specification, section 10). */
export function describeGrants(client: Client): void {
  const post = (id: string, body: Json, key?: string, kind = 'points') =>
    client.send('POST', `/admin/v1/users/${encodeURIComponent(id)}/grants/${kind}`, {
      body,
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });
  const grant = async (id: string, system: string, amount: number, more: Json = {}) => {
    const { status, json } = await post(id, { system, amount, reason: 'by hand', ...more });
    expect(status).toBe(201);
    return json;
  };
  const newUser = async () => {
    const id = newUserId();
    await client.send('PUT', `/v1/users/${id}`, { body: {} });
    return id;
  };
  const points = (id: string, system: string) => client.read(`/v1/users/${id}/points/${system}`);

  describe('a boost by hand', () => {
    it('is refused to a user who has twenty that are not finished', async () => {
      const id = await newUser();
      const boost = () =>
        post(id, { pointsSystem: 'xp', multiplier: 1, minutes: 60, reason: 'by hand' }, undefined, 'boost');
      for (let nth = 1; nth <= 20; nth++) expect((await boost()).status).toBe(201);
      const { status, json } = await boost();
      expect([status, json.code]).toEqual([422, 'too_many_boosts']);
      expect(await client.read(`/v1/users/${id}/points/xp/boosts?includeFinished=true`)).toHaveLength(20);
    });
  });

  describe('points by hand', () => {
    it('are one award with the trigger type grant, shown in the awards, and the level follows', async () => {
      const id = await newUser();
      const { eventId, points: given, achievements } = await grant(id, 'xp', 12);
      expect(eventId).toEqual(expect.any(String));
      expect(achievements).toEqual([]);
      expect(given).toMatchObject({
        xp: { total: 12, added: 12, level: { key: 'bronze' }, awards: [{ awarded: 12, trigger: { type: 'grant' } }] },
      });
      const { total, level, awards } = await points(id, 'xp');
      expect({ total, level, awards }).toMatchObject({ total: 12, level: { key: 'bronze' }, awards: given.xp.awards });
      expect(awards[0].trigger).toMatchObject({ id: awards[0].id, points: 12, created: awards[0].date });
      expect(await grant(id, 'xp', -3)).toMatchObject({ points: { xp: { total: 9, added: -3, level: null } } });
    });

    it('stay within the cap and above zero, and say what was left of them', async () => {
      const id = await newUser();
      expect((await grant(id, 'capped', 30)).points.capped).toMatchObject({ total: 25, added: 25 });
      expect((await grant(id, 'capped', 1)).points.capped).toMatchObject({ total: 25, added: 0, awards: [] });
      expect((await grant(id, 'capped', -40)).points.capped).toMatchObject({ total: 0, added: -25 });
      expect((await grant(id, 'capped', -1)).points.capped).toMatchObject({ total: 0, added: 0, awards: [] });
      expect((await points(id, 'capped')).awards.map(({ awarded }: Json) => awarded)).toEqual([-25, 25]);
    });

    it('count on the boards of their system, unless they are kept off them', async () => {
      const id = await newUser();
      const kept = await grant(id, 'xp', 8, { boards: false });
      expect([kept.points.xp.total, kept.leaderboards]).toEqual([8, {}]);
      const counted = await grant(id, 'xp', 5);
      expect(Object.keys(counted.leaderboards)).toEqual(['xp-monthly']);
      expect(counted.leaderboards['xp-monthly']).toMatchObject({ previousRank: null, rank: expect.any(Number) });
      expect((await client.read(`/v1/users/${id}/leaderboards/xp-monthly`)).value).toBe(5);
    });

    it('fire no trigger, and leave metrics and streak as they are', async () => {
      const id = newUserId();
      await client.record('lessons', id, 1);
      const before = await client.read(`/v1/users/${id}/streak`);
      const { points: given, currentStreak } = await grant(id, 'xp', 100);
      expect(given.xp).toMatchObject({ total: 110, added: 100, level: { key: 'silver' } });
      expect(currentStreak).toMatchObject({ length: before.length, extended: false });
      expect(await client.read(`/v1/users/${id}/streak`)).toEqual(before);
      expect((await client.record('lessons', id, 1)).points.xp).toMatchObject({ total: 120, added: 10 });
    });

    it('sent again with their key are a replay; the key is another for another user and for an event', async () => {
      const [id, other] = [await newUser(), await newUser()];
      const body = { pointsSystem: 'xp', amount: 7, reason: 'by hand' };
      const first = await post(id, body, 'ticket');
      expect([first.status, first.json.idempotentReplayed]).toEqual([201, false]);
      const again = await post(id, { ...body, amount: 9 }, 'ticket');
      expect(again).toMatchObject({
        status: 202,
        json: { eventId: first.json.eventId, idempotentReplayed: true, idempotencyKey: 'ticket' },
      });
      expect(again.json.points).toMatchObject({ xp: { total: 7, added: 0, awards: [] } });
      expect(Object.keys(again.json.leaderboards)).toEqual(['xp-monthly']);
      expect((await post(other, body, 'ticket')).status).toBe(201);
      expect((await points(id, 'xp')).total).toBe(7);
      const headers = { 'idempotency-key': 'ticket' };
      const event = { headers, body: { user: { id }, value: 1 } };
      expect((await client.send('POST', '/v1/metrics/lessons/event', event)).status).toBe(201);
    });

    it('take the former name of `pointsSystem`, and show both in the timeline', async () => {
      const id = await newUser();
      expect((await post(id, { system: 'xp', amount: 7, reason: 'by hand' })).status).toBe(201);
      const { json } = await client.send('GET', `/admin/v1/users/${id}/events`);
      expect(json.events[0]).toMatchObject({
        grant: { pointsSystem: 'xp', system: 'xp', amount: 7 },
        effects: { points: [{ type: 'PointsAwarded', pointsSystem: 'xp', system: 'xp' }] },
      });
    });

    it('name what is wrong with them, and are for users who are known', async () => {
      const id = await newUser();
      const refused = async (body: Json) => (await post(id, body)).json.errors.map(({ path }: Json) => path);
      expect(await refused({})).toEqual(['pointsSystem', 'amount', 'reason']);
      const whole = { pointsSystem: 'xp', amount: 1, reason: 'by hand' };
      for (const amount of [0, 0.5, 1e9 + 1, '1']) expect(await refused({ ...whole, amount })).toEqual(['amount']);
      expect(await refused({ ...whole, reason: '', boards: 1 })).toEqual(['boards', 'reason']);
      const { json } = await post(id, { ...whole, pointsSystem: 'xpp' });
      expect(json.errors).toEqual([
        { path: 'pointsSystem', message: "must be the key of a points system (did you mean 'xp'?)" },
      ]);
      expect(await post(newUserId(), whole)).toMatchObject({ status: 404, json: { code: 'unknown_user' } });
      expect((await points(id, 'xp')).awards).toEqual([]);
    });
  });

  describe('freezes by hand', () => {
    const freezes = (id: string, amount: unknown, key?: string) =>
      post(id, { amount, reason: 'by hand' }, key, 'freezes');

    it('are held up to the maximum, and a replay gives no more', async () => {
      const id = await newUser();
      const first = await freezes(id, 1, 'ticket');
      expect(first).toMatchObject({ status: 201, json: { currentStreak: { freezes: 2, maxFreezes: 3 }, points: {} } });
      const again = await freezes(id, 1, 'ticket');
      expect(again).toMatchObject({
        status: 202,
        json: { eventId: first.json.eventId, currentStreak: { freezes: 2 } },
      });
      expect((await freezes(id, 100)).json.currentStreak.freezes).toBe(3);
      expect((await client.read(`/v1/users/${id}/streak`)).freezes).toBe(3);
    });

    it('name what is wrong with them, and are for users who are known', async () => {
      const id = await newUser();
      for (const amount of [0, 101, 1.5, '1', null]) {
        const { status, json } = await freezes(id, amount);
        expect([status, json.errors.map(({ path }: Json) => path)]).toEqual([422, ['amount']]);
      }
      expect(await freezes(newUserId(), 1)).toMatchObject({ status: 404, json: { code: 'unknown_user' } });
    });
  });

  describe('a streak restored by hand', () => {
    const restore = (id: string, key?: string) => post(id, { reason: 'by hand' }, key, 'streak');
    const DAY_MS = 86_400_000;

    /** A streak of 2 periods that ended weeks ago. */
    const endedStreak = async (): Promise<string> => {
      const id = newUserId();
      const now = Date.now();
      const events = [30, 29].flatMap((days) =>
        ['lessons', 'reviews'].map((metric) => ({
          ...{ metric, user: { id }, value: 2 },
          timestamp: new Date(now - days * DAY_MS).toISOString(),
        })),
      );
      expect((await client.send('POST', '/admin/v1/metrics/events', { body: events })).status).toBe(200);
      expect((await client.send('POST', '/admin/v1/imports/finish', {})).status).toBe(200);
      expect((await client.read(`/v1/users/${id}/streak`)).length).toBe(0);
      return id;
    };

    it('has the length from before its end, fires no trigger, and counts on boards of streaks', async () => {
      const id = await endedStreak();
      const before = await points(id, 'xp');
      const { status, json } = await restore(id);
      expect(status).toBe(201);
      expect(json).toMatchObject({ currentStreak: { length: 2, extended: false }, points: {}, achievements: [] });
      expect(json.leaderboards).toMatchObject({ streaks: { rank: expect.any(Number) } });
      expect(await client.read(`/v1/users/${id}/streak`)).toMatchObject({ length: 2 });
      expect(await points(id, 'xp')).toEqual(before);
    });

    it('can be extended in the present period', async () => {
      const id = await endedStreak();
      await restore(id);
      await client.record('lessons', id, 1);
      const { currentStreak } = await client.record('reviews', id, 2);
      expect(currentStreak).toMatchObject({ length: 3, extended: true });
    });

    it('is restored once by one key, and a live one does not change', async () => {
      const id = await endedStreak();
      const first = await restore(id, 'ticket');
      const again = await restore(id, 'ticket');
      expect([first.status, again.status]).toEqual([201, 202]);
      expect(again.json).toMatchObject({ eventId: first.json.eventId, currentStreak: { length: 2 } });
      const alive = await restore(id);
      expect(alive).toMatchObject({ status: 201, json: { currentStreak: { length: 2 }, leaderboards: {} } });
      expect((await restore(newUserId())).status).toBe(404);
    });
  });

  describe('days excused by hand', () => {
    const DAY_MS = 86_400_000;
    const dateOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
    const excuse = (id: string, from: unknown, to: unknown, key?: string) =>
      post(id, { from, to, reason: 'by hand' }, key, 'excused');

    /** A streak of 2 periods that used its freeze three days after, and ended since. */
    const endedStreak = async (): Promise<string> => {
      const id = newUserId();
      const now = Date.now();
      const events = [30, 29].flatMap((days) =>
        ['lessons', 'reviews'].map((metric) => ({
          ...{ metric, user: { id, tz: 'UTC' }, value: 2 },
          timestamp: new Date(now - days * DAY_MS).toISOString(),
        })),
      );
      expect((await client.send('POST', '/admin/v1/metrics/events', { body: events })).status).toBe(200);
      expect((await client.send('POST', '/admin/v1/imports/finish', {})).status).toBe(200);
      return id;
    };

    it('give an ended streak its life back with its freeze, and boards of streaks follow', async () => {
      const id = await endedStreak();
      const before = await points(id, 'xp');
      const { status, json } = await excuse(id, dateOf(40), dateOf(0));
      expect(status).toBe(201);
      expect(json).toMatchObject({ currentStreak: { length: 2, extended: false }, points: {}, achievements: [] });
      expect(json.currentStreak.freezes).toBeGreaterThan(0);
      expect(json.leaderboards).toMatchObject({ streaks: { rank: expect.any(Number) } });
      const read = await client.read(`/v1/users/${id}/streak?historyPeriods=31`);
      expect(read.length).toBe(2);
      expect(read.streakHistory.map(({ usedFreeze }: Json) => usedFreeze)).not.toContain(true);
      expect(read.streakHistory.slice(-10, -1).map(({ length }: Json) => length)).toEqual(Array(9).fill(2));
      expect(await points(id, 'xp')).toEqual(before);
      await client.record('lessons', id, 1);
      expect((await client.record('reviews', id, 2)).currentStreak).toMatchObject({ length: 3, extended: true });
    });

    it('are excused once by one key', async () => {
      const id = await endedStreak();
      const first = await excuse(id, dateOf(40), dateOf(0), 'ticket');
      const again = await excuse(id, dateOf(40), dateOf(0), 'ticket');
      expect([first.status, again.status]).toEqual([201, 202]);
      expect(again.json).toMatchObject({ eventId: first.json.eventId, currentStreak: { length: 2 } });
    });

    it('name what is wrong with them, and are for users who are known', async () => {
      const id = await newUser();
      const wrong = async (from: unknown, to: unknown) => {
        const { status, json } = await excuse(id, from, to);
        return [status, ...json.errors.map(({ path }: Json) => path)];
      };
      expect(await wrong('2026-02-29', 5)).toEqual([422, 'from', 'to']);
      expect(await wrong('2026-03-02', '2026-03-01')).toEqual([422, 'to']);
      expect(await wrong('2024-01-01', '2025-01-01')).toEqual([422, 'to']);
      expect((await excuse(id, '2024-01-01', '2024-12-31')).status).toBe(201);
      expect((await excuse(newUserId(), '2024-01-01', '2024-01-01')).status).toBe(404);
    });
  });

  describe('an achievement by hand', () => {
    const give = (id: string, achievement: unknown, key?: string, kind = 'achievement') =>
      post(id, { achievement, reason: 'by hand' }, key, kind);
    const take = (id: string, achievement: unknown, key?: string) => give(id, achievement, key, 'revocation');
    const keysIn = (list: readonly Json[]) => list.map(({ key }) => key);
    const completed = async (id: string) => keysIn(await client.read(`/v1/users/${id}/achievements`));
    const countOf = async (key: string) =>
      (await client.read('/v1/achievements')).find((listed: Json) => listed.key === key).completions;

    it('is complete from now on, with what is made of it and the points for it', async () => {
      const id = await newUser();
      await give(id, 'profile');
      const before = await countOf('first-lesson');
      const first = await give(id, 'first-lesson');
      expect([first.status, keysIn(first.json.achievements)]).toEqual([201, ['first-lesson', 'settled', 'at-home']]);
      expect(first.json.points.xp).toMatchObject({
        ...{ total: 7, added: 7 },
        awards: [{ awarded: 7, trigger: { type: 'achievement' } }],
      });
      expect(await completed(id)).toEqual(['first-lesson', 'profile', 'settled', 'at-home']);
      expect(await countOf('first-lesson')).toBe(before + 1);
      const again = await give(id, 'first-lesson');
      expect([again.status, again.json.achievements]).toEqual([201, []]);
    });

    it('is taken back from the list and the count, and what it gave stays', async () => {
      const id = await newUser();
      await give(id, 'ten-lessons');
      const [count, before] = [await countOf('ten-lessons'), await points(id, 'xp')];
      expect(before.total).toBe(50);
      const { status, json } = await take(id, 'ten-lessons');
      expect([status, json.achievements]).toEqual([201, []]);
      expect(await completed(id)).toEqual([]);
      expect(await countOf('ten-lessons')).toBe(count - 1);
      expect(await points(id, 'xp')).toEqual(before);
      expect(keysIn((await client.record('lessons', id, 10)).achievements)).toContain('ten-lessons');
      expect(await countOf('ten-lessons')).toBe(count);
    });

    it('is given and taken once by one key each', async () => {
      const id = await newUser();
      const first = await give(id, 'first-lesson', 'ticket');
      const taken = await take(id, 'first-lesson', 'ticket');
      const again = await give(id, 'first-lesson', 'ticket');
      expect([first.status, taken.status, again.status]).toEqual([201, 201, 202]);
      expect(again.json).toMatchObject({ eventId: first.json.eventId, achievements: [] });
      expect(await completed(id)).toEqual([]);
    });

    it('names what is wrong with it, and is for users who are known', async () => {
      const id = await newUser();
      for (const achievement of [undefined, 1, 'first-lessons']) {
        const { status, json } = await give(id, achievement);
        expect([status, json.errors.map(({ path }: Json) => path)]).toEqual([422, ['achievement']]);
      }
      expect((await take(newUserId(), 'first-lesson')).status).toBe(404);
    });
  });

  describe('grants for many users', () => {
    const DAY_MS = 86_400_000;
    const send = (path: string, body: Json, key?: string) =>
      client.send('POST', `/admin/v1/${path}`, { body, ...(key && { headers: { 'idempotency-key': key } }) });
    const heldBy = async (id: string) => (await client.read(`/v1/users/${id}/streak`)).freezes;
    const lengthOf = async (id: string) => (await client.read(`/v1/users/${id}/streak`)).length;
    const unknownUser = (userId: string) => ({ userId, level: 'error', reason: expect.stringMatching(/no user/) });

    /** A streak of 1 period that ended weeks ago. */
    const endedStreaks = async (): Promise<readonly string[]> => {
      const ids = [newUserId(), newUserId()];
      const timestamp = new Date(Date.now() - 30 * DAY_MS).toISOString();
      const events = ids.flatMap((id) =>
        ['lessons', 'reviews'].map((metric) => ({ metric, user: { id, tz: 'UTC' }, value: 2, timestamp })),
      );
      expect((await client.send('POST', '/admin/v1/metrics/events', { body: events })).status).toBe(200);
      expect((await client.send('POST', '/admin/v1/imports/finish', {})).status).toBe(200);
      return ids;
    };
    const excused = () => {
      const dateOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
      return { kind: 'excused', from: dateOf(40), to: dateOf(0), reason: 'by hand' };
    };

    it('are refused while an import is open, and so is a grant for one; a replay stays a replay', async () => {
      const id = await newUser();
      const body = { system: 'xp', amount: 7, reason: 'by hand' };
      expect((await post(id, body, 'before')).status).toBe(201);
      const refused = {
        ...{ status: 422, json: { code: 'import_open' } },
        text: expect.stringMatching(/POST \/admin\/v1\/imports\/finish.* ten minutes/),
      };
      const asked: readonly (readonly [string, Json])[] = [
        ['grants', { ...excused(), users: [id] }],
        ['streaks/freezes', { freezes: [{ userId: id }], reason: 'by hand' }],
        ['streaks/restore', { users: [{ id }], reason: 'by hand' }],
        [`users/${id}/grants/points`, body],
      ];
      expect((await client.send('POST', '/admin/v1/imports', { body: {} })).status).toBe(201);
      for (const [path, given] of asked) expect(await send(path, given, 'ticket')).toMatchObject(refused);
      expect((await post(id, body, 'before')).status).toBe(202);
      expect((await points(id, 'xp')).total).toBe(7);
      expect((await client.send('POST', '/admin/v1/imports/finish', {})).status).toBe(200);
      for (const [path, given] of asked) expect((await send(path, given, 'ticket')).status).toBeLessThan(202);
    });

    it('give a freeze for each time that a user is named, and tell who is unknown', async () => {
      const [id, other, unknown] = [await newUser(), await newUser(), newUserId()];
      const freezes = [id, other, id, unknown].map((userId) => ({ userId }));
      const { status, json } = await send('streaks/freezes', { freezes }, 'ticket');
      expect([status, json]).toEqual([200, { issues: [unknownUser(unknown)] }]);
      expect([await heldBy(id), await heldBy(other)]).toEqual([3, 2]);
      await send('streaks/freezes', { freezes }, 'ticket');
      expect(await heldBy(other)).toBe(2);
    });

    it('restore streaks that have ended, and tell of those that have not', async () => {
      const [[id = '']] = [await endedStreaks()];
      const [alive, unknown] = [await newUser(), newUserId()];
      const users = [id, alive, unknown].map((user) => ({ id: user }));
      const { status, json } = await send('streaks/restore', { users }, 'restore');
      expect([status, json.restoredUsers]).toEqual([200, [id]]);
      expect(json.issues).toEqual([
        { userId: alive, level: 'warning', reason: expect.stringMatching(/no streak/) },
        unknownUser(unknown),
      ]);
      expect(await lengthOf(id)).toBe(1);
      const again = await send('streaks/restore', { users: [{ id }] }, 'restore');
      const reason = 'The key was used before for this user: nothing changed now.';
      expect(again.json).toEqual({ restoredUsers: [], issues: [{ userId: id, level: 'warning', reason }] });
    });

    it('refuse to go on behind what is no id', async () => {
      for (const after of ['\u0000', '\ud800', 'x'.repeat(256), '.']) {
        const { status, json } = await send('grants', { ...excused(), after }, 'everybody');
        expect([status, json.errors]).toEqual([
          422,
          [{ path: 'after', message: 'must be the id of a user, or empty' }],
        ]);
      }
    });

    it('excuse days of those named', async () => {
      const ids = await endedStreaks();
      const unknown = newUserId();
      const { status, json } = await send('grants', { ...excused(), users: [...ids, unknown] });
      expect([status, json]).toEqual([200, { recorded: 2, replayed: 0, issues: [unknownUser(unknown)], next: null }]);
      expect(await Promise.all(ids.map(lengthOf))).toEqual([1, 1]);
    });

    it('excuse days of everybody, a page at a time, and go on where they were broken off', async () => {
      const ids = await endedStreaks();
      const key = newUserId();
      const all = async () => {
        const sums = { recorded: 0, replayed: 0 };
        let after: string | null = null;
        do {
          const { status, json }: Json = await send('grants', { ...excused(), after }, key);
          expect([status, json.issues]).toEqual([200, []]);
          sums.recorded += json.recorded;
          sums.replayed += json.replayed;
          after = json.next;
        } while (after !== null);
        return sums;
      };
      const first = await all();
      expect(first.recorded).toBeGreaterThan(1);
      expect(await Promise.all(ids.map(lengthOf))).toEqual([1, 1]);
      const again = await all();
      expect(again.replayed).toBeGreaterThanOrEqual(first.recorded);
    });

    it('name what is wrong with them', async () => {
      const wrong = async (path: string, body: Json, key?: string) => {
        const { status, json } = await send(path, body, key);
        return [status, ...json.errors.map((error: Json) => error.path)];
      };
      expect(await wrong('streaks/freezes', {})).toEqual([422, 'freezes']);
      expect(await wrong('streaks/freezes', { freezes: [{}] })).toEqual([422, 'freezes.0.userId']);
      expect(await wrong('streaks/restore', { users: [] })).toEqual([422, 'users']);
      expect(await wrong('streaks/restore', { users: Array(101).fill({ id: 'a' }) })).toEqual([422, 'users']);
      expect(await wrong('grants', excused())).toEqual([422, 'Idempotency-Key']);
      expect(await wrong('grants', { ...excused(), users: ['a'], after: 'b' })).toEqual([422, 'after']);
      expect(await wrong('grants', { ...excused(), to: '2020-01-01', users: ['a'] })).toEqual([422, 'to']);
      expect(await wrong('grants', { ...excused(), kind: 'points', users: ['a'] })).toEqual([422, 'kind']);
    });
  });
}
