import { includes } from '@laurel/event-store/fixtures';
import {
  Client,
  HTTP_SUITE_CONFIGURATION,
  describeExplainedNumbers,
  describeHttpSuite,
  type HttpSuiteTarget,
} from '@laurel/testing/http-suite';
import {
  caughtUp,
  describeErasure,
  describeKilledErasure,
  describeLiveFeed,
  describeVerification,
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

describe('the distributed topology on EventStoreDB, whose log publisher is killed repeatedly,', () => {
  describeHttpSuite(() => target);

  it('involves every process and leaves no answer incomplete', async () => {
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

  it('keeps the log in Postgres only as a copy', async () => {
    const sql = new pg.Client({ ...topology?.postgres.connection });
    await sql.connect();
    try {
      const { rows } = await sql.query<{ events: number; copied: number }>(
        `select (select count(*)::int from laurel_ingestion.events) as events,
           (select count(*)::int from laurel_ingestion.copied_events) as copied`,
      );
      expect(rows).toEqual([{ events: 0, copied: expect.any(Number) }]);
      expect(rows[0]?.copied).toBeGreaterThan(100);
    } finally {
      await sql.end();
    }
  });
});

describe('the distributed topology on EventStoreDB', () => {
  beforeAll(() => killer.stop());

  const running = (): Topology => {
    if (topology === null) throw new Error('it is not running');
    return topology;
  };

  it('gives a proof of an event that an independent verifier accepts', async () => {
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

  describeExplainedNumbers(
    () => target,
    { every: 3, runs: 5 },
    () => caughtUp(running()),
  );

  describeLiveFeed(running);

  const held = (): Promise<readonly string[]> => everythingHeld(eventStore?.url ?? '');

  describeErasure(running, async () => {
    const texts = await held();
    expect(texts.length).toBeGreaterThan(100);
    return texts.join('\n');
  });

  describeKilledErasure(running, held);

  describeVerification(running, {
    table: 'laurel_ingestion.copied_events',
    change: ['zone = $$Mars$$', 'type = 1'],
    named: /^copied_events: the copy of the record .*at position /,
  });
});
