import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHAIN_SERVICES } from '@laurel/ports';
import { isKafkaRequest, startProxiedTestBroker, type ProxiedTestBroker } from '@laurel/testing/event-stream';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { randomOf, seedOf } from '@laurel/testing/random';
import {
  Load,
  caughtUp,
  compareWithStandalone,
  differencesOf,
  eventually,
  startTestTopology,
  troublesOf,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';
import {
  freezeFor,
  isReadyOnlyIfItRecords,
  openSmallDisk,
  refusals,
  showsInStatus,
  startOwnServer,
  useUpWal,
  type OwnServer,
  type SmallDisk,
  type WatchOptions,
  type WatchedService,
} from '@laurel/testing/faults';

const CHAIN = CHAIN_SERVICES.map(({ name }) => name);
const SERVICES = [...CHAIN, 'query-gateway', 'ingestion-gateway'];
/** kafkajs waits 5 s for an answer. */
const BEYOND_THE_LIMIT_MS = 6_000;
const FROZEN_MS = 30_000;
const AT_ANY_MOMENT_MS = 5_000;
const EVENTS = 30;
const DISK_MEGABYTES = 400;
/** `npm run ci:night`: each component on its own, and for longer. */
const LONG = process.env['LAUREL_FAULTS'] === 'long';
/** For the instants of the faults. */
const random = randomOf(seedOf('faults of the topology'));
const FULL_MS = LONG ? 90_000 : 5_000;
/** With LAUREL_KAFKA_BROKERS the broker has no listener for a proxy, and is left alone. */
const describeWithOwnBroker = process.env['LAUREL_KAFKA_BROKERS'] ? describe.skip : describe;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describeWithOwnBroker('the distributed topology under a load of parallel posts', () => {
  let world: ProxiedTestBroker;
  let disk: SmallDisk;
  let postgres: OwnServer;
  let topology: Topology;
  let watched: WatchedService;
  let load: Load;
  const stops: (() => unknown)[] = [];

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'laurel-faults-'));
    // As root, Postgres runs as another user, who must be able to pass through.
    chmodSync(folder, 0o755);
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    disk = openSmallDisk(join(folder, 'postgres'), { megabytes: DISK_MEGABYTES, writers: () => [postgres.pid] });
    stops.push(() => disk.close());
    [world, postgres] = await Promise.all([startProxiedTestBroker(), startOwnServer(disk.folder)]);
    stops.push(
      () => world.broker.dispose(),
      () => world.proxy.close(),
      () => postgres.stop(),
      () => disk.free(),
    );
    topology = await startTestTopology({
      configuration: HTTP_SUITE_CONFIGURATION,
      instances: { 'points-service': 2 },
      environment: { LAUREL_ANSWER_LIMIT_MS: '1000' },
      kafka: world.behindProxy,
      postgres,
    });
    stops.push(() => topology.stop());
    const { url, apiKey, processes } = topology;
    watched = { url, apiKey, others: processes.map((process) => process.url).filter((other) => other !== url) };
    load = Load.on(topology, 8);
    stops.push(() => load.abandon());
    await load.more(EVENTS);
  });
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  const statuses = (path: string, services: readonly string[] = SERVICES): Promise<readonly number[]> =>
    Promise.all(
      services.flatMap((service) => topology.of(service)).map(async ({ url }) => (await fetch(`${url}${path}`)).status),
    );
  const allReady = (): Promise<void> =>
    eventually(
      topology,
      'every process is ready',
      async () => (await statuses('/readyz')).every((status) => status === 200),
      90_000,
    );
  /** Under load before, meanwhile and after. */
  const withFault = async (fault: () => Promise<void>, options: WatchOptions = {}): Promise<void> => {
    await showsInStatus(watched, fault, { troubles: () => troublesOf(topology), ...options });
    await load.more(EVENTS);
  };
  const becomesRed = (services: readonly string[]): Promise<void> =>
    eventually(topology, `${services.join(', ')} say so`, async () =>
      (await statuses('/readyz', services)).every((status) => status === 503),
    );

  const killAlone = async (name: string): Promise<void> => {
    if (name === 'Postgres') {
      process.kill(postgres.pid, 'SIGKILL');
      return becomesRed(['ingestion-gateway']);
    }
    if (name === 'the broker') {
      await topology.kafka.kill();
      await becomesRed(CHAIN);
      return topology.kafka.restart();
    }
    await Promise.all(topology.of(name).map((process) => process.kill()));
    await pause(random() * AT_ANY_MOMENT_MS);
    await Promise.all(topology.of(name).map((process) => process.start()));
  };

  it('recovers when a member is answered too late while it joins', async () => {
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

  it('recovers when connections to the broker are delayed and cut', async () => {
    world.proxy.delayMs = 200;
    await load.more(EVENTS);
    for (let time = 0; time < 3; time++) {
      world.proxy.cut();
      await load.more(EVENTS);
    }
    world.proxy.delayMs = 0;
    await allReady();
  });

  it('recovers when every process is killed, one soon after the other, and restarted', async () => {
    await withFault(
      async () => {
        for (const service of CHAIN) {
          await Promise.all(topology.of(service).map((process) => process.kill()));
          await load.more(5);
        }
        await eventually(topology, 'status is red', async () => !(await isReady(topology)));
        for (const service of ['query-gateway', 'ingestion-gateway'])
          for (const process of topology.of(service)) await process.kill();
        await Promise.all(topology.processes.map((process) => process.start()));
      },
      { meanwhile: 'silent' },
    );
  });

  it('recovers when the broker is killed and restarted', async () => {
    await withFault(async () => {
      await topology.kafka.kill();
      await load.more(EVENTS);
      await becomesRed(CHAIN);
      await topology.kafka.restart();
    });
  });

  it('recovers when the broker is frozen for half a minute, which every service reports', async () => {
    await withFault(async () => {
      const thawed = freezeFor(world.broker.pid as number, FROZEN_MS);
      const until = performance.now() + FROZEN_MS;
      await load.more(EVENTS);
      await becomesRed(CHAIN);
      while (performance.now() < until) {
        expect(new Set(await statuses('/healthz'))).toEqual(new Set([200]));
        await pause(1_000);
      }
      await thawed;
    });
    expect(new Set(await statuses('/healthz'))).toEqual(new Set([200]));
  });

  it('recovers when Postgres is killed and restarted', async () => {
    await withFault(() => killAlone('Postgres'));
  });

  it('recovers when every process, then Postgres, is frozen for half a minute', async () => {
    await withFault(
      async () => {
        const pids = [...topology.processes.map(({ pid }) => pid), postgres.pid];
        await Promise.all(
          pids.map(async (pid, turn) => {
            await pause(turn * 1_000);
            await freezeFor(pid, FROZEN_MS);
          }),
        );
      },
      { meanwhile: 'silent' },
    );
  });

  it('refuses events with 503 while the disk of Postgres is full', async () => {
    await withFault(async () => {
      disk.fill();
      if (disk.refusesSmallFiles) {
        await refusals(load);
        await isReadyOnlyIfItRecords(watched, load, 3_000);
      }
      await useUpWal(postgres.connection);
      await refusals(load);
      await isReadyOnlyIfItRecords(watched, load, FULL_MS);
      disk.free();
    });
  });

  if (LONG) {
    it.each([...SERVICES, 'the broker', 'Postgres'])('recovers when %s alone is killed at any moment', async (name) => {
      await pause(random() * AT_ANY_MOMENT_MS);
      await withFault(() => killAlone(name), { meanwhile: SERVICES.includes(name) ? 'silent' : 'red' });
    });

    it.each([...SERVICES, 'Postgres'])(
      'recovers when %s alone is frozen for half a minute at any moment',
      async (name) => {
        await pause(random() * AT_ANY_MOMENT_MS);
        const pids = name === 'Postgres' ? [postgres.pid] : topology.of(name).map(({ pid }) => pid);
        const freeze = async (): Promise<void> => {
          await Promise.all(pids.map((pid) => freezeFor(pid, FROZEN_MS)));
        };
        await withFault(freeze, { meanwhile: SERVICES.includes(name) ? 'silent' : 'red' });
      },
    );
  }

  it('answers every request correctly and neither loses nor duplicates an acknowledged event', async () => {
    await load.stop();
    await caughtUp(topology);
    expect(load.violations).toEqual([]);
    expect(load.counts.pending).toBeGreaterThan(0);
    expect(await differencesOf(topology, load)).toEqual({ lost: [], surplus: [], totals: [] });
  });

  it('stores what a standalone makes of the same log', async () => {
    const { distributed, standalone } = await compareWithStandalone(topology.postgres.connection, 'default');
    expect(distributed).toEqual(standalone);
  });
});

const assignedTo = async (service: ServiceProcess): Promise<number | undefined> =>
  (await service.metrics()).get('laurel_partitions_assigned');

async function isReady({ url, apiKey }: Topology): Promise<boolean> {
  const response = await fetch(new URL('/admin/v1/status', url), { headers: { 'x-api-key': apiKey } });
  return response.status === 200 && ((await response.json()) as { ready: boolean }).ready;
}
