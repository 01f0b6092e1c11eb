import type { Clock } from '@laurel/ports';
import type {
  AuditPage,
  CorrectionAnswer,
  CorrectionPreviewAnswer,
  EventAnswer,
  ExplainedEventAnswer,
  GrantAnswer,
  Problem,
  UserPage,
  UserTimeline,
} from '@laurel/schemas';
import { parseDocument } from '@laurel/configuration';
import type { TestDatabase } from '@laurel/testing/database';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { askOf } from './testing/ask.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const BEGINNING = Date.parse('2026-03-02T20:00:00Z');

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }, { key: minutes, name: Minutes }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }] }
achievements: [{ key: five, name: Five, trigger: { type: metric, metric: lessons, value: 5 } }]
points:
  - key: xp
    name: XP
    triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }]
    levels: [{ key: low, name: Low, points: 10 }, { key: high, name: High, points: 60 }]
  - key: energy
    name: Energy
    triggers: [{ type: time, unit: hour, interval: 1, points: 1 }]
leaderboards:
  - { key: board, name: Board, rankBy: metric, metric: lessons, start: 2026-01-01 }
  - { key: daily, name: Daily, rankBy: metric, metric: minutes, start: 2025-11-01, runUnit: day, runInterval: 1 }
`;

interface Change {
  readonly eventId: string;
  readonly retract?: true;
  readonly value?: number;
  readonly occurredAt?: string;
  readonly tz?: string;
}

describe('corrections over HTTP', () => {
  let now: number;
  const clock: Clock = { now: () => now, elapsedMs: () => 0, after: () => () => undefined };
  let database: TestDatabase;
  let served: Served;
  beforeEach(async () => {
    now = BEGINNING;
    database = await openServiceDatabase();
    served = await serveInProcess(database.connection, CONFIGURATION, clock);
  });
  afterEach(async () => {
    await served.close();
    await database.close();
  });

  const ask = askOf(() => served);

  async function record(id: string, value: number, key?: string): Promise<EventAnswer> {
    const { answer } = await ask<EventAnswer>('/v1/metrics/lessons/event', { user: { id }, value }, key);
    return answer;
  }

  const preview = (corrections: readonly Change[], options: object = {}) =>
    ask<CorrectionPreviewAnswer & Problem>('/admin/v1/corrections/previews', { corrections, ...options });

  const order = (corrections: readonly Change[], id: string, options: object = {}, key?: string) =>
    ask<CorrectionAnswer & Problem>(
      '/admin/v1/corrections',
      { corrections, preview: id, reason: 'sent twice', ...options },
      key,
    );

  /** @returns the ids of the events that correct */
  async function correct(corrections: readonly Change[], options: object = {}): Promise<readonly string[]> {
    const { answer } = await preview(corrections, options);
    const { status, answer: corrected } = await order(corrections, answer.id, options);
    expect({ status, corrected }).toMatchObject({ status: 201 });
    return corrected.corrections.map(({ eventId }) => eventId);
  }

  /** The user in all reads. */
  async function stateOf(id: string): Promise<unknown> {
    const paths = ['metrics/lessons', 'points/xp?awards=1', 'streak', 'achievements', 'leaderboards/board'];
    const [total, points, streak, achievements, board] = await Promise.all(
      paths.map(async (path) => (await ask<Record<string, unknown>>(`/v1/users/${id}/${path}`)).answer),
    );
    const { length } = streak as { length: unknown };
    return {
      ...{ total: total?.['current'], points: points?.['total'], level: (points?.['level'] as { key: string })?.key },
      ...{ length, completed: (achievements as unknown as { key: string }[]).map(({ key }) => key) },
      rank: board?.['rank'],
    };
  }

  it('restore the state before a retracted event, as previewed', async () => {
    await record('bea', 4);
    const before = await record('ada', 3);
    const state = await stateOf('ada');
    const { eventId } = await record('ada', 4);
    expect(await stateOf('ada')).not.toEqual(state);
    const { status, answer } = await preview([{ eventId, retract: true }]);
    expect({ status, answer }).toMatchObject({
      status: 200,
      answer: {
        users: [
          {
            ...{ userId: 'ada', events: 1 },
            metrics: [{ metric: 'lessons', before: 7, after: 3 }],
            points: [{ system: 'xp', before: { total: 70, level: 'high' }, after: { total: 30, level: 'low' } }],
            achievements: [{ achievement: 'five', change: 'revoked' }],
            streak: { before: { length: 1 }, after: { length: 1 } },
            runs: [{ board: 'board', start: '2026-01-01', final: false, before: 7, after: 3 }],
          },
        ],
      },
    });
    expect(before.eventId).not.toBe(eventId);
    expect((await order([{ eventId, retract: true }], answer.id)).status).toBe(201);
    expect(await stateOf('ada')).toEqual(state);
  });

  it('count an event and later ones in the amended time zone', async () => {
    const lesson = { user: { id: 'ada', tz: 'America/New_York' }, value: 1 };
    const { eventId } = (await ask<EventAnswer>('/v1/metrics/lessons/event', lesson)).answer;
    now += 86_400_000;
    await record('ada', 1);
    const streak = async () => (await ask<{ readonly started: string }>('/v1/users/ada/streak')).answer.started;
    expect(await streak()).toBe('2026-03-02');
    const [correction] = await correct([{ eventId, tz: 'Pacific/Kiritimati' }]);
    expect(await streak()).toBe('2026-03-03');
    expect((await ask('/v1/users/ada')).answer).toMatchObject({ tz: 'Pacific/Kiritimati' });
    expect((await ask(`/admin/v1/events/${eventId}`)).answer).toMatchObject({
      corrected: { tz: { original: 'America/New_York', present: 'Pacific/Kiritimati' } },
    });
    expect((await ask(`/admin/v1/events/${correction}`)).answer).toMatchObject({ type: 'CorrectionRecorded' });
    await correct([{ eventId: correction as string, retract: true }]);
    expect(await streak()).toBe('2026-03-02');
    expect(await preview([{ eventId, tz: 'Europe/Berln' }])).toMatchObject({
      ...{
        status: 422,
        answer: { errors: [{ path: 'corrections.0.tz', message: expect.stringContaining('Berlin') }] },
      },
    });
  });

  /** The findings of a full verification. */
  async function found(): Promise<readonly string[]> {
    type Verification = {
      readonly id: string;
      readonly state: string;
      readonly findings: readonly { message: string }[];
    };
    const { id } = (await ask<Verification>('/admin/v1/verifications?full=true', {})).answer;
    for (;;) {
      const { answer } = await ask<Verification>(`/admin/v1/verifications/${id}`);
      if (answer.state === 'done') return answer.findings.map(({ message }) => message);
      if (answer.state !== 'running') throw new Error(JSON.stringify(answer));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  it('move an event that was reported late, and the streak of that day goes on', async () => {
    const day = 86_400_000;
    await record('ada', 1);
    now += 2 * day;
    await served.service.engine.sweep();
    await record('ada', 1);
    now += 60_000;
    const { eventId } = await record('ada', 1);
    now += day;
    await record('ada', 1);
    expect(await stateOf('ada')).toMatchObject({ length: 2 });
    const [correction] = await correct([{ eventId, occurredAt: '2026-03-03T20:00:00Z' }]);
    expect(await stateOf('ada')).toMatchObject({ total: 4, length: 4 });
    now += day;
    await record('ada', 1);
    expect(await stateOf('ada')).toMatchObject({ total: 5, length: 5 });
    await correct([{ eventId: correction as string, retract: true }]);
    expect(await stateOf('ada')).toMatchObject({ total: 5, length: 3 });
  });

  it('may leave a user without any event, who stays known until the next one', async () => {
    const { eventId } = await record('ada', 6);
    const [correction] = await correct([{ eventId, retract: true }]);
    now += 86_400_000;
    const nothing = { total: 0, points: 0, length: 0, completed: [], rank: null };
    expect(await stateOf('ada')).toMatchObject(nothing);
    const energy = async () => (await ask<{ readonly total: number }>('/v1/users/ada/points/energy')).answer.total;
    const users = async () => (await ask<UserPage>('/admin/v1/users')).answer.users.map(({ id }) => id);
    expect([await energy(), await users()]).toEqual([0, ['ada']]);
    const { answer: xp } = await ask<{ readonly awards: readonly { readonly awarded: number }[] }>(
      '/v1/users/ada/points/xp',
    );
    expect(xp.awards.map(({ awarded }) => awarded)).toEqual([-60, 60]);
    expect(await found()).toEqual([]);
    await ask('/admin/v1/users/ada/grants/points', { system: 'xp', amount: 5, reason: 'a prize' });
    now += 3_600_000;
    await record('bea', 1);
    expect(await stateOf('ada')).toMatchObject({ ...nothing, points: 5 });
    expect(await energy()).toBe(1);
    expect(await found()).toEqual([]);
    const rarity = (await ask<readonly { readonly rarity: number }[]>('/v1/achievements')).answer.map(
      (one) => one.rarity,
    );
    expect(rarity).toEqual([0]);
    await correct([{ eventId: correction as string, retract: true }]);
    expect(await stateOf('ada')).toMatchObject({ total: 6, points: 65, completed: ['five'] });
    const after = (await ask<readonly { readonly rarity: number }[]>('/v1/achievements')).answer.map(
      (one) => one.rarity,
    );
    expect(after).toEqual([50]);
    expect(await found()).toEqual([]);
  });

  it('are refused when they move an event to a time when its metric is not configured', async () => {
    const { answer } = await ask<EventAnswer>('/v1/metrics/minutes/event', { user: { id: 'ada' }, value: 1 });
    const daily = CONFIGURATION.split('\n').filter((line) => !line.includes('key: daily'));
    const text = daily.join('\n').replace(', { key: minutes, name: Minutes }', '');
    await served.service.engine.publishConfiguration('default', parseDocument(text, 'test').document);
    now += 3_600_000;
    await record('ada', 1);
    const earlier = [{ eventId: answer.eventId, occurredAt: '2026-03-02T19:00:00Z' }];
    expect(await preview(earlier)).toMatchObject({
      status: 422,
      answer: {
        code: 'invalid_request',
        errors: [{ path: 'corrections.0.occurredAt', message: expect.stringContaining('no such metric') }],
      },
    });
    expect((await preview([{ eventId: answer.eventId, value: 2 }])).status).toBe(200);
  });

  it('count a moved event under its own version once the later event is retracted', async () => {
    const post = async (metric: string) =>
      (await ask<EventAnswer>(`/v1/metrics/${metric}/event`, { user: { id: 'ada' }, value: 1 })).answer.eventId;
    const behind = await post('lessons');
    now += 3_600_000;
    const moved = await post('minutes');
    await correct([{ eventId: moved, occurredAt: new Date(now - 2 * 3_600_000).toISOString() }]);
    const daily = CONFIGURATION.split('\n').filter((line) => !line.includes('key: daily'));
    const text = daily.join('\n').replace(', { key: minutes, name: Minutes }', '');
    await served.service.engine.publishConfiguration('default', parseDocument(text, 'test').document);
    now += 3_600_000;
    await post('lessons');
    expect((await preview([{ eventId: behind, retract: true }])).status).toBe(200);
    await correct([{ eventId: behind, retract: true }]);
    expect(await found()).toEqual([]);
  });

  it('preview only what changes, and which final runs stay', async () => {
    const event = (day: number) => ({
      ...{ metric: 'minutes', user: { id: 'ada' }, value: 5, timestamp: `2026-02-0${day}T12:00:00Z` },
    });
    await record('ada', 1);
    const { answer } = await ask<{ readonly results: readonly EventAnswer[] }>('/admin/v1/metrics/events', [event(1)]);
    expect((await ask('/admin/v1/imports/finish', {})).status).toBe(200);
    const moved = [{ eventId: answer.results[0]?.eventId as string, occurredAt: '2026-02-02T12:00:00Z' }];
    const runsWith = async (finalRuns: string) => (await preview(moved, { finalRuns })).answer.users[0];
    const runs = (stays: boolean) => [
      { board: 'daily', start: '2026-02-01', final: true, stays, before: 5, after: null },
      { board: 'daily', start: '2026-02-02', final: true, stays, before: null, after: 5 },
    ];
    expect(await runsWith('keep')).toMatchObject({ metrics: [], achievements: [], runs: runs(true) });
    expect(await runsWith('change')).toMatchObject({ metrics: [], achievements: [], runs: runs(false) });
  });

  it('amend an event, and can be retracted', async () => {
    const { eventId } = await record('ada', 2);
    now += 86_400_000;
    await record('ada', 1);
    const state = await stateOf('ada');
    const [correction] = await correct([{ eventId, value: 6, occurredAt: '2026-03-02T19:00:00Z' }]);
    expect(await stateOf('ada')).toMatchObject({ total: 7, points: 70, completed: ['five'] });
    await correct([{ eventId: correction as string, retract: true }]);
    expect(await stateOf('ada')).toEqual(state);
  });

  it('leave the key of a retracted event used: a retry answers 202 with the original id', async () => {
    const { eventId } = await record('ada', 2, 'k');
    await record('ada', 1);
    const [retraction] = await correct([{ eventId, retract: true }]);
    const retry = () => ask<EventAnswer>('/v1/metrics/lessons/event', { user: { id: 'ada' }, value: 2 }, 'k');
    expect(await retry()).toMatchObject({ status: 202, answer: { eventId, retracted: true, total: 1 } });
    await correct([{ eventId: retraction as string, retract: true }]);
    const { answer } = await retry();
    expect(answer).toMatchObject({ eventId, total: 3 });
    expect(answer).not.toHaveProperty('retracted');
  });

  it('leave the key of a retracted grant used: a retry says that the grant is retracted', async () => {
    await record('ada', 1);
    const grant = () =>
      ask<GrantAnswer>('/admin/v1/users/ada/grants/points', { system: 'xp', amount: 7, reason: 'a prize' }, 'k');
    const { eventId } = (await grant()).answer;
    expect((await grant()).answer).not.toHaveProperty('retracted');
    const [retraction] = await correct([{ eventId, retract: true }]);
    expect(await grant()).toMatchObject({ status: 202, answer: { eventId, retracted: true } });
    await correct([{ eventId: retraction as string, retract: true }]);
    expect((await grant()).answer).not.toHaveProperty('retracted');
  });

  it('require a preview of the same request, made after the last correction of the user', async () => {
    const [first, second] = [await record('ada', 1), await record('ada', 2)];
    await record('ada', 3);
    const asked = [{ eventId: first.eventId, retract: true as const }];
    const { answer } = await preview(asked);
    expect(await order([{ eventId: second.eventId, retract: true }], answer.id)).toMatchObject({
      status: 422,
      answer: { code: 'stale_preview' },
    });
    await served.close();
    served = await serveInProcess(database.connection, CONFIGURATION, clock);
    expect((await preview(asked)).answer.id).toBe(answer.id);
    await record('ada', 1);
    await correct([{ eventId: second.eventId, value: 5 }]);
    expect(await order(asked, answer.id)).toMatchObject({ status: 422, answer: { code: 'stale_preview' } });
  });

  it('change nothing when they are sent again with their key', async () => {
    const [ada, bea] = [await record('ada', 1), await record('bea', 2)];
    await record('ada', 3);
    await record('bea', 4);
    const asked = [ada, bea].map(({ eventId }) => ({ eventId, retract: true as const }));
    const { answer } = await preview(asked);
    const first = await order(asked, answer.id, {}, 'ticket');
    expect(first).toMatchObject({ status: 201, answer: { idempotentReplayed: false } });
    expect(first.answer.corrections.map(({ userId }) => userId)).toEqual(['ada', 'bea']);
    const head = (await ask<AuditPage>('/admin/v1/audit?limit=1')).answer.entries;
    const again = await order(asked, answer.id, {}, 'ticket');
    expect(again).toMatchObject({ status: 202, answer: { idempotentReplayed: true } });
    expect(again.answer.corrections).toEqual(first.answer.corrections);
    expect((await ask<AuditPage>('/admin/v1/audit?limit=1')).answer.entries).toEqual(head);
  });

  it('accept a quoted key as the same key, unless the quoted form was used before', async () => {
    const { eventId } = await record('ada', 1);
    await record('ada', 3);
    const asked = [{ eventId, retract: true as const }];
    const { id } = (await preview(asked)).answer;
    const first = await order(asked, id, {}, '"ticket"');
    expect(first).toMatchObject({ status: 201, answer: { idempotentReplayed: false } });
    for (const key of ['ticket', '"ticket"'])
      expect(await order(asked, id, {}, key)).toMatchObject({
        status: 202,
        answer: { corrections: first.answer.corrections },
      });

    const back = [{ eventId: first.answer.corrections[0]?.eventId ?? '', retract: true as const }];
    const again = (await preview(back)).answer;
    const withQuotes = await order(back, again.id, {}, String.raw`"\"other\""`);
    expect(withQuotes).toMatchObject({ status: 201 });
    expect(await order(back, again.id, {}, '"other"')).toMatchObject({
      status: 202,
      answer: { corrections: withQuotes.answer.corrections },
    });
  });

  it('name which users are corrected and which are not when a request fails halfway', async () => {
    const [ada, bea] = [await record('ada', 1), await record('bea', 2)];
    await record('ada', 3);
    await record('bea', 4);
    const [first, both] = [[ada], [ada, bea]].map((events) =>
      events.map(({ eventId }) => ({ eventId, retract: true as const })),
    ) as [Change[], Change[]];
    const { answer: made } = await order(first, (await preview(first)).answer.id, {}, 'ticket');
    expect(await order(both, (await preview(both)).answer.id, {}, 'ticket')).toMatchObject({
      status: 422,
      answer: {
        code: 'stale_preview',
        detail: expect.stringContaining('1 of 2 users is corrected already.'),
        corrected: made.corrections,
        uncorrected: ['bea'],
      },
    });
  });

  it('accept up to 1,000 events at once', async () => {
    await record('ada', 1);
    const items = Array.from({ length: 1_000 }, () => ({ metric: 'lessons', user: { id: 'ada' }, value: 1 }));
    const { answer } = await ask<{ readonly results: readonly EventAnswer[] }>('/admin/v1/metrics/events', items);
    const asked = answer.results.map(({ eventId }) => ({ eventId, value: 2, occurredAt: '2026-03-02T19:00:00.000Z' }));
    expect(JSON.stringify(asked).length).toBeGreaterThan(64 * 1024);
    await correct(asked);
    expect(await stateOf('ada')).toMatchObject({ total: 2_001 });
    const one = asked[0] as Change;
    expect(await preview([...asked, one])).toMatchObject({ status: 422, answer: { code: 'invalid_request' } });
  });

  it('are refused when a new time would owe the user too many time awards', async () => {
    const { eventId } = await record('ada', 1);
    await record('ada', 1);
    const since = (occurredAt: string) => [{ eventId, occurredAt }];
    const wrong = {
      status: 422,
      answer: {
        code: 'invalid_request',
        errors: [{ path: 'corrections.0.occurredAt', message: expect.stringMatching(/492.* time awards/) }],
      },
    };
    expect(await preview(since('1970-01-01T00:00:00Z'))).toMatchObject(wrong);
    const [second] = await correct(since('2025-03-02T20:00:00Z'));
    expect((await ask<{ total: number }>('/v1/users/ada/points/energy')).answer.total).toBe(365 * 24);
    await correct([{ eventId: second as string, retract: true }]);
    expect((await ask<{ total: number }>('/v1/users/ada/points/energy')).answer.total).toBe(0);
  });

  it('are refused when they change too many final runs', async () => {
    const items = Array.from({ length: 101 }, (_, day) => ({
      ...{ metric: 'minutes', user: { id: 'ada' }, value: 1 },
      timestamp: new Date(Date.parse('2025-11-01T12:00:00Z') + day * 86_400_000).toISOString(),
    }));
    const { answer } = await ask<{ readonly results: readonly EventAnswer[] }>('/admin/v1/metrics/events', items);
    expect((await ask('/admin/v1/imports/finish', {})).status).toBe(200);
    const asked = answer.results.map(({ eventId }) => ({ eventId, value: 2 }));
    const change = { finalRuns: 'change' };
    expect(await preview(asked, change)).toMatchObject({
      ...{ status: 422, answer: { code: 'invalid_request', errors: [{ path: 'finalRuns' }] } },
    });
    expect((await preview(asked)).status).toBe(200);
    await correct(asked.slice(1), change);
    const board = await ask<{ readonly rankings: readonly unknown[] }>('/v1/leaderboards/daily?run=2025-11-02');
    expect(board.answer.rankings).toMatchObject([{ userId: 'ada', value: 2 }]);
  });

  it('are refused when earlier corrections have left too many final runs to them', async () => {
    const items = Array.from({ length: 102 }, (_, day) => ({
      ...{ metric: 'minutes', user: { id: 'ada' }, value: 1 },
      timestamp: new Date(Date.parse('2025-11-01T12:00:00Z') + day * 86_400_000).toISOString(),
    }));
    const { answer } = await ask<{ readonly results: readonly EventAnswer[] }>('/admin/v1/metrics/events', items);
    expect((await ask('/admin/v1/imports/finish', {})).status).toBe(200);
    const [first, ...others] = answer.results.map(({ eventId }) => ({ eventId, value: 2 })) as [Change, ...Change[]];
    const [left] = await correct(others);
    const change = { finalRuns: 'change' };
    expect(await preview([first], change)).toMatchObject({
      ...{ status: 422, answer: { code: 'invalid_request', errors: [{ path: 'finalRuns' }] } },
    });
    await correct([{ eventId: left as string, retract: true }]);
    await correct([first], change);
    const board = await ask<{ readonly rankings: readonly unknown[] }>('/v1/leaderboards/daily?run=2025-11-01');
    expect(board.answer.rankings).toMatchObject([{ userId: 'ada', value: 2 }]);
  });

  it('appear with author and reason in the timeline, in the audit and by their id', async () => {
    const { eventId } = await record('ada', 4);
    await record('ada', 2);
    const [correction] = await correct([{ eventId, value: 1 }], { achievements: 'keep' });
    const shown = { count: 1, events: [{ eventId, value: 1 }], achievements: 'keep', finalRuns: 'keep' };
    const { answer: timeline } = await ask<UserTimeline>('/admin/v1/users/ada/events');
    expect(timeline.events.find(({ id }) => id === correction)).toMatchObject({
      ...{ type: 'CorrectionRecorded', correction: shown, by: 'environment', reason: 'sent twice' },
      effects: { points: [{ type: 'PointsAwarded', system: 'xp', awarded: -30, total: 30 }, {}] },
    });
    const { answer: audit } = await ask<AuditPage>('/admin/v1/audit?limit=1');
    expect(audit.entries).toMatchObject([
      { id: correction, type: 'CorrectionRecorded', userId: 'ada', reason: 'sent twice', details: { count: 1 } },
    ]);
    expect((await ask(`/admin/v1/events/${correction}`)).answer).toMatchObject({
      type: 'CorrectionRecorded',
      userId: 'ada',
    });
  });

  it('appear beside the corrected event, with the recorded and the counting values', async () => {
    const { eventId } = await record('ada', 4);
    await record('ada', 2);
    const shown = async () => {
      const { answer } = await ask<ExplainedEventAnswer>(`/admin/v1/events/${eventId}`);
      const { answer: timeline } = await ask<UserTimeline>('/admin/v1/users/ada/events');
      expect(timeline.events.find(({ id }) => id === eventId)?.corrected).toEqual(answer.corrected);
      return answer.corrected;
    };
    expect(await shown()).toBeNull();
    now += 60_000;
    const [amendment] = await correct([{ eventId, value: 1, occurredAt: '2026-03-02T19:00:00Z' }]);
    const amended = {
      value: { original: 4, present: 1 },
      occurredAt: { original: '2026-03-02T20:00:00.000Z', present: '2026-03-02T19:00:00.000Z' },
    };
    const made = (id: string | undefined, at: string) => ({
      ...{ eventId: id, at, by: 'environment', reason: 'sent twice' },
    });
    const first = made(amendment, '2026-03-02T20:01:00.000Z');
    expect(await shown()).toEqual({ retracted: false, ...amended, corrections: [first] });
    now += 60_000;
    const [retraction] = await correct([{ eventId, retract: true }]);
    const second = made(retraction, '2026-03-02T20:02:00.000Z');
    expect(await shown()).toEqual({ retracted: true, ...amended, corrections: [first, second] });
    await correct([retraction, amendment].map((id) => ({ eventId: id as string, retract: true })));
    expect(await shown()).toBeNull();
    const { answer } = await ask<ExplainedEventAnswer>(`/admin/v1/events/${retraction}`);
    expect(answer.corrected).toMatchObject({ retracted: true, corrections: [{ reason: 'sent twice' }] });
  });

  it('are refused when they amend an event that stays retracted', async () => {
    const { eventId } = await record('ada', 4);
    await record('ada', 2);
    const [retraction] = await correct([{ eventId, retract: true }]);
    const amended = { eventId, value: 1 };
    const wrong = {
      status: 422,
      answer: { code: 'invalid_request', errors: [{ message: expect.stringContaining('it is retracted') }] },
    };
    expect(await preview([amended])).toMatchObject(wrong);
    const unretracted = { eventId: retraction as string, retract: true as const };
    const { answer } = await preview([unretracted, amended]);
    expect(await order([amended], answer.id)).toMatchObject({ status: 422 });
    expect((await order([unretracted, amended], answer.id, {}, 'ticket')).status).toBe(201);
    expect(await stateOf('ada')).toMatchObject({ total: 3 });
    await correct([{ eventId, retract: true }]);
    expect((await order([unretracted, amended], answer.id, {}, 'ticket')).status).toBe(202);
  });

  it.each([' ', '\n\t', '\u200b\u00a0', '\u3164'])('require a visible reason, not %j', async (reason) => {
    const { eventId } = await record('ada', 4);
    await record('ada', 2);
    const asked = [{ eventId, retract: true as const }];
    const { answer } = await preview(asked);
    const wrong = { status: 422, answer: { errors: [{ path: 'reason', message: 'must not be blank' }] } };
    expect(await order(asked, answer.id, { reason })).toMatchObject(wrong);
    expect(await ask('/admin/v1/users/ada/grants/points', { system: 'xp', amount: 1, reason })).toMatchObject(wrong);
    expect(await ask('/admin/v1/imports', { reason })).toMatchObject(wrong);
  });

  it('keep grants, also those before the first remaining event', async () => {
    const { eventId } = await record('ada', 1);
    now += 60_000;
    const given = { reason: 'a prize' };
    await ask('/admin/v1/users/ada/grants/points', { ...given, system: 'xp', amount: 50 });
    await ask('/admin/v1/users/ada/grants/achievement', { ...given, achievement: 'five' });
    now += 3_600_000;
    await record('ada', 1);
    expect(await stateOf('ada')).toMatchObject({ points: 70, completed: ['five'] });
    const { answer } = await preview([{ eventId, retract: true }]);
    expect(answer.users[0]?.points).toMatchObject([{ system: 'xp', before: { total: 70 }, after: { total: 60 } }]);
    await correct([{ eventId, retract: true }]);
    expect(await stateOf('ada')).toMatchObject({ total: 1, points: 60, completed: ['five'] });
    const { answer: ada } = await ask<{ readonly created: string }>('/v1/users/ada');
    expect(ada.created).toBe('2026-03-02T20:01:00.000Z');
    expect((await ask<{ readonly total: number }>('/v1/users/ada/points/energy')).answer.total).toBe(1);
  });

  it('are refused once the user is erased', async () => {
    const { eventId } = await record('ada', 1);
    await record('ada', 2);
    const asked = [{ eventId, retract: true as const }];
    const { answer } = await preview(asked);
    const erase = async (query: string) => {
      const headers = { 'x-api-key': served.apiKey };
      const response = await fetch(`${served.baseUrl}/admin/v1/users/ada?${query}`, { method: 'DELETE', headers });
      return (await response.json()) as { readonly previewId: string; readonly erased: boolean };
    };
    const { previewId } = await erase('preview=true');
    expect(await erase(`previewId=${previewId}&reason=asked`)).toMatchObject({ erased: true });
    const refused = { status: 422, answer: { code: 'invalid_request', errors: [{ path: 'corrections' }] } };
    expect(await preview(asked)).toMatchObject(refused);
    expect(await order(asked, answer.id)).toMatchObject(refused);
  });

  it('are refused for unknown events, during an import, and with every error named', async () => {
    const { eventId } = await record('ada', 1);
    const nobody = '0199a4c2-7d3e-7f00-8000-5c2f9d1e4b6a';
    expect(await preview([{ eventId: nobody, retract: true }])).toMatchObject({
      ...{ status: 404, answer: { code: 'unknown_event', detail: expect.stringContaining(nobody) } },
    });
    expect(await preview([{ eventId, occurredAt: '2026-03-02T20:01:00Z' }])).toMatchObject({
      ...{ status: 422, answer: { code: 'invalid_request', errors: [{ path: 'corrections' }] } },
    });
    const { answer } = await preview([
      { eventId, retract: true, value: 1 },
      { eventId },
      { eventId: 'x', retract: true },
    ]);
    expect(answer.errors?.map(({ path }) => path)).toEqual(['corrections.2.eventId']);
    const wrong = await preview([{ eventId, retract: true, value: 1 }, { eventId }]);
    expect(wrong.answer.errors?.map(({ path }) => path)).toEqual([
      ...['corrections.0.retract', 'corrections.1.eventId', 'corrections.1'],
    ]);
    expect((await ask('/admin/v1/imports', {})).status).toBe(201);
    expect(await preview([{ eventId, value: 2 }])).toMatchObject({
      ...{
        status: 422,
        answer: { code: 'import_open', detail: expect.stringMatching(/imports\/finish.* ten minutes/) },
      },
    });
  });
});
