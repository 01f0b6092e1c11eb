import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing';
import {
  BlockedCommits,
  Load,
  caughtUp,
  compareWithStandalone,
  differencesOf,
  leaderOf,
  startTestTopology,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';

const CHAIN = ['streak-service', 'achievement-service', 'points-service', 'leaderboard-service'];
/** Between two crashes. */
const EVENTS = 30;

let topology: Topology;
let running: Topology | null = null;
let load: Load | null = null;

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: HTTP_SUITE_CONFIGURATION,
    instances: { 'ingestion-gateway': 2 },
    // Callers do not wait long for a service that is being started again.
    environment: { LAUREL_ANSWER_LIMIT_MS: '1000' },
  });
  load = Load.start({
    urls: topology.of('ingestion-gateway').map(({ url }) => url),
    apiKey: topology.apiKey,
    metrics: ['lessons', 'reviews', 'words', 'spent'],
    users: Array.from({ length: 40 }, (_, number) => `user ${number}`),
    lanes: 12,
  });
});

afterAll(async () => {
  await load?.stop();
  await running?.stop();
});

const more = async (events: number = EVENTS): Promise<void> => {
  await load?.more(events);
};

const only = (service: string): ServiceProcess => topology.of(service)[0] as ServiceProcess;

/** @param commits what becomes of commits that wait while their process is killed */
async function killBetweenSendingAndCommit(process: ServiceProcess, place: string, commits: 'lost' | 'late') {
  const blocked = await BlockedCommits.hold(topology, place);
  try {
    const pids = await blocked.waiting();
    await process.kill();
    if (commits === 'lost') await blocked.abort(pids);
  } finally {
    await blocked.release();
  }
  await process.start();
}

describe('under a load of parallel posts', () => {
  beforeAll(() => more());

  it.each([...CHAIN, 'query-gateway'])('the %s is killed', async (service) => {
    await only(service).kill();
    await more();
    await only(service).start();
  });

  it.each([0, 1])('ingestion gateway %s is killed', async (instance) => {
    const gateway = topology.of('ingestion-gateway')[instance] as ServiceProcess;
    await gateway.kill();
    await more();
    await gateway.start();
  });

  it.each(CHAIN)('the %s is killed between what it sends and its commit, which is lost', async (service) => {
    await killBetweenSendingAndCommit(only(service), service, 'lost');
    await more();
  });

  it('a configuration is published while a service is down, and the relay is killed', async () => {
    await only('points-service').kill();
    const headers = { 'x-api-key': topology.apiKey, 'content-type': 'application/json' };
    const url = `${topology.url}/admin/v1/configurations`;
    const current = await fetch(`${url}/current`, { headers });
    const { document } = (await current.json()) as { document: { points: [{ triggers: [{ points: number }] }] } };
    document.points[0].triggers[0].points = 20;
    const published = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ document }) });
    expect(published.status).toBe(201);
    const publishing = await leaderOf(topology);
    await publishing.kill();
    await more();
    await Promise.all([publishing.start(), only('points-service').start()]);
  });

  it.each(CHAIN)(
    'the %s is killed between what it sends and its commit, which happens nevertheless',
    async (service) => {
      await killBetweenSendingAndCommit(only(service), service, 'late');
      await more();
    },
  );

  it.each(['lost', 'late'] as const)(
    'the relay is killed between sending and its commit, which is %s',
    async (commits) => {
      await killBetweenSendingAndCommit(await leaderOf(topology), 'relay', commits);
      await more();
    },
  );

  it('the broker is killed and started again', async () => {
    if (topology.kafka.pid === null) return;
    await topology.kafka.kill();
    await more();
    await topology.kafka.restart();
    await more();
  });

  it('nobody was answered wrongly, no acknowledged event is lost and none doubled', async () => {
    await load?.stop();
    await caughtUp(topology);
    expect(load?.violations).toEqual([]);
    expect(load?.counts.pending).toBeGreaterThan(0);
    expect(load?.counts.retries).toBeGreaterThan(0);
    expect(await differencesOf(topology, load as Load)).toEqual({ lost: [], surplus: [], totals: [] });
  });

  it('a standalone makes the same of the same log', async () => {
    const { services } = await caughtUp(topology);
    expect(services?.flatMap(({ stopped }) => stopped)).toEqual([]);
    const { distributed, standalone } = await compareWithStandalone(topology.postgres.connection, 'default');
    expect(distributed).toEqual(standalone);
    expect(distributed.lines.map(({ rows }) => rows > 0)).toEqual(distributed.lines.map(() => true));
  });
});
