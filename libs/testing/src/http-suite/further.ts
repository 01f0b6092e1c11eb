import { afterAll, describe, expect, it } from '@jest/globals';
import { type Client, type Json, newUserId } from './client.ts';
import { expectFields } from './fields.ts';

/** Tests the routes of the specification, section 8, that write. */
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

    it('name everything that a completion by call caused: composites in any depth, points and leaderboards', async () => {
      const id = newUserId();
      const { achievements } = await client.record('lessons', id, 1);
      const complete = () => client.send('POST', '/v1/achievements/profile/complete', { body: { user: { id } } });
      const { status, json } = await complete();
      expect([status, json.achievement.key]).toEqual([201, 'profile']);
      expect(json.achievements).toMatchObject([
        {
          key: 'settled',
          achievedAt: json.achievement.achievedAt,
          achievementIds: [json.achievement.id, achievements[0].id],
        },
        { key: 'at-home', achievedAt: json.achievement.achievedAt },
      ]);
      expect(json.points).toMatchObject({
        xp: { total: 17, added: 7, awards: [{ trigger: { type: 'achievement' } }] },
      });
      expect(Object.keys(json.leaderboards)).toEqual(['xp-monthly']);
      expectFields(json.leaderboards['xp-monthly'], 'leaderboardEntry');
      expect(json.leaderboards['xp-monthly']).toMatchObject({
        previousRank: expect.any(Number),
        rank: expect.any(Number),
      });
      const again = await complete();
      expect(again).toMatchObject({ status: 202, json: { achievements: [], points: {}, leaderboards: {} } });
      expect(again.json.achievement).toEqual(json.achievement);
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
      expect((await client.send('PUT', '/v1/users/%00', { body: {} })).status).toBe(422);
      expect((await client.send('POST', '/v1/achievements/profile/complete', { body: { user: {} } })).status).toBe(422);
      expect((await client.send('GET', `/v1/users/${id}`)).status).toBe(404);
    });

    it('set a field of a user back with null, and go on with UTC', async () => {
      const id = newUserId();
      const path = `/v1/users/${id}`;
      const said = { name: 'Ada', email: 'ada@example.org', tz: 'Asia/Tokyo', subscribeToEmails: false };
      const sent = { body: { ...said, deviceTokens: ['token'] } };
      expect(await client.send('PUT', path, sent)).toMatchObject({ status: 200, json: said });
      expect((await client.send('PATCH', path, { body: { tz: null } })).json).toMatchObject({ ...said, tz: null });
      const nothing = { name: null, email: null, tz: null, subscribeToEmails: true };
      const removed = { body: { name: null, email: null, subscribeToEmails: null, attributes: null } };
      expect(await client.send('PUT', path, removed)).toMatchObject({ status: 200, json: nothing });
      expect(await client.read(path)).toMatchObject(nothing);
    });

    it('keep the notification preferences of a user by type, and refuse unknown channels', async () => {
      const id = newUserId();
      const path = `/v1/users/${id}/preferences`;
      expect((await client.send('PATCH', path, { body: {} })).status).toBe(404);
      expect((await client.send('GET', path)).status).toBe(404);
      await client.send('PUT', `/v1/users/${id}`, { body: {} });
      const all = ['email', 'push'];
      const said = { achievement_completed: all, recap: all, reactivation: all, streak_reminder: all };
      expect(await client.read(path)).toEqual({ notifications: said });
      const changes = { body: { notifications: { recap: [], streak_reminder: ['push'] } } };
      const changed = { notifications: { ...said, recap: [], streak_reminder: ['push'] } };
      expect(await client.send('PATCH', path, changes)).toMatchObject({ status: 200, json: changed });
      expect((await client.send('PATCH', path, { body: {} })).json).toEqual(changed);
      expect(await client.read(path)).toEqual(changed);
      for (const recap of [
        'email',
        ['sms'],
        ['email', 'email'],
        null,
        {},
        1,
        [['email']],
        new Array(9_999).fill('sms'),
      ])
        expect((await client.send('PATCH', path, { body: { notifications: { recap } } })).status).toBe(422);
      for (const notifications of [null, [], 'none', 1])
        expect((await client.send('PATCH', path, { body: { notifications } })).status).toBe(422);
      for (const body of [[], null, 'none']) expect((await client.send('PATCH', path, { body })).status).toBe(400);
      const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`type ${n}`.padEnd(99, 'x'), []]));
      for (const [body, at, named] of [
        [{ sms: [] }, '', 'must not have sms'],
        [{ notifications: { weekly: [], recap: [] }, a: 1 }, 'notifications', 'must not have weekly'],
        [{ notifications: many }, 'notifications', ' and 490 more'],
      ] as const) {
        const { status, json } = await client.send('PATCH', path, { body });
        expect([status, JSON.stringify(json).length < 3_000]).toEqual([422, true]);
        expect(json.errors).toContainEqual({ path: at, message: expect.stringContaining(named) });
      }
      expect(await client.read(path)).toEqual(changed);
    });

    it('leave a user as they were where an event or a completion says null', async () => {
      const id = newUserId();
      const said = { name: 'Ada', email: 'ada@example.org', tz: 'Asia/Tokyo', attributes: { plan: 'pro' } };
      await client.send('PUT', `/v1/users/${id}`, { body: { ...said, subscribeToEmails: false } });
      const user = { id, name: null, email: null, tz: null, attributes: null, subscribeToEmails: null };
      const event = { body: { user: { ...user, deviceTokens: null }, value: 1 } };
      expect((await client.send('POST', '/v1/metrics/lessons/event', event)).status).toBe(201);
      expect((await client.send('POST', '/v1/achievements/profile/complete', { body: { user } })).status).toBe(201);
      expect(await client.read(`/v1/users/${id}`)).toMatchObject({ ...said, subscribeToEmails: false });
    });

    it('answer the last value of whether a user wants e-mails, whichever route set it', async () => {
      const id = newUserId();
      const wants = async () => (await client.read(`/v1/users/${id}`)).subscribeToEmails;
      const event = (user: object) =>
        client.send('POST', '/v1/metrics/lessons/event', { body: { user: { id, ...user }, value: 1 } });
      await event({});
      expect(await wants()).toBe(true);
      await event({ subscribeToEmails: false, deviceTokens: ['a', 'b'] });
      expect(await wants()).toBe(false);
      await event({ name: 'Ada' });
      expect(await wants()).toBe(false);
      const answer = await client.send('POST', '/v1/users', { body: { id, subscribeToEmails: true } });
      expect(answer).toMatchObject({ status: 200, json: { subscribeToEmails: true } });
      expectFields(answer.json, 'user');
      expect(await wants()).toBe(true);
    });

    it('never let a user have more than 50 attributes, whichever route sets them', async () => {
      const id = newUserId();
      const attributes = (from: number, count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${from + n}`, 'v'.repeat(1_000)]));
      const event = (from: number, count: number, key?: string) => ({
        body: { user: { id, attributes: attributes(from, count) }, value: 1 },
        ...(key !== undefined && { headers: { 'idempotency-key': key } }),
      });
      const record = (...request: Parameters<typeof event>) =>
        client.send('POST', '/v1/metrics/lessons/event', event(...request));
      expect((await record(0, 50, 'first')).status).toBe(201);
      for (let request = 1; request < 60; request++) {
        const refused = await record(50 * request, 50);
        expect([refused.status, refused.json.errors]).toEqual([
          422,
          [{ path: 'user.attributes', message: 'would give the user more than 50 attributes' }],
        ]);
      }
      expect(await record(3_000, 50, 'first')).toMatchObject({ status: 202, json: { total: 1 } });
      const one = { attributes: attributes(50, 1) };
      const user = { id, ...one };
      const refusals = await Promise.all([
        client.send('POST', '/v1/users', { body: user }),
        client.send('PUT', `/v1/users/${id}`, { body: one }),
        client.send('PATCH', `/v1/users/${id}`, { body: one }),
      ]);
      for (const { status, json } of refusals) expect([status, json.errors[0].path]).toEqual([422, 'attributes']);
      const complete = await client.send('POST', '/v1/achievements/profile/complete', { body: { user } });
      expect([complete.status, complete.json.errors[0].path]).toEqual([422, 'user.attributes']);
      const batch = await client.send('POST', '/admin/v1/metrics/events', {
        body: [
          { metric: 'lessons', user, value: 1 },
          { metric: 'lessons', user: { id }, value: 1 },
        ],
      });
      expect(batch.json).toMatchObject({
        accepted: 1,
        results: [
          { status: 422, error: 'user.attributes would give the user more than 50 attributes.' },
          { status: 201 },
        ],
      });
      const swap = { attributes: { k0: null, ...one.attributes } };
      expect((await client.send('PATCH', `/v1/users/${id}`, { body: swap })).status).toBe(200);
      const stored = await client.read(`/v1/users/${id}`);
      expect(Object.keys(stored.attributes).sort()).toEqual(Object.keys(attributes(1, 50)).sort());
    });

    it('identify a user without making a period current or beginning a streak', async () => {
      const id = newUserId();
      await client.send('PUT', `/v1/users/${id}`, { body: { tz: 'Pacific/Kiritimati' } });
      expect(await client.read(`/v1/users/${id}/streak`)).toMatchObject({ length: 0, started: null });
      expect((await client.read(`/v1/users/${id}/points/energy`)).total).toBe(20);
    });
  });
}

/** Tests the routes of the specification, section 8, that summarize many events or users. */
export function describeFurtherSummaries(client: Client): void {
  describe('the summary of a user’s metric', () => {
    afterAll(() => client.send('POST', '/admin/v1/imports/finish'));

    const WORDS: readonly (readonly [timestamp: string, value: number])[] = [
      ['2020-03-30T12:00:00Z', 0.1],
      // It is already 1 April in Tokyo.
      ['2020-03-31T20:00:00Z', 0.2],
      ['2020-04-08T12:00:00Z', -1.5],
      ['2020-03-30T12:00:00Z', 10],
    ];

    async function imported(): Promise<string> {
      const user = { id: newUserId(), tz: 'Asia/Tokyo' };
      const { json } = await client.batch(
        WORDS.map(([timestamp, value]) => ({ metric: 'words', user, value, timestamp })),
      );
      expect(json.accepted).toBe(WORDS.length);
      // A batch reports what is recorded; ending the import waits until reads show it.
      await client.send('POST', '/admin/v1/imports/finish');
      return `/v1/users/${user.id}/metrics/words/event-summary`;
    }

    const asked = (aggregation: string, from: string, to: string) =>
      `?aggregation=${aggregation}&start_date=${from}&end_date=${to}`;

    it('has today’s events', async () => {
      const id = newUserId();
      const { currentStreak } = await client.record('words', id, 2.5);
      const day = currentStreak.periodStart;
      const summary = await client.read(`/v1/users/${id}/metrics/words/event-summary${asked('daily', day, day)}`);
      expect(summary).toEqual([{ date: day, total: 2.5, change: 2.5 }]);
      expectFields(summary[0], 'summaryElement');
    });

    it('puts each event on its date by the user’s clock, late ones too, and is exact', async () => {
      const { text, json } = await client.send('GET', (await imported()) + asked('daily', '2020-03-30', '2020-04-02'));
      expect(json).toEqual([
        { date: '2020-03-30', total: 10.1, change: 10.1 },
        { date: '2020-03-31', total: 10.1, change: 0 },
        { date: '2020-04-01', total: 10.3, change: 0.2 },
        { date: '2020-04-02', total: 10.3, change: 0 },
      ]);
      expect(text).toContain('"total":10.3,');
    });

    it('agrees by day, week and month, and with either spelling of the dates', async () => {
      const summary = await imported();
      expect(await client.read(summary + asked('weekly', '2020-03-31', '2020-04-12'))).toEqual([
        { date: '2020-03-31', total: 10.3, change: 0.2 },
        { date: '2020-04-06', total: 8.8, change: -1.5 },
      ]);
      const monthly = await client.read(summary + asked('monthly', '2020-02-10', '2020-04-30'));
      expect(monthly).toEqual([
        { date: '2020-02-10', total: 0, change: 0 },
        { date: '2020-03-01', total: 10.1, change: 10.1 },
        { date: '2020-04-01', total: 8.8, change: -1.3 },
      ]);
      expect(await client.read(`${summary}?aggregation=monthly&startDate=2020-02-10&endDate=2020-04-30`)).toEqual(
        monthly,
      );
    });

    it('is refused for an unknown user or metric, and without good parameters', async () => {
      const refused = async (path: string) => {
        const { status, json } = await client.send('GET', path);
        return [status, json.code, ...(json.errors ?? []).map((item: Json) => item.path)];
      };
      const summary = await imported();
      expect(await refused(`/v1/users/${newUserId()}/metrics/words/event-summary`)).toEqual([404, 'unknown_user']);
      expect(await refused(summary.replace('words', 'unknown'))).toEqual([404, 'unknown_metric']);
      expect(await refused(summary)).toEqual([422, 'invalid_request', 'aggregation', 'start_date', 'end_date']);
      expect(await refused(summary + asked('daily', '2020-01-01', '2021-02-04'))).toEqual([
        422,
        'invalid_request',
        'end_date',
      ]);
      expect(await client.read(summary + asked('daily', '2020-01-01', '2021-02-03'))).toHaveLength(400);
    });
  });

  describe('the users of a points system', () => {
    const sum = (rows: Json[]): number => rows.reduce((users, row) => users + row.users, 0);
    const levels = (): Promise<Json[]> => client.read('/v1/points/xp/level-summary');
    const ranges = (system: string): Promise<Json[]> => client.read(`/v1/points/${system}/summary`);

    it('are counted at their present level, and below all at none', async () => {
      const before = await levels();
      await client.record('reviews', newUserId(), 1);
      await client.record('lessons', newUserId(), 1);
      await client.record('lessons', newUserId(), 10);
      const after = await levels();
      for (const row of after) expectFields(row, 'levelSummary');
      expectFields(after[0].level, 'level');
      expect(after.map(({ level }) => level.key)).toEqual(['bronze', 'silver']);
      expect(after.map(({ users }) => users)).toEqual(before.map(({ users }) => users + 1));
    });

    it('are counted in eleven ranges: 0, and ten equal ones up to a power of ten', async () => {
      await client.record('lessons', newUserId(), 10);
      const found = await ranges('xp');
      for (const range of found) expectFields(range, 'pointsRange');
      expect(found).toHaveLength(11);
      expect(found[0]).toMatchObject({ from: 0, to: 0 });
      const width = found[1].to;
      expect(String(width)).toMatch(/^10*$/);
      found.forEach(({ to }, place) => expect(to).toBe(place * width));
      found.slice(1).forEach(({ from }, place) => expect(from).toBe(found[place].to + 1));
      expect(sum(found.slice(-9))).toBeGreaterThan(0);
    });

    it('are counted in the range of their total; users without points in the range of 0', async () => {
      const before = await ranges('capped');
      await client.send('PUT', `/v1/users/${newUserId()}`, { body: {} });
      await client.record('words', newUserId(), 25);
      const after = await ranges('capped');
      expect(after[0].users).toBe(before[0].users + 1);
      expect(sum(after)).toBe(sum(before) + 2);
      expect(after.find(({ from, to }) => from <= 20 && 20 <= to).users).toBeGreaterThan(0);
    });

    it('are refused of an unknown system, and by level of one without levels', async () => {
      expect((await client.send('GET', '/v1/points/energy/level-summary')).status).toBe(422);
      expect((await client.send('GET', '/v1/points/unknown/level-summary')).status).toBe(404);
      expect((await client.send('GET', '/v1/points/unknown/summary')).status).toBe(404);
    });
  });
}
