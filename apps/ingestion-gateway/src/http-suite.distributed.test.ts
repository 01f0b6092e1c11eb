import { HTTP_SUITE_CONFIGURATION, describeHttpSuite } from '@laurel/testing/http-suite';
import { monitoredSeries } from '@laurel/testing/monitoring';
import { caughtUp, eventually, startTestTopology, verified, type Topology } from '@laurel/testing/distributed';
import pg from 'pg';

/** Of `every process`, only those that take events have these. */
const GATEWAY_SERIES: ReadonlySet<string> = new Set(['laurel_events_total', 'laurel_waiting']);

let topology: Topology;
let running: Topology | null = null;

beforeAll(async () => {
  topology = running = await startTestTopology({ configuration: HTTP_SUITE_CONFIGURATION });
});

afterAll(async () => {
  await running?.stop();
});

describeHttpSuite(() => ({ baseUrl: topology.url, apiKey: topology.apiKey }));

describe('a verification', () => {
  /** What is found while one row of a table is changed. */
  async function messagesWith(table: string, change: string, which: string): Promise<readonly string[]> {
    const client = new pg.Client(topology.postgres.connection);
    await client.connect();
    const replace = (row: string, other: string) =>
      client.query(`
        delete from ${table} t using public.${row} r where to_jsonb(t) = to_jsonb(r);
        insert into ${table} select * from public.${other}`);
    try {
      await client.query(`
        create table public.kept as select * from ${table} where ${which} limit 1;
        create table public.changed as select * from public.kept;
        update public.changed set ${change}`);
      await replace('kept', 'changed');
      const { state, error, findings } = await verified(topology, false);
      await replace('changed', 'kept');
      expect([state, error]).toEqual(['done', null]);
      return findings.map(({ message }) => message);
    } finally {
      await client.query('drop table public.kept, public.changed');
      await client.end();
    }
  }

  it('finds that everything fits, in the log and in what the services store', async () => {
    const { head } = await caughtUp(topology);
    const { folded, users, ...verification } = await verified(topology, true);
    expect(verification).toMatchObject({ state: 'done', error: null, findings: [], more: false });
    expect(verification.verified).toBeGreaterThanOrEqual(head);
    expect(folded).toBeGreaterThan(50);
    expect(users).toBe(folded);
  });

  it.each([
    ['laurel_ingestion.events', 'zone = $$Mars$$', 'position = 3', /^log_chain: /],
    ['laurel_streak.metric_day_counts', 'events = events + 7', 'true', /^metric_day_counts: /],
    [
      'laurel_achievement.effects',
      "occurred_at = occurred_at + interval '1 s'",
      'true',
      /^laurel_achievement.effects: /,
    ],
    ['laurel_achievement.achievement_counts', 'completions = completions + 1', 'true', /^achievement_counts: /],
    ['laurel_points.points_months', "days = '{}'", "days::text <> '{}'", /^points_months: .* of user "/],
    ['laurel_leaderboard.board_standings', 'value = value + 1', 'value > 0', /^board_standings: .* of user "/],
  ])('names what one changed row of %s changes', async (table, change, which, named) => {
    const messages = await messagesWith(table, change, which);
    expect(messages).toContainEqual(expect.stringMatching(named));
    expect((await verified(topology, false)).findings).toEqual([]);
  });
});

describe('each process', () => {
  const metricsOf = async (service: string): Promise<(name: string) => number> => {
    const [process] = topology.of(service);
    const metrics = (await process?.metrics()) ?? new Map<string, number>();
    return (name) => metrics.get(`laurel_${name}_total`) ?? Number.NaN;
  };

  it('has done its part: what one has sent the next has handled, and every answer was whole', async () => {
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

  it('has the series that the rules and the dashboard ask for', async () => {
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

  it.each(['ingestion-gateway', 'query-gateway'])('explains its errors: %s', async (gateway) => {
    const [process] = topology.of(gateway);
    const get = (path: string) => fetch(new URL(path, process?.url));
    const { type } = (await (await get('/nothing')).json()) as { type: string };
    const page = await get(type);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain(`id="${type.split('#')[1]}"`);
    expect((await get('/docs')).status).toBe(200);
  });

  it('shows how much disk the database takes', async () => {
    const { storage, head } = await caughtUp(topology);
    expect(storage).toMatchObject({ freeBytes: null, totalBytes: null, low: false });
    expect(Object.keys(storage?.unknown ?? {})).toEqual(['freeBytes']);
    for (const bytes of [storage?.logBytes, storage?.readModelBytes, storage?.indexBytes, storage?.walBytes])
      expect(bytes).toBeGreaterThan(100 * head);
  });

  it('stops in good order when it is asked to', async () => {
    const codes = [];
    for (const process of topology.processes.toReversed()) codes.push(await process.stop());
    expect(codes).toEqual(topology.processes.map(() => 0));
  });
});
