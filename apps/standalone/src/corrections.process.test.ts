import { typeNumberOf } from '@laurel/event-store';
import type { Answer, Json } from '@laurel/testing/http-suite';
import { HELD_MS, openKilledService, until, type KilledService } from '@laurel/testing/faults';
import { startProcess } from './testing/standalone-process.ts';

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }] }
achievements: [{ key: five, name: Five, trigger: { type: metric, metric: lessons, value: 5 } }]
points: [{ key: xp, name: XP, triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }] }]
leaderboards: [{ key: board, name: Board, rankBy: metric, metric: lessons, start: 2026-01-01 }]
`;

const COMMIT = /commit-(taking-)?batch/;

/** A call that corrects two users, one after the other. */
interface Call {
  readonly first: string;
  readonly second: string;
  /** Both are corrected, or the answer says why not. */
  send(): Promise<Answer>;
  /** The process is killed meanwhile, so it breaks off. */
  broken(isProxied?: boolean): Promise<void>;
}

/** The progress of the call when its process is killed: how many of the two users are corrected. */
type Point = (call: Call) => Promise<0 | 1 | 2>;

describe('a correction of two users', () => {
  let service: KilledService;

  beforeAll(async () => {
    service = await openKilledService(CONFIGURATION, startProcess);
  });
  afterAll(() => service.close());

  /** Subjects of corrections in the log. */
  async function corrected(user: string): Promise<number> {
    const { rows } = await service.watcher.query<{ events: number }>(
      `select count(*)::int as events from events join subjects using (account, subject)
       where user_id = $1 and type = $2`,
      [user, typeNumberOf('CorrectionRecorded')],
    );
    return rows[0]?.events ?? 0;
  }

  async function subjectOf(user: string): Promise<string | undefined> {
    const { rows } = await service.watcher.query<{ subject: string }>(
      'select subject from subjects where user_id = $1',
      [user],
    );
    return rows[0]?.subject;
  }

  const isCorrected = async (user: string): Promise<boolean> => (await corrected(user)) > 0;

  /** A user in reads: lessons, points, achievements, value on the board. */
  async function stateOf(user: string): Promise<Json> {
    const paths = ['metrics/lessons', 'points/xp', 'achievements', 'leaderboards/board'];
    const [lessons, points, achievements, board] = await Promise.all(
      paths.map((path) => service.client.read(`/v1/users/${user}/${path}`)),
    );
    return [lessons.current, points.total, achievements.length, board.value];
  }

  /** The two of a call, in the order of the board. */
  async function ranked({ first, second }: Call): Promise<readonly string[]> {
    const { rankings } = await service.client.read('/v1/leaderboards/board?limit=1000');
    return rankings.map(({ userId }: Json) => userId).filter((id: string) => [first, second].includes(id));
  }

  const POINTS: Readonly<Record<string, Point>> = {
    'while the first user is folded': async (call) => {
      await service.holder.query('begin; lock table effects in access exclusive mode');
      const asked = call.broken();
      await service.waiting();
      await service.kill();
      await service.holder.query('rollback');
      await asked;
      return 0;
    },
    'while the statement runs, and it is lost': async (call) => {
      await service.holder.query('begin; select from log_head for update');
      const asked = call.broken();
      const backends = await service.waiting();
      await service.kill();
      await service.terminate(backends);
      await service.holder.query('rollback');
      await asked;
      return 0;
    },
    'while the statement runs, and the database goes on': async (call) => {
      await service.holder.query('begin; select from log_head for update');
      const asked = call.broken();
      await service.waiting();
      await service.kill();
      await service.holder.query('rollback');
      await asked;
      await until(() => isCorrected(call.first));
      return 1;
    },
    'after the commit of the first user, before it learns of it': async (call) => {
      const held = service.database.holdAnswers((data) => COMMIT.test(data.toString('latin1')), HELD_MS);
      const asked = call.broken();
      await held;
      await until(() => isCorrected(call.first));
      await service.kill();
      await asked;
      return 1;
    },
    'between the two users': async (call) => {
      await service.holder.query('begin');
      await service.holder.query('select from user_states where subject = $1 for update', [
        await subjectOf(call.second),
      ]);
      const asked = call.broken();
      const backends = await service.waiting();
      expect(await isCorrected(call.first)).toBe(true);
      await service.kill();
      await service.terminate(backends);
      await service.holder.query('rollback');
      await asked;
      return 1;
    },
    'before it answers': async (call) => {
      const held = service.holdAnswers('POST');
      const asked = call.broken(true);
      await held;
      await until(() => isCorrected(call.second));
      await service.kill();
      await asked;
      return 2;
    },
  };

  it.each(Object.entries(POINTS))(
    'corrects each user wholly or not at all when the process is killed %s, and a retry finishes it',
    async (_, kills) => {
      const call = await prepared();
      await expectWhole(call, 0);
      const digest = await service.client.read('/admin/v1/digest');

      const done = await kills(call);
      await service.start();
      await expectWhole(call, done);
      if (done === 0) expect(await service.client.read('/admin/v1/digest')).toEqual(digest);
      expect(await service.verified()).toEqual([]);

      await expectFinished(call, done === 2 ? 202 : 201);
    },
  );

  it('corrects each user wholly or not at all when the connection is lost, and a retry finishes it', async () => {
    const call = await prepared();
    await service.holder.query('begin; select from log_head for update');
    const asked = call.send();
    await service.waiting();
    service.database.cut();
    await service.holder.query('rollback');
    const { status } = await asked;
    expect([201, 503]).toContain(status);
    await expectWhole(call, (await corrected(call.first)) + (await corrected(call.second)));
    if (status === 503) await until(async () => (await call.send()).status < 300);
    await expectFinished(call, 202);
  });

  /** @param done how many of them are corrected */
  async function expectWhole(call: Call, done: number): Promise<void> {
    const { first, second } = call;
    expect([await corrected(first), await corrected(second)]).toEqual([Math.min(done, 1), Math.max(done - 1, 0)]);
    expect(await stateOf(first)).toEqual(done > 0 ? [3, 30, 0, 3] : [11, 110, 1, 11]);
    expect(await stateOf(second)).toEqual(done > 1 ? [4, 40, 0, 4] : [9, 90, 1, 9]);
    expect(await ranked(call)).toEqual(done > 0 ? [second, first] : [first, second]);
  }

  /** Sent again the call completes what is left, and after that nothing. */
  async function expectFinished(call: Call, status: number): Promise<void> {
    const again = await call.send();
    expect([again.status, again.json.corrections?.map(({ userId }: Json) => userId)]).toEqual([
      status,
      [call.first, call.second],
    ]);
    const { json, ...replay } = await call.send();
    expect([replay.status, json.corrections]).toEqual([202, again.json.corrections]);
    await expectWhole(call, 2);
    expect(await service.verified()).toEqual([]);
  }

  let calls = 0;

  /** Of two users, each with an event that was sent twice. */
  async function prepared(): Promise<Call> {
    const [first, second] = [`ada-${++calls}`, `bea-${calls}`];
    await record(first, 3);
    await record(second, 4);
    const corrections = [await record(first, 8), await record(second, 5)].map((eventId) => ({
      ...{ eventId, retract: true },
    }));
    const preview = await service.client.send('POST', '/admin/v1/corrections/previews', { body: { corrections } });
    const body = { corrections, preview: preview.json.id, reason: 'sent twice' };
    const headers = { 'idempotency-key': preview.json.id as string };
    const path = '/admin/v1/corrections';
    return {
      ...{ first, second },
      send: () => service.client.send('POST', path, { body, headers }),
      broken: (isProxied = false) => service.broken('POST', path, { body, headers, isProxied }),
    };
  }

  async function record(id: string, value: number): Promise<string> {
    const body = { user: { id }, value };
    const { status, json } = await service.client.send('POST', '/v1/metrics/lessons/event', { body });
    expect(status).toBe(201);
    return json.eventId;
  }
});
