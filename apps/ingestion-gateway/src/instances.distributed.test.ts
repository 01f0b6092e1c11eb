import { readFileSync } from 'node:fs';
import { CHAIN_SERVICES } from '@laurel/ports';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import {
  BlockedCommits,
  Load,
  caughtUp,
  compareWithStandalone,
  differencesOf,
  eventually,
  leaderOf,
  startTestTopology,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';

const CHAIN = CHAIN_SERVICES.map(({ name }) => name);
const CONSUMERS = [...CHAIN, 'query-gateway'] as const;
const SERVICES = [...CONSUMERS, 'ingestion-gateway'];
const PARTITIONS = 4;
/** Between two changes of who owns what. */
const EVENTS = 30;

let topology: Topology;
let running: Topology | null = null;
let load: Load | null = null;

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: HTTP_SUITE_CONFIGURATION,
    instances: Object.fromEntries(SERVICES.map((service) => [service, 2])),
    environment: { LAUREL_ANSWER_LIMIT_MS: '1000' },
  });
  load = Load.on(topology, 12);
  await more();
});

afterAll(async () => {
  await load?.stop();
  await running?.stop();
});

const more = async (): Promise<void> => {
  await load?.more(EVENTS);
};

const instance = (service: string, number: number): ServiceProcess => topology.of(service)[number] as ServiceProcess;

const owned = async (process: ServiceProcess): Promise<number> =>
  (await process.metrics()).get('laurel_partitions_assigned') ?? Number.NaN;

/** Waits until each service's partitions are spread over instances as is said. */
async function spread(
  what: string,
  fits: (parts: readonly number[]) => boolean,
  numbers: readonly number[],
  services: readonly string[] = CONSUMERS,
) {
  for (const service of services) {
    let parts: readonly number[] = [];
    const isSpread = async () => {
      parts = await Promise.all(numbers.map((number) => owned(instance(service, number))));
      return parts.reduce((sum, part) => sum + part, 0) === PARTITIONS && fits(parts);
    };
    await eventually(topology, `${service}: ${what}`, isSpread, 60_000, () => parts);
  }
}

const amongBoth = () => spread('each instance owns some', (parts) => parts.every((part) => part > 0), [0, 1]);
const allBy = (number: number, services?: readonly string[]) =>
  spread(`instance ${number} owns everything`, () => true, [number], services);

describe('the topology with two instances of every service under a load of parallel posts', () => {
  it('spreads the work over all instances', async () => {
    await amongBoth();
  });

  it.each(SERVICES)('continues while an instance of the %s is stopped and restarted', async (service) => {
    expect(await instance(service, 0).stop()).toBe(0);
    await more();
    await instance(service, 0).start();
    await more();
  });

  it('continues when one instance of each is killed, and restarts it after the take-over', async () => {
    await amongBoth();
    await Promise.all(SERVICES.map((service) => instance(service, 1).kill()));
    await allBy(0);
    await more();
    await Promise.all(SERVICES.map((service) => instance(service, 1).start()));
    await amongBoth();
    await more();
  });

  it('continues when instances are frozen beyond their session, some between sending and committing', async () => {
    const blocked = await Promise.all(CHAIN.map((service) => BlockedCommits.hold(topology, service)));
    const frozen = [...CONSUMERS.map((service) => instance(service, 1)), await leaderOf(topology)];
    try {
      // Of the first service two: an instance whose commit waits fetches nothing else, so they are of both instances.
      await Promise.all(blocked.map((commits, place) => commits.waiting(place === 0 ? 2 : 1)));
      for (const process of frozen) process.signal('SIGSTOP');
    } finally {
      await Promise.all(blocked.map((commits) => commits.release()));
    }
    await allBy(0);
    await leaderOf(topology, frozen);
    await more();
    for (const process of frozen) process.signal('SIGCONT');
    await amongBoth();
    await more();
  });

  it('continues when a frozen instance wakes to messages that another has applied', async () => {
    const frozen = CHAIN.map((service) => instance(service, 1));
    // From the end of the chain, so that messages still reach each when it is frozen already.
    for (const process of frozen.toReversed()) {
      process.signal('SIGSTOP');
      await more();
    }
    await allBy(0, CHAIN);
    await more();
    const refused = () =>
      frozen.map(({ log }) => readFileSync(log, 'utf8').split('moved on by another process').length);
    const before = refused();
    for (const process of frozen) process.signal('SIGCONT');
    await amongBoth();
    await more();
    await eventually(topology, 'a commit of one that was frozen is refused', () =>
      refused().some((count, place) => count > (before[place] ?? 0)),
    );
  });

  it('answers every request correctly and neither loses nor duplicates an acknowledged event', async () => {
    await load?.stop();
    await caughtUp(topology);
    expect(load?.violations).toEqual([]);
    expect(await differencesOf(topology, load as Load)).toEqual({ lost: [], surplus: [], totals: [] });
  });

  it('stores what a standalone makes of the same log', async () => {
    const { services } = await caughtUp(topology);
    expect(services?.flatMap(({ stopped }) => stopped)).toEqual([]);
    const { distributed, standalone } = await compareWithStandalone(topology.postgres.connection, 'default');
    expect(distributed).toEqual(standalone);
  });
});
