import { includes } from '@laurel/event-store/fixtures';
import { Client, HTTP_SUITE_CONFIGURATION, describeHttpSuite, type HttpSuiteTarget } from '@laurel/testing/http-suite';
import {
  caughtUp,
  describeErasure,
  describeKilledErasure,
  RelayKiller,
  startFakeEventStoreProcess,
  startTestTopology,
  type FakeEventStoreProcess,
  type Topology,
} from '@laurel/testing/distributed';
import { everythingHeld } from '@laurel/testing/event-store-db';
import pg from 'pg';

let eventStore: FakeEventStoreProcess | null = null;
let topology: Topology | null = null;
let target: HttpSuiteTarget;
let killer: RelayKiller;

beforeAll(async () => {
  eventStore = await startFakeEventStoreProcess();
  const [configuration, eventStoreUrl] = [HTTP_SUITE_CONFIGURATION, eventStore.url];
  const environment = { LAUREL_USER_SEARCH: 'on' };
  topology = await startTestTopology({
    configuration,
    eventStoreUrl,
    environment,
    instances: { 'ingestion-gateway': 2 },
  });
  target = { baseUrl: topology.url, apiKey: topology.apiKey };
  killer = RelayKiller.start(topology);
});

afterAll(async () => {
  await topology?.stop();
  await eventStore?.stop();
});

describe('on EventStoreDB, while whoever publishes its log is killed again and again', () => {
  describeHttpSuite(() => target);

  it('every process has done its part, and no answer was incomplete', async () => {
    await killer.stop();
    expect(killer.publishedBefore.length).toBeGreaterThanOrEqual(3);
    expect(Math.min(...killer.publishedBefore)).toBeGreaterThan(0);
    const [first] = topology?.of('ingestion-gateway') ?? [];
    const numbers = (await first?.metrics()) ?? new Map<string, number>();
    expect(numbers.get('laurel_recorded_total')).toBeGreaterThan(100);
    expect(numbers.get('laurel_published_total')).toBeGreaterThan(0);
    expect(numbers.get('laurel_pending_total')).toBe(0);
    for (const service of ['streak-service', 'achievement-service', 'points-service', 'leaderboard-service'])
      for (const process of topology?.of(service) ?? []) {
        const metrics = await process.metrics();
        expect({ service, stopped: metrics.get('laurel_partitions_stopped') }).toEqual({ service, stopped: 0 });
        expect(metrics.get('laurel_records_total')).toBeGreaterThan(100);
      }
  });

  it('nothing of its log is in Postgres', async () => {
    const sql = new pg.Client({ ...topology?.postgres.connection });
    await sql.connect();
    try {
      const { rows } = await sql.query('select count(*)::int as events from laurel_ingestion.events');
      expect(rows).toEqual([{ events: 0 }]);
    } finally {
      await sql.end();
    }
  });
});

describe('with the log in EventStoreDB', () => {
  beforeAll(() => killer.stop());

  const running = (): Topology => {
    if (topology === null) throw new Error('it is not running');
    return topology;
  };

  it('an independent verifier accepts the proof of an event by its id', async () => {
    const client = new Client(() => target);
    const { eventId } = await client.record('lessons', 'proven', 3);
    await caughtUp(running());
    const asked = () => client.send('GET', `/admin/v1/log/proofs/${eventId}`);
    let { status, json } = await asked();
    // The hash follows within about a second.
    while (status === 404) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      ({ status, json } = await asked());
    }
    expect([status, json.eventId, JSON.parse(json.record)[1]]).toEqual([200, eventId, eventId]);
    const path = json.path.map((hash: string) => Buffer.from(hash, 'hex'));
    const root = Buffer.from(json.head.root, 'hex');
    expect(includes(json.record, json.index, json.head.size, path, root)).toBe(true);
    expect(includes(json.record.replace('lessons', 'lesson'), json.index, json.head.size, path, root)).toBe(false);
    const unknown = await client.send('GET', '/admin/v1/log/proofs/00000000-0000-7000-8000-000000000000');
    expect([unknown.status, unknown.json.code]).toEqual([404, 'unknown_event']);
  });

  it('says why it does not explain: it reads no single events of that log', async () => {
    const client = new Client(() => target);
    const { eventId } = await client.record('lessons', 'unexplained', 3);
    const user = '/admin/v1/users/unexplained';
    const routes = ['explain/points/xp', 'explain/streak', 'explain/achievements/first-lesson', 'events'];
    for (const path of [
      ...routes.map((route) => `${user}/${route}`),
      `/admin/v1/events/${eventId}`,
      '/admin/v1/live',
    ]) {
      const { status, json } = await client.send('GET', path);
      expect([path, status, json.code]).toEqual([path, 422, 'not_in_this_topology']);
      expect(json.detail).toContain('EventStoreDB');
    }
    await caughtUp(running());
    expect(await client.read(`${user}/explain/leaderboards/lessons-all`)).toMatchObject({ status: 'ranked' });
  });

  const held = (): Promise<readonly string[]> => everythingHeld(eventStore?.url ?? '');

  describeErasure(running, async () => {
    const texts = await held();
    expect(texts.length).toBeGreaterThan(100);
    return texts.join('\n');
  });

  describeKilledErasure(running, held);
});
