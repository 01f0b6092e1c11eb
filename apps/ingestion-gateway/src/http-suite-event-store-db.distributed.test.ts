import { HTTP_SUITE_CONFIGURATION, describeHttpSuite, type HttpSuiteTarget } from '@laurel/testing/http-suite';
import {
  RelayKiller,
  startFakeEventStoreProcess,
  startTestTopology,
  type FakeEventStoreProcess,
  type Topology,
} from '@laurel/testing/distributed';
import pg from 'pg';

let eventStore: FakeEventStoreProcess | null = null;
let topology: Topology | null = null;
let target: HttpSuiteTarget;
let killer: RelayKiller;

beforeAll(async () => {
  eventStore = await startFakeEventStoreProcess();
  const [configuration, eventStoreUrl] = [HTTP_SUITE_CONFIGURATION, eventStore.url];
  topology = await startTestTopology({ configuration, eventStoreUrl, instances: { 'ingestion-gateway': 2 } });
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
