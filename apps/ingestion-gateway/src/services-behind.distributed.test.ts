import type { ServiceStatus } from '@laurel/schemas';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import {
  BlockedCommits,
  caughtUp,
  compareWithStandalone,
  eventually,
  startTestTopology,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';

/** Long enough for the services that run, also where other suites have the processors. */
const ANSWER_LIMIT_MS = 6_000;
const IMPORTED = 400;

let topology: Topology;
let running: Topology | null = null;

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: HTTP_SUITE_CONFIGURATION,
    environment: { LAUREL_ANSWER_LIMIT_MS: String(ANSWER_LIMIT_MS) },
  });
  // The first answers of processes that have just started may take longer than that.
  const review = () => send('POST', '/api/metrics/reviews/event', { user: { id: 'first' }, value: 1 });
  await eventually(topology, 'an answer that is complete', async () => !('pending' in (await review()).json));
});
afterAll(() => running?.stop());

// The fields of an answer by name, as a client sees them.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

async function send(method: string, path: string, body?: unknown, headers: object = {}) {
  const response = await fetch(new URL(path, topology.url), {
    method,
    headers: {
      'x-api-key': topology.apiKey,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Json };
}

const status = async (): Promise<ServiceStatus> => (await send('GET', '/admin/v1/status')).json as ServiceStatus;
const finish = () => send('POST', '/admin/v1/imports/finish');
const only = (service: string): ServiceProcess => topology.of(service)[0] as ServiceProcess;
const effectsSent = async (service: string) => (await only(service).metrics()).get('laurel_effects_total');

const recordWithKey = (userId: string, key: string, more: object = {}) =>
  send('POST', '/api/metrics/lessons/event', { user: { id: userId, ...more }, value: 2 }, { 'idempotency-key': key });

const imported = (userId: string, name: string) =>
  Array.from({ length: IMPORTED }, (_, number) => ({
    metric: 'lessons',
    user: { id: userId },
    value: 1,
    timestamp: '2026-01-10T12:00:00Z',
    idempotencyKey: `${name} ${number}`,
  }));

describe('parallel requests with one idempotency key', () => {
  it('record one event, and all replays show its effects', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => recordWithKey('parallel', 'one')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(59).fill(202)]);
    expect(new Set(answers.map(({ json }) => json.total))).toEqual(new Set([2]));
    expect(answers.filter(({ json }) => 'pending' in json)).toEqual([]);
    const ranks = answers.map(({ json }) => json.leaderboards['lessons-all']?.rank);
    expect(new Set(ranks)).toEqual(new Set([1]));
  });

  it('wait for the original event until it is applied', async () => {
    const blocked = await BlockedCommits.hold(topology, 'streak-service');
    const original = recordWithKey('waiting', 'one', { tz: 'Asia/Tokyo' });
    await blocked.waiting();
    const replay = recordWithKey('waiting', 'one');
    await blocked.release();
    expect(await replay).toMatchObject({ status: 202, json: { total: 2, points: { xp: { total: 20, added: 0 } } } });
    expect((await replay).json).not.toHaveProperty('pending');
    expect(await original).toMatchObject({ status: 201, json: { total: 2 } });
  });
});

describe('the distributed topology without one service', () => {
  it('reports a problem that names the service, and both gateways are not ready', async () => {
    await caughtUp(topology);
    // A process marks itself as a member up to a second after it has joined its group.
    await eventually(topology, 'status is ready', async () => (await status()).ready, 30_000, status);
    expect(await status()).toMatchObject({ problems: [], queryGateways: 1 });
    await only('points-service').stop();
    const missing = 'points-service has no members: no running instance works on its partitions.';
    await eventually(topology, 'status is red', async () => !(await status()).ready, 30_000, status);
    const red = await status();
    expect(red.problems).toEqual([missing]);
    expect(red.services?.map(({ service, members }) => [service, members])).toEqual([
      ['streak-service', 1],
      ['achievement-service', 1],
      ['points-service', 0],
      ['leaderboard-service', 1],
    ]);
    for (const gateway of ['ingestion-gateway', 'query-gateway']) {
      const shown = async () => {
        const response = await fetch(new URL('/readyz', only(gateway).url));
        const { components } = (await response.json()) as Json;
        return response.status === 200 && components.services.detail.problems.includes(missing);
      };
      await eventually(topology, `${gateway} shows it`, shown, 30_000);
    }
  });

  it('acknowledges an import once it is recorded and names the pending areas when it ends', async () => {
    const events = imported('importer', 'first');
    const { status: code, json } = await send('POST', '/admin/v1/metrics/events', events);
    expect(code).toBe(200);
    expect(json.accepted).toBe(IMPORTED);
    expect(await finish()).toEqual({ status: 200, json: { closed: true, pending: ['points', 'leaderboards'] } });
  });

  it('names the pending areas in the full results of a batch and of a replay', async () => {
    const [event] = imported('importer', 'full');
    const batch = await send('POST', '/admin/v1/metrics/events?results=full', [event]);
    expect(batch.json.results[0]).toMatchObject({ status: 201 });
    expect(batch.json.results[0].body).toMatchObject({ total: IMPORTED + 1, pending: ['points', 'leaderboards'] });
    const replay = await send(
      'POST',
      '/admin/v1/metrics/events?results=full',
      imported('importer', 'first').slice(0, 1),
    );
    expect(replay.json.results[0]).toMatchObject({
      status: 202,
      body: { total: IMPORTED + 1, pending: ['points', 'leaderboards'] },
    });
  });

  it('names in an event answer exactly the areas that have not applied it, and shows the others', async () => {
    const first = await recordWithKey('behind', 'first');
    const second = await recordWithKey('behind', 'second');
    expect(first).toMatchObject({
      status: 201,
      json: {
        total: 2,
        currentStreak: { frequency: 'daily', extended: false },
        points: {},
        pending: ['points', 'leaderboards'],
      },
    });
    expect(first.json.achievements.map(({ key }: Json) => key)).toContain('first-lesson');
    expect(second).toMatchObject({
      status: 201,
      json: {
        total: 4,
        currentStreak: { frequency: 'daily', extended: false },
        achievements: [],
        pending: ['points', 'leaderboards'],
      },
    });
  });

  it('explains points completely from the log before the service has stored them', async () => {
    const given = (IMPORTED + 1) * 10 + 50;
    const changes: number[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const path = `/admin/v1/users/importer/explain/points/xp?limit=50${cursor && `&cursor=${cursor}`}`;
      const { json } = await send('GET', path);
      expect(json).toMatchObject({ complete: true, recorded: given });
      changes.push(...json.entries.map(({ change }: Json) => change as number));
      cursor = json.next as string | null;
    }
    expect(changes.reduce((sum, change) => sum + change, 0)).toBe(given);
    expect((await send('GET', '/v1/users/importer/points/xp')).json.total).toBe(0);
    const { events } = (await send('GET', '/admin/v1/users/importer/events')).json;
    const { users, points } = events[0].effects;
    expect([users, points]).toEqual([[expect.objectContaining({ total: IMPORTED + 1 })], []]);
    const { caused } = (await send('GET', `/admin/v1/events/${events[0].id}`)).json;
    expect(caused).toMatchObject([{ userId: 'importer', effects: [{ type: 'MetricTotalChanged' }] }]);
  });

  it('names a service that stays behind without progress', async () => {
    const stalled = async () =>
      (await status()).problems?.some((problem) =>
        /points-service is \d+ messages behind and has made no progress for/.test(problem),
      ) ?? false;
    await eventually(topology, 'the lag without progress is named', stalled, 90_000, status);
  });

  it('becomes ready and shows everything once the service is started', async () => {
    await only('points-service').start();
    await eventually(
      topology,
      'the import can be read',
      async () => !('pending' in (await finish()).json),
      120_000,
      status,
    );
    await eventually(topology, 'status is green', async () => (await status()).ready, 30_000, status);
    const points = await send('GET', '/v1/users/importer/points/xp');
    expect(points.json.total).toBe((IMPORTED + 1) * 10 + 50);
    const ranked = await send('GET', '/v1/users/importer/leaderboards/lessons-all');
    expect(ranked.json).toMatchObject({ value: IMPORTED + 1, rank: 1 });
  });
});

describe('an import without requested results', () => {
  it('sends no effects, because nobody waits for them', async () => {
    await caughtUp(topology);
    const before = await Promise.all(['points-service', 'leaderboard-service'].map(effectsSent));
    await send('POST', '/admin/v1/metrics/events', imported('unawaited', 'second'));
    const first = await finish();
    // The first call closes the import, also if it does not wait until everything can be read.
    expect(first.json.closed).toBe(true);
    for (let answer = first; 'pending' in answer.json;) answer = await finish();
    expect(await Promise.all(['points-service', 'leaderboard-service'].map(effectsSent))).toEqual(before);
    expect((await send('GET', '/v1/users/unawaited/metrics/lessons')).json.current).toBe(IMPORTED);
  });

  it('gives the same digests as a standalone', async () => {
    await caughtUp(topology);
    const { distributed, standalone } = await compareWithStandalone(topology.postgres.connection, 'default');
    expect(distributed).toEqual(standalone);
  });
});
