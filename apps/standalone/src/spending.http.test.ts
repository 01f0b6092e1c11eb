import { ACCOUNT } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type {
  AuditPage,
  CorrectionAnswer,
  CorrectionPreviewAnswer,
  EventAnswer,
  ExplainedEventAnswer,
  ExplainedPointsAnswer,
  Problem,
  RefundAnswer,
  SpendAnswer,
  UserExport,
  UserPoints,
  UserTimeline,
} from '@laurel/schemas';
import type { TestDatabase } from '@laurel/testing/database';
import { Client, type Json } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { askOf } from './testing/ask.ts';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const BEGINNING = Date.parse('2026-03-02T20:00:00Z');
const HOUR_MS = 3_600_000;

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
points:
  - key: gems
    name: Gems
    maxPoints: 200
    triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }]
    levels: [{ key: low, name: Low, points: 10 }, { key: high, name: High, points: 60 }]
  - key: energy
    name: Energy
    triggers: [{ type: time, unit: hour, interval: 1, points: 1 }]
leaderboards: [{ key: board, name: Board, rankBy: points, pointsSystem: gems, start: 2026-01-01 }]
outgoing: { events: all }
`;

describe('spending over HTTP', () => {
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
  const client = new Client(() => served);

  /** @returns the event's id */
  async function earn(id: string, lessons: number): Promise<string> {
    return (await ask<EventAnswer>('/v1/metrics/lessons/event', { user: { id }, value: lessons })).answer.eventId;
  }

  const spend = (id: string, body: object, key?: string, system = 'gems') =>
    ask<SpendAnswer & Problem>(`/v1/users/${id}/points/${system}/spend`, body, key);

  const refund = (id: string, eventId: string, body: object, key?: string) =>
    ask<RefundAnswer & Problem>(`/v1/users/${id}/points/gems/spends/${eventId}/refund`, body, key);

  const totalOf = async (id: string, system = 'gems') =>
    (await ask<UserPoints>(`/v1/users/${id}/points/${system}`)).answer.total;

  async function correct(eventId: string): Promise<void> {
    const corrections = [{ eventId, retract: true }];
    const preview = await ask<CorrectionPreviewAnswer>('/admin/v1/corrections/previews', { corrections });
    const { status } = await ask<CorrectionAnswer>('/admin/v1/corrections', {
      ...{ corrections, preview: preview.answer.id, reason: 'sent twice' },
    });
    expect(status).toBe(201);
  }

  describe('a spend', () => {
    it('takes its amount, and shows the award and the level', async () => {
      await earn('ada', 10);
      const body = { amount: 60, reason: 'Streak freeze', reference: 'order-1' };
      const { status, answer } = await spend('ada', body, 'order-1');
      expect(status).toBe(201);
      expect(answer).toEqual({
        ...{ eventId: expect.any(String), spent: 60, idempotentReplayed: false, idempotencyKey: 'order-1' },
        ...{ reason: 'Streak freeze', reference: 'order-1' },
        points: {
          gems: expect.objectContaining({
            ...{ total: 40, added: -60, level: expect.objectContaining({ key: 'low' }) },
            awards: [expect.objectContaining({ awarded: -60, trigger: expect.objectContaining({ type: 'spend' }) })],
          }),
        },
      });
      expect(await totalOf('ada')).toBe(40);
    });

    it('is refused with what is missing if the user has too few points, and takes nothing', async () => {
      await earn('ada', 4);
      const { status, answer } = await spend('ada', { amount: 120 }, 'order-1');
      expect([status, answer.code]).toEqual([422, 'insufficient_points']);
      expect(answer).toMatchObject({ balance: 40, missing: 80, idempotentReplayed: false });
      expect(answer.detail).toBe(
        'The user has 40 Gems, 80 too few; nothing was taken. Use a new idempotency key to try again.',
      );
      expect(await totalOf('ada')).toBe(40);
    });

    it('takes the verdict of the first call for every call with its key', async () => {
      await earn('ada', 4);
      const refused = await spend('ada', { amount: 50 }, 'order-1');
      const spent = await spend('ada', { amount: 30 }, 'order-2');
      await earn('ada', 10);
      const again = await spend('ada', { amount: 1 }, 'order-1');
      expect(again.answer).toEqual({ ...refused.answer, idempotentReplayed: true });
      expect(await spend('ada', { amount: 99 }, 'order-2')).toMatchObject({
        status: 202,
        answer: {
          ...{ eventId: spent.answer.eventId, spent: 30, idempotentReplayed: true },
          points: { gems: { total: 110, added: 0, awards: [] } },
        },
      });
      expect(await totalOf('ada')).toBe(110);
    });

    it('succeeds as often as the total allows, however many calls come at once', async () => {
      await earn('ada', 10);
      const calls = await Promise.all(
        Array.from({ length: 40 }, (_, call) => spend('ada', { amount: 7 }, `order-${call}`)),
      );
      expect(calls.filter(({ status }) => status === 201)).toHaveLength(14);
      expect(calls.filter(({ status }) => status === 422)).toHaveLength(26);
      expect(await totalOf('ada')).toBe(2);
    });

    it('takes what has fallen due before it', async () => {
      await earn('ada', 1);
      now += 5 * HOUR_MS;
      expect((await spend('ada', { amount: 6 }, 'a', 'energy')).answer).toMatchObject({ balance: 5, missing: 1 });
      expect((await spend('ada', { amount: 5 }, 'b', 'energy')).status).toBe(201);
      expect(await totalOf('ada', 'energy')).toBe(0);
    });

    it('counts on no leaderboard', async () => {
      await earn('ada', 10);
      await spend('ada', { amount: 60 }, 'order-1');
      expect((await ask<{ value: number }>('/v1/users/ada/leaderboards/board')).answer.value).toBe(100);
    });

    it('needs a key, a known user, a known system and a whole amount', async () => {
      await earn('ada', 1);
      const without = await spend('ada', { amount: 0.5 });
      expect(without.status).toBe(422);
      expect(without.answer.errors).toEqual([
        { path: 'amount', message: 'must be a whole number from 1 to 1000000000' },
        { path: 'Idempotency-Key', message: 'is required, so that a retry is safe' },
      ]);
      expect((await spend('bea', { amount: 1 }, 'k')).answer.code).toBe('unknown_user');
      expect((await spend('ada', { amount: 1 }, 'k', 'gem')).answer.detail).toBe(
        "There is no points system 'gem' (did you mean 'gems'?).",
      );
    });
  });

  describe('while points have stopped', () => {
    /** A message that points cannot apply stands in their way. */
    async function stopPoints(): Promise<void> {
      await database.sql.query(
        "update area_checkpoints set position = position - 1, failure = case area when 'points' then 'broken' end where area in ('points', 'leaderboards')",
        [],
      );
      const fact = { type: 'MetricEventRecorded', subject: 1, metric: 'none', value: { $bigint: '1' }, user: {} };
      const head = {
        account: ACCOUNT,
        eventId: 'e',
        position: 1,
        configurationVersion: 1,
        occurredAt: 0,
        recordedAt: 0,
      };
      const parts = { areas: ['users', 'streaks', 'achievements'], user: null, effects: [], sections: {} };
      await database.sql.query("insert into area_inbox select 'points', position * 10000, $1 from log_head", [
        JSON.stringify({ ...parts, record: { ...head, fact } }),
      ]);
      await restart();
    }

    async function restart(): Promise<void> {
      await served.close();
      served = await serveInProcess(database.connection, CONFIGURATION, clock);
    }

    it('requests are recorded undecided, and decided in their order once points go on', async () => {
      await earn('ada', 10);
      await stopPoints();
      const calls = [await spend('ada', { amount: 70 }, 'order-1'), await spend('ada', { amount: 70 }, 'order-2')];
      expect(calls.map(({ status, answer }) => [status, answer.code])).toEqual([
        [503, 'spend_undecided'],
        [503, 'spend_undecided'],
      ]);
      const again = await spend('ada', { amount: 70 }, 'order-1');
      expect(again).toMatchObject({ status: 503, answer: { eventId: calls[0]?.answer.eventId } });
      expect(await refund('ada', calls[0]?.answer.eventId ?? '', {}, 'back')).toMatchObject({
        status: 503,
        answer: { code: 'refund_undecided' },
      });
      await database.sql.query('delete from area_inbox where position($1 in message) > 0', ['"none"']);
      await restart();
      expect(await spend('ada', { amount: 1 }, 'order-1')).toMatchObject({ status: 202, answer: { spent: 70 } });
      await served.service.decisions.recordDue();
      const decided = await database.sql.query<{ data: object }>('select data from events where type = -2', []);
      expect(decided.map(({ data }) => data)).toEqual([
        expect.objectContaining({ verdict: { accepted: true, amount: 70, moved: 70 } }),
        expect.objectContaining({ verdict: { accepted: false, available: 30 } }),
      ]);
      expect(await spend('ada', { amount: 1 }, 'order-2')).toMatchObject({ status: 422, answer: { balance: 30 } });
      expect(await totalOf('ada')).toBe(30);
    });
  });

  describe('a refund', () => {
    async function spent(id: string, amount: number): Promise<string> {
      return (await spend(id, { amount }, `spend-${amount}`)).answer.eventId;
    }

    it('gives back what is left, at most once', async () => {
      await earn('ada', 10);
      const order = await spent('ada', 60);
      expect(await refund('ada', order, { amount: 20 }, 'a')).toMatchObject({
        status: 201,
        answer: { refunded: 20, points: { gems: { total: 60, added: 20, awards: [{ trigger: { type: 'refund' } }] } } },
      });
      expect((await refund('ada', order, { amount: 41 }, 'b')).answer).toMatchObject({
        ...{ code: 'already_refunded', left: 40, idempotentReplayed: false },
        detail: 'Of this spend 40 Gems are left to refund; nothing was given. Use a new idempotency key to try again.',
      });
      expect((await refund('ada', order, {}, 'c')).answer.refunded).toBe(40);
      expect((await refund('ada', order, {}, 'd')).answer).toMatchObject({ code: 'already_refunded', left: 0 });
      expect(await refund('ada', order, { amount: 5 }, 'c')).toMatchObject({ status: 202, answer: { refunded: 40 } });
      expect(await totalOf('ada')).toBe(100);
    });

    it('leaves what the cap cuts off', async () => {
      await earn('ada', 20);
      const order = await spent('ada', 60);
      await earn('ada', 5);
      expect((await refund('ada', order, {}, 'a')).answer.refunded).toBe(10);
      expect((await refund('ada', order, {}, 'b')).answer).toMatchObject({
        refunded: 0,
        points: { gems: { added: 0 } },
      });
      await spend('ada', { amount: 100 }, 'other');
      expect((await refund('ada', order, {}, 'c')).answer.refunded).toBe(50);
    });

    it('is refused for a spend that was refused, and for what is no spend of the user in the system', async () => {
      const event = await earn('ada', 1);
      await earn('bea', 10);
      const refused = (await spend('ada', { amount: 20 }, 'x')).answer.eventId as string;
      const other = await spent('bea', 20);
      expect((await refund('ada', refused, {}, 'a')).answer).toMatchObject({ code: 'already_refunded', left: 0 });
      for (const id of [event, other, '00000000-0000-7000-8000-000000000000', 'order-1'])
        expect(await refund('ada', id, {}, 'a')).toMatchObject({ status: 404, answer: { code: 'unknown_spend' } });
    });
  });

  describe('in a corrected life', () => {
    it('a spend is cut at zero, and a refund gives at most what the spend took', async () => {
      const first = await earn('ada', 10);
      await earn('ada', 5);
      const order = (await spend('ada', { amount: 120 }, 'order')).answer.eventId;
      await earn('ada', 4);
      await correct(first);
      expect(await totalOf('ada')).toBe(40);
      expect((await refund('ada', order, { amount: 51 }, 'a')).answer).toMatchObject({ left: 50 });
      expect((await refund('ada', order, {}, 'b')).answer).toMatchObject({ refunded: 50 });
      expect(await totalOf('ada')).toBe(90);
    });

    it('no spend can be retracted', async () => {
      await earn('ada', 10);
      const order = (await spend('ada', { amount: 20 }, 'order')).answer.eventId;
      const corrections = [{ eventId: order, retract: true }];
      const { status, answer } = await ask<Problem>('/admin/v1/corrections/previews', { corrections });
      expect([status, answer.errors]).toEqual([
        422,
        [{ path: 'corrections', message: `cannot name ${order}: its verdict is final: a spend can only be refunded` }],
      ]);
    });
  });

  it('is verified by the log, and rebuilt as it was', async () => {
    const first = await earn('ada', 10);
    const order = (await spend('ada', { amount: 90 }, 'a')).answer.eventId;
    await spend('ada', { amount: 90 }, 'b');
    await refund('ada', order, { amount: 30 }, 'c');
    await earn('bea', 3);
    const other = (await spend('bea', { amount: 20 }, 'a')).answer.eventId;
    await refund('bea', other, {}, 'b');
    await correct(first);
    const findings: unknown[] = [];
    await served.service.verify(ACCOUNT, true, (progress) => findings.push(...(progress.findings ?? [])));
    expect(findings).toEqual([]);
    const digest = async () => (await ask<object>('/admin/v1/digest')).answer;
    const before = await digest();
    const { id } = (await ask<{ id: string }>('/admin/v1/rebuilds', {})).answer;
    const state = async () => (await ask<{ state: string }>(`/admin/v1/rebuilds/${id}`)).answer.state;
    while ((await state()) === 'running') await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await state()).toBe('done');
    expect(await digest()).toEqual(before);
  });

  it('is told with its texts until the user is erased', async () => {
    const spentOutcomes = async (): Promise<readonly Json[]> => {
      await served.service.outcomeReader.catchUp();
      const { text } = await client.send('GET', '/admin/v1/outcomes?types=points.spent');
      return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
    };
    await earn('ada', 5);
    const order = (await spend('ada', { amount: 30, reason: 'a hat', reference: 'order-1' }, 'a')).answer.eventId;
    await spend('ada', { amount: 30 }, 'b');
    await refund('ada', order, { amount: 10 }, 'c');
    await spend('ada', { amount: 30 }, 'd');
    expect(await spentOutcomes()).toMatchObject([
      {
        ...{ user: { id: 'ada' }, eventId: order, amount: 30, reason: 'a hat', reference: 'order-1' },
        points: { key: 'gems', total: 20, added: -30, awards: [{ trigger: { type: 'spend' } }] },
      },
      { amount: 30, points: { total: 0 }, reason: null, reference: null },
    ]);
    const { previewId } = (await client.send('DELETE', '/admin/v1/users/ada?preview=true')).json;
    await client.send('DELETE', `/admin/v1/users/ada?previewId=${previewId}&reason=asked`);
    expect(await spentOutcomes()).toEqual([]);
    const { text } = await client.send('GET', '/admin/v1/events?types=SpendRequested');
    expect(text).toContain('"amount":30');
    expect(text).not.toMatch(/a hat|order-1/);
  });

  it('is no administrative event: the audit does not list it', async () => {
    await earn('ada', 10);
    const before = (await ask<AuditPage>('/admin/v1/audit')).answer;
    const order = (await spend('ada', { amount: 20 }, 'a')).answer.eventId;
    await refund('ada', order, {}, 'b');
    expect((await ask<AuditPage>('/admin/v1/audit')).answer).toEqual(before);
  });

  it('stands in the timeline and explains the total', async () => {
    await earn('ada', 5);
    const order = (await spend('ada', { amount: 30, reason: 'a hat', reference: 'order-1' }, 'a')).answer.eventId;
    await spend('ada', { amount: 30 }, 'b');
    await refund('ada', order, { amount: 10, reason: 'too small' }, 'c');
    const { events } = (await ask<UserTimeline>('/admin/v1/users/ada/events?limit=10')).answer;
    expect(events.map(({ words, effects }) => [words, ...effects.points.map((effect) => effect.words)])).toEqual([
      ['refund of 10 Gems', '10 Gems accepted', '10 Gems by a refund, now 30'],
      ['spend of 30 Gems refused: 20 available, 10 missing', 'refused: 20 Gems available'],
      ['spend of 30 Gems for order-1', '30 Gems accepted', '-30 Gems by a spend, now 20'],
      ['5 Lessons', '50 Gems for Lessons, now 50', 'level Low of Gems'],
    ]);
    expect(events.slice(0, 3).map(({ request, reason }) => [request, reason])).toMatchObject([
      [{ pointsSystem: 'gems', amount: 10, accepted: true, moved: 10, spend: order }, 'too small'],
      [{ pointsSystem: 'gems', amount: 30, accepted: false, balance: 20, missing: 10 }, null],
      [{ pointsSystem: 'gems', amount: 30, accepted: true, moved: 30, reference: 'order-1' }, 'a hat'],
    ]);
    const { total, entries } = (await ask<ExplainedPointsAnswer>('/admin/v1/users/ada/explain/points/gems')).answer;
    expect([total, entries.map(({ type, change, nominal, cutBy }) => [type, change, nominal, cutBy])]).toEqual([
      30,
      [
        ['refund', 10, 10, null],
        ['spend', -30, -30, null],
        ['metric', 50, 50, null],
      ],
    ]);
    expect(entries.map(({ event }) => [event.reason, event.reference])).toEqual([
      ['too small', undefined],
      ['a hat', 'order-1'],
      [undefined, undefined],
    ]);
  });

  it('is explained as an event, with the verdict in words', async () => {
    await earn('ada', 5);
    const order = (await spend('ada', { amount: 30, reason: 'a hat', reference: 'order-1' }, 'a')).answer.eventId;
    await refund('ada', order, {}, 'b');
    const refused = (await refund('ada', order, { amount: 5, reason: 'again' }, 'c')).answer.eventId;
    const explained = async (id?: string) => (await ask<ExplainedEventAnswer>(`/admin/v1/events/${id}`)).answer;
    expect(await explained(order)).toMatchObject({
      ...{ words: 'spend of 30 Gems for order-1', reason: 'a hat' },
      request: { pointsSystem: 'gems', amount: 30, accepted: true, moved: 30, reference: 'order-1' },
    });
    expect(await explained(refused)).toMatchObject({
      ...{ words: 'refund of 5 Gems refused: 0 left of the spend', reason: 'again' },
      request: { amount: 5, accepted: false, left: 0, spend: order },
    });
    const { events } = (await ask<UserTimeline>('/admin/v1/users/ada/events?limit=2')).answer;
    expect(events[1]).toMatchObject({ words: 'refund of 30 Gems', request: { amount: null, moved: 30 } });
  });

  it('is in the export of the user, with verdict, reason and reference', async () => {
    await earn('ada', 5);
    const order = (await spend('ada', { amount: 30, reason: 'a hat', reference: 'order-1' }, 'a')).answer.eventId;
    await spend('ada', { amount: 30 }, 'b');
    await refund('ada', order, { amount: 10, reason: 'too small' }, 'c');
    const { events } = (await ask<UserExport>('/admin/v1/users/ada/export')).answer;
    expect(events.slice(1).map(({ type, details }) => ({ type, ...details }))).toMatchObject([
      {
        ...{ type: 'SpendRequested', system: 'gems', amount: 30, verdict: { accepted: true, amount: 30, moved: 30 } },
        personal: { reason: 'a hat', reference: 'order-1' },
      },
      { type: 'SpendRequested', verdict: { accepted: false, available: 20 } },
      {
        ...{ type: 'RefundRequested', system: 'gems', amount: 10, verdict: { accepted: true, amount: 10, moved: 10 } },
        ...{ spend: { eventId: order, spent: 30 }, personal: { reason: 'too small' } },
      },
    ]);
  });
});
