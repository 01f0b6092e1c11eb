import {
  Client,
  HTTP_SUITE_CONFIGURATION,
  LiveStream,
  describeExplainedNumbers,
  describeHttpSuite,
  type Json,
} from '@laurel/testing/http-suite';
import { monitoredSeries } from '@laurel/testing/monitoring';
import {
  caughtUp,
  describeErasure,
  describeVerification,
  eventually,
  startTestTopology,
  type Topology,
} from '@laurel/testing/distributed';
import { signIn } from '@laurel/testing/http-modules';

/** Of `every process`, only those that take events have these. */
const GATEWAY_SERIES: ReadonlySet<string> = new Set(['laurel_events_total', 'laurel_waiting']);

let topology: Topology;
let running: Topology | null = null;

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: HTTP_SUITE_CONFIGURATION,
    environment: { LAUREL_USER_SEARCH: 'on' },
  });
});

afterAll(async () => {
  await running?.stop();
});

describeHttpSuite(() => ({ baseUrl: topology.url, apiKey: topology.apiKey }));

describeExplainedNumbers(
  () => ({ baseUrl: topology.url, apiKey: topology.apiKey }),
  { every: 3, runs: 10 },
  () => caughtUp(topology),
);

describe('a browser', () => {
  it('signs in at the ingestion gateway, reads through it and watches new events', async () => {
    const { cookie = '' } = await signIn(topology.url, { key: topology.apiKey });
    const ask = async (path: string) => {
      const response = await fetch(`${topology.url}${path}`, { headers: { cookie } });
      return { status: response.status, json: (await response.json()) as Json };
    };
    for (const path of ['/admin/v1/status', '/admin/v1/users', '/v1/achievements', '/v1/leaderboards'])
      expect([path, (await ask(path)).status]).toEqual([path, 200]);
    const client = new Client(() => ({ baseUrl: topology.url, apiKey: topology.apiKey }));
    const { eventId } = await client.record('lessons', 'watched', 3);
    const stream = new LiveStream(`${topology.url}/admin/v1/live`, { cookie });
    expect((await stream.until([eventId])).events.at(-1)).toMatchObject({ id: eventId, userId: 'watched' });
    stream.close();
    const nobody = await fetch(`${topology.url}/v1/achievements`, { headers: { cookie: `${cookie}x` } });
    expect(nobody.status).toBe(401);
  });
});

describe('the support API of the distributed topology', () => {
  const client = new Client(() => ({ baseUrl: topology.url, apiKey: topology.apiKey }));
  const [first, second] = ['first-on-silver', 'second-on-silver'];

  /** The newest of those on the level, a page for each. */
  async function newestOnSilver(count: number): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let cursor = ''; ids.length < count;) {
      const { users, next } = await client.read(`/admin/v1/points/xp/levels/silver/users?limit=1${cursor}`);
      ids.push(...users.map(({ userId }: Json) => userId));
      if (next === null) break;
      cursor = `&cursor=${next}`;
    }
    return ids;
  }

  it('lists the users on a level, newest first, without users whom a grant took below it', async () => {
    for (const user of [first, second]) await client.record('lessons', user, 10);
    await caughtUp(topology);
    expect(await newestOnSilver(2)).toEqual([second, first]);
    const body = { system: 'xp', amount: -100, reason: 'by hand' };
    expect((await client.send('POST', `/admin/v1/users/${second}/grants/points`, { body })).status).toBe(201);
    await caughtUp(topology);
    expect(await newestOnSilver(1)).toEqual([first]);
    const unknown = await client.send('GET', '/admin/v1/points/xp/levels/gold/users');
    expect([unknown.status, unknown.json.code]).toEqual([404, 'unknown_level']);
  });

  it('finds users by e-mail and name with the index of the service for the users area', async () => {
    const profile = { name: 'Grace Uniquely Hopper', email: 'Grace.Uniquely@example.org' };
    expect((await client.send('PUT', '/v1/users/grace-u', { body: profile })).status).toBe(200);
    await caughtUp(topology);
    const found = async (query: string) =>
      (await client.read(`/admin/v1/users?${query}`)).users.map(({ id }: Json) => id);
    expect(await found('email=grace.uniquely@EXAMPLE.org')).toEqual(['grace-u']);
    expect(await found('name=uniq')).toEqual(['grace-u']);
    expect(await found('name=niquely')).toEqual([]);
  });
});

describeErasure(() => topology);

describeVerification(() => topology, {
  table: 'laurel_ingestion.events',
  change: ['zone = $$Mars$$', 'position = 3'],
  named: /^log_chain: /,
});

describe('each process of the distributed topology', () => {
  const metricsOf = async (service: string): Promise<(name: string) => number> => {
    const [process] = topology.of(service);
    const metrics = (await process?.metrics()) ?? new Map<string, number>();
    return (name) => metrics.get(`laurel_${name}_total`) ?? Number.NaN;
  };

  it('handles what the previous one sends, and every answer is complete', async () => {
    let parts: object = {};
    const fits = async () => {
      const gateway = await metricsOf('ingestion-gateway');
      const streaks = await metricsOf('streak-service');
      const achievements = await metricsOf('achievement-service');
      const points = await metricsOf('points-service');
      const boards = await metricsOf('leaderboard-service');
      const query = await metricsOf('query-gateway');
      const taken = (of: (name: string) => number) => of('records') + of('configurations');
      parts = {
        recorded: gateway('recorded'),
        pending: gateway('pending'),
        streaks: [taken(streaks), streaks('sent')],
        achievements: [taken(achievements), achievements('sent')],
        points: [taken(points), points('sent')],
        boards: taken(boards),
        effects: [points('effects') + boards('effects'), query('effects')],
      };
      return (
        gateway('recorded') > 100 &&
        gateway('pending') === 0 &&
        gateway('published') >= gateway('recorded') &&
        streaks('records') >= gateway('recorded') &&
        taken(streaks) === streaks('sent') &&
        streaks('sent') === taken(achievements) &&
        taken(achievements) === achievements('sent') &&
        achievements('sent') === taken(points) &&
        points('sent') === taken(boards) &&
        boards('records') > 100 &&
        // Effects are sent at least once: a broker that answers late gets them again, and a rebalance reads them again.
        query('effects') >= points('effects') + boards('effects') &&
        points('effects') + boards('effects') > 100
      );
    };
    await eventually(topology, 'the numbers fit', fits, 60_000, () => parts);
  });

  it('exposes the series that the rules and the dashboard query', async () => {
    const asked = await monitoredSeries();
    const present = new Set<string>();
    const everywhere = [...(asked.get('every process') ?? [])].filter(
      (name) => name.startsWith('laurel_') && !GATEWAY_SERIES.has(name),
    );
    for (const process of topology.processes) {
      const names = new Set((await process.metrics()).keys());
      const missing = everywhere.filter((name) => !names.has(name));
      expect({ process: process.name, missing }).toEqual({ process: process.name, missing: [] });
      for (const name of names) present.add(name);
    }
    const names = [...GATEWAY_SERIES, ...(asked.get('distributed') ?? [])];
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !present.has(name))).toEqual([]);
  });

  it.each(['ingestion-gateway', 'query-gateway'])('links errors to their explanation: %s', async (gateway) => {
    const [process] = topology.of(gateway);
    const get = (path: string) => fetch(new URL(path, process?.url));
    const { type } = (await (await get('/nothing')).json()) as { type: string };
    const page = await get(type);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain(`id="${type.split('#')[1]}"`);
    expect((await get('/docs')).status).toBe(200);
  });

  it('reports the disk space that the database takes', async () => {
    const { storage, head } = await caughtUp(topology);
    expect(storage).toMatchObject({ freeBytes: null, totalBytes: null, low: false });
    expect(Object.keys(storage?.unknown ?? {})).toEqual(['freeBytes']);
    for (const bytes of [storage?.logBytes, storage?.readModelBytes, storage?.indexBytes, storage?.walBytes])
      expect(bytes).toBeGreaterThan(100 * head);
  });

  it('exits with 0 when it is asked to stop', async () => {
    const codes = [];
    for (const process of topology.processes.toReversed()) codes.push(await process.stop());
    expect(codes).toEqual(topology.processes.map(() => 0));
  });
});
