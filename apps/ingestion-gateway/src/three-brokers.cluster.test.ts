import { CHAIN_SERVICES, TOPICS } from '@laurel/ports';
import type { ServiceStatus } from '@laurel/schemas';
import { KafkaEventStream } from '@laurel/event-stream';
import { systemClock } from '@laurel/testing/clock';
import {
  Load,
  caughtUp,
  compareWithStandalone,
  differencesOf,
  eventually,
  poison,
  retainNothing,
  settingsOf,
  startTestTopology,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';
import { startTestCluster } from '@laurel/testing/event-stream';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';

const CHAIN = CHAIN_SERVICES.map(({ name }) => name);
const EVENTS = 60;
const POISONED = 1;

let cluster: Awaited<ReturnType<typeof startTestCluster>>;
let topology: Topology;
let stream: KafkaEventStream;
let load: Load;
const stops: (() => unknown)[] = [];

beforeAll(async () => {
  cluster = await startTestCluster(3);
  stops.push(() => cluster.dispose());
  topology = await startTestTopology({
    configuration: HTTP_SUITE_CONFIGURATION,
    environment: { LAUREL_REPLICATION: '3', LAUREL_ANSWER_LIMIT_MS: '1000' },
    kafka: cluster,
  });
  stops.push(() => topology.stop());
  stream = new KafkaEventStream({ brokers: cluster.brokers, clientId: 'test', clock: systemClock });
  stops.push(() => stream.close());
  load = Load.on(topology, 6);
  stops.push(() => load.abandon());
  await load.more(EVENTS);
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

const only = (service: string): ServiceProcess => topology.of(service)[0] as ServiceProcess;

async function status(): Promise<ServiceStatus> {
  const response = await fetch(`${topology.url}/admin/v1/status`, { headers: { 'x-api-key': topology.apiKey } });
  return (await response.json()) as ServiceStatus;
}

const recordsOf = async (service: string): Promise<number> =>
  (await only(service).metrics()).get('laurel_records_total') ?? 0;

const problems = async (): Promise<readonly string[]> => (await status()).problems ?? [];

/** Waits until the status has this problem, and the readiness of the gateways too. */
async function isNamed(problem: RegExp): Promise<void> {
  const named = async (): Promise<boolean> => (await problems()).some((one) => problem.test(one));
  await eventually(topology, `the status names ${problem}`, named, 60_000, problems);
  for (const gateway of ['ingestion-gateway', 'query-gateway']) {
    const shown = async (): Promise<boolean> => problem.test(await (await fetch(`${only(gateway).url}/readyz`)).text());
    await eventually(topology, `${gateway} shows ${problem}`, shown);
  }
}

const isGreen = (): Promise<void> =>
  eventually(topology, 'the status is green', async () => (await status()).ready, 90_000, problems);

async function resend(service: string): Promise<void> {
  const { code, log } = await only(service).job('resend');
  if (code !== 0) throw new Error(`resend of ${service} ended with ${code}: ${log.slice(-2_000)}`);
}

/** As the guide says: the services stand still, what was lost is sent again, and all go on. */
async function refill(from: string, also: readonly string[] = []): Promise<void> {
  const stopped = [...CHAIN, ...also];
  await Promise.all(stopped.map((service) => only(service).stop()));
  await resend(from);
  await Promise.all(stopped.map((service) => only(service).start()));
}

const pids = (): readonly number[] => topology.processes.map(({ pid }) => pid);

describe('the distributed topology on three brokers under a load of parallel posts', () => {
  it('keeps three copies of every topic and needs two of them to write', async () => {
    expect(await stream.copies(Object.values(TOPICS))).toEqual(
      Object.values(TOPICS).map((topic) => ({ topic, copies: 3, inSync: 3 })),
    );
    for (const topic of Object.values(TOPICS))
      expect((await settingsOf(topology, topic)).get('min.insync.replicas')).toBe('2');
  });

  it('continues without a restart while a broker is dead, and the status reports it', async () => {
    const before = pids();
    const [bootstrap] = cluster.nodes;
    await bootstrap?.kill();
    await load.more(EVENTS);
    await isNamed(/Kafka lacks copies \(in sync: laurel\.2\.log 2 of 3, .*\): a broker is away or behind\./);
    // One that starts now finds the others by those that are left.
    expect(await only('leaderboard-service').job('rebuild')).toMatchObject({ code: 0 });
    const { head } = await status();
    await eventually(
      topology,
      'what was recorded while it is dead is applied',
      async () => (await status()).areas.every(({ position }) => position >= head),
      60_000,
      status,
    );
    await bootstrap?.restart();
    await load.more(EVENTS);
    await isGreen();
    expect(pids()).toEqual(before);
  });

  it('halts a partition at an invalid message, skips nothing and continues once it is resent', async () => {
    const { end: offset = 0 } = (await stream.bounds(TOPICS.streaks))[POISONED] ?? {};
    await poison(topology, TOPICS.streaks, POISONED);
    await load.more(EVENTS);
    await isNamed(
      /achievement-service is halted in partition 1 of laurel\.2\.streaks at offset \d+: the message .* laurel-/,
    );
    const [stopped] =
      (await status()).services?.find(({ service }) => service === 'achievement-service')?.stopped ?? [];
    expect(stopped).toMatchObject({ partition: POISONED });
    expect(stopped?.offset).toBeGreaterThanOrEqual(offset);
    const readiness = await fetch(`${only('achievement-service').url}/readyz`);
    expect([readiness.status, await readiness.text()]).toEqual([503, expect.stringContaining(stopped?.reason ?? '?')]);
    const applied = await recordsOf('achievement-service');
    await load.more(EVENTS);
    expect(await recordsOf('achievement-service')).toBeGreaterThan(applied);
    const { services } = await status();
    const achievements = services?.find(({ service }) => service === 'achievement-service');
    expect(achievements?.stopped).toEqual([stopped]);
    expect(achievements?.behind).toBeGreaterThan(0);
    await refill('streak-service');
    await load.more(EVENTS);
    await isGreen();
  });

  it('names messages that the retention deleted unread and resends them from the event store', async () => {
    await only('streak-service').stop();
    await load.more(EVENTS);
    await retainNothing(topology, TOPICS.log);
    await isNamed(
      /Kafka has deleted messages of laurel\.2\.log that streak-service had not applied: offsets \d+ to \d+ of partition \d.* run resend of ingestion-gateway\./,
    );
    expect(await only('streak-service').job('rebuild')).toMatchObject({
      code: 1,
      log: expect.stringMatching(
        /messages before offset \d+ of partition \d of laurel\.2\.log were deleted: run resend/,
      ),
    });
    await only('streak-service').start();
    await load.more(EVENTS);
    await isNamed(/streak-service is halted in partition \d of laurel\.2\.log at offset \d+: messages .* missing/);
    await refill('ingestion-gateway', ['ingestion-gateway']);
    await load.more(EVENTS);
    await isGreen();
  });

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
    expect(distributed.lines.map(({ rows }) => rows > 0)).toEqual(distributed.lines.map(() => true));
  });
});
