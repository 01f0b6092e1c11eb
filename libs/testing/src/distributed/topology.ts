import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedConnection } from '@laurel/embedded-postgres';
import type { KafkaBroker } from '../event-stream/kafka-broker.ts';

/** A process as described in `tools/distributed/start-topology.mjs`. */
export interface ServiceProcess {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly log: string;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  stop(): Promise<number | string>;
  /** @param environment additional variables until the process ends */
  start(environment?: Readonly<Record<string, string>>): Promise<void>;
  job(command: string): Promise<{ readonly code: number | string; readonly log: string }>;
  metrics(): Promise<ReadonlyMap<string, number>>;
}

export interface Topology {
  readonly url: string;
  readonly apiKey: string;
  readonly kafka: KafkaBroker;
  readonly postgres: { readonly connection: EmbeddedConnection };
  readonly processes: readonly ServiceProcess[];
  of(service: string): readonly ServiceProcess[];
  stop(): Promise<void>;
}

export interface TopologyOptions {
  /** The initial configuration document. */
  readonly configuration: string;
  /** The LAUREL_STEPS of each process that runs a part of the chain. Default: one process for each service. */
  readonly steps?: readonly string[];
  readonly instances?: Readonly<Record<string, number>>;
  readonly eventStoreUrl?: string;
  /** Whether to start an outgoing service. */
  readonly outgoing?: boolean;
  /** A running broker, which is not stopped with the topology. Default: a new one. */
  readonly kafka?: KafkaBroker;
  /**
   * A running server, which is not stopped with the topology and must accept some hundred clients. Default: a new one.
   */
  readonly postgres?: { readonly connection: EmbeddedConnection };
  readonly environment?: Readonly<Record<string, string>>;
}

interface TopologyTools {
  startTopology(options: object): Promise<Topology>;
}

/** Whether to keep the folder of a topology, with the logs of all processes, for inspection. */
const KEPT = process.env['LAUREL_KEEP_TOPOLOGY'] === 'true';

/** Starts a whole topology of the built apps in a separate folder, which is removed when it stops. */
export async function startTestTopology({ configuration, ...options }: TopologyOptions): Promise<Topology> {
  const dataDir = newFolder();
  const config = join(dataDir, 'laurel.config.yaml');
  writeFileSync(config, configuration);
  const tools = new URL('../../../../tools/distributed/start-topology.mjs', import.meta.url);
  const { startTopology } = (await import(tools.href)) as TopologyTools;
  const topology = await startTopology({ ...options, dataDir, config });
  const stop = async (): Promise<void> => {
    await topology.stop();
    if (!KEPT) rmSync(dataDir, { recursive: true, force: true });
  };
  return Object.create(topology, { stop: { value: stop } }) as Topology;
}

/** If started by root, Postgres runs as another user, who must be able to enter the folder. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-topology-'));
  chmodSync(folder, 0o755);
  return folder;
}

const LINES_OF_TROUBLE = 20;

/** The last errors that the processes have logged, for the report of a failed test. */
export const troublesOf = ({ processes }: Topology): string =>
  processes
    .filter(({ log }) => existsSync(log))
    .flatMap(({ log }) =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '' && !/^\{"level":"?(?:10|20|30|trace|debug|info)\b/.test(line))
        .slice(-LINES_OF_TROUBLE)
        .map((line) => `${log}: ${line.slice(0, 1_000)}`),
    )
    .join('\n');

/** Waits until `condition` holds. @throws Error with the last value and the output of the processes */
export async function eventually(
  topology: Topology,
  what: string,
  condition: () => Promise<boolean> | boolean,
  limitMs = 60_000,
  seen: () => unknown = () => '',
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    if (await condition()) return;
    if (performance.now() > deadline)
      throw new Error(`${what}: not within ${limitMs / 1_000} s; ${JSON.stringify(seen())}\n${troublesOf(topology)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The ingestion gateway that publishes the log, leaving out those that cannot be asked. */
export async function leaderOf(topology: Topology, except: readonly ServiceProcess[] = []): Promise<ServiceProcess> {
  let leader: ServiceProcess | undefined;
  await eventually(topology, 'a gateway publishes the log', async () => {
    for (const gateway of topology.of('ingestion-gateway').filter((one) => !except.includes(one)))
      if ((await gateway.metrics()).get('laurel_leading') === 1) leader = gateway;
    return leader !== undefined;
  });
  return leader as ServiceProcess;
}
