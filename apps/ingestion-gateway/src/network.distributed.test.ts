import {
  HTTP_SUITE_CONFIGURATION,
  isKafkaRequest,
  startProxiedTestBroker,
  type ProxiedTestBroker,
} from '@laurel/testing';
import {
  Load,
  caughtUp,
  differencesOf,
  eventually,
  startTestTopology,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';

const CHAIN = ['streak-service', 'achievement-service', 'points-service', 'leaderboard-service'];
/** kafkajs waits 5 s for an answer. */
const BEYOND_THE_LIMIT_MS = 6_000;
const FROZEN_MS = 30_000;
const EVENTS = 30;
/** With LAUREL_KAFKA_BROKERS the broker has no listener for a proxy. */
const describeWithOwnBroker = process.env['LAUREL_KAFKA_BROKERS'] ? describe.skip : describe;

describeWithOwnBroker('under a load of parallel posts, with a bad network between the processes and the broker', () => {
  let world: ProxiedTestBroker;
  let topology: Topology;
  let load: Load;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    world = await startProxiedTestBroker();
    stops.push(
      () => world.broker.dispose(),
      () => world.proxy.close(),
    );
    topology = await startTestTopology({
      configuration: HTTP_SUITE_CONFIGURATION,
      instances: { 'points-service': 2 },
      environment: { LAUREL_ANSWER_LIMIT_MS: '1000' },
      kafka: world.behindProxy,
    });
    stops.push(() => topology.stop());
    load = Load.on(topology, 8);
    stops.push(() => load.stop());
    await load.more(EVENTS);
  });
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  const statuses = (path: string, services?: readonly string[]): Promise<readonly number[]> => {
    const processes = services?.flatMap((service) => topology.of(service)) ?? topology.processes;
    return Promise.all(processes.map(async ({ url }) => (await fetch(`${url}${path}`)).status));
  };
  const allReady = (): Promise<void> =>
    eventually(
      topology,
      'every process is ready',
      async () => (await statuses('/readyz')).every((status) => status === 200),
      90_000,
    );

  it('a member that is answered too late while it joins works again', async () => {
    const [first, second] = topology.of('points-service') as [ServiceProcess, ServiceProcess];
    await second.stop();
    await eventually(topology, 'one has all', async () => (await assignedTo(first)) === 4);
    const held = world.proxy.holdAnswers(isKafkaRequest('SyncGroup'), BEYOND_THE_LIMIT_MS);
    await second.start();
    await held;
    await load.more(EVENTS);
    await eventually(
      topology,
      'both have partitions',
      async () => (await assignedTo(first)) === 2 && (await assignedTo(second)) === 2,
      90_000,
    );
    await allReady();
  });

  it('connections are cut and delayed, and every process works again', async () => {
    world.proxy.delayMs = 200;
    await load.more(EVENTS);
    for (let time = 0; time < 3; time++) {
      world.proxy.cut();
      await load.more(EVENTS);
    }
    world.proxy.delayMs = 0;
    await allReady();
  });

  it('the broker is not reached for half a minute, every service says so, and none asks to be restarted', async () => {
    world.proxy.frozen = true;
    const until = performance.now() + FROZEN_MS;
    await load.more(EVENTS);
    await eventually(topology, 'every service says so', async () =>
      (await statuses('/readyz', CHAIN)).every((status) => status === 503),
    );
    while (performance.now() < until) {
      expect(new Set(await statuses('/healthz'))).toEqual(new Set([200]));
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    world.proxy.frozen = false;
    await allReady();
    expect(new Set(await statuses('/healthz'))).toEqual(new Set([200]));
  });

  it('nobody was answered wrongly, no acknowledged event is lost and none doubled', async () => {
    await load.stop();
    await caughtUp(topology);
    expect(load.violations).toEqual([]);
    expect(load.counts.pending).toBeGreaterThan(0);
    expect(await differencesOf(topology, load)).toEqual({ lost: [], surplus: [], totals: [] });
  });
});

const assignedTo = async (service: ServiceProcess): Promise<number | undefined> =>
  (await service.metrics()).get('laurel_partitions_assigned');
