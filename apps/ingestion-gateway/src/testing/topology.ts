import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EmbeddedConnection } from '@laurel/embedded-postgres';
import type { KafkaBroker } from '@laurel/testing';

/** As `tools/distributed/start-topology.mjs` describes it. */
export interface ServiceProcess {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly log: string;
  signal(name: NodeJS.Signals): void;
  kill(): Promise<void>;
  stop(): Promise<number | string>;
  start(): Promise<void>;
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
  /** The document that it starts with. */
  readonly configuration: string;
  readonly instances?: Readonly<Record<string, number>>;
  readonly eventStoreUrl?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

interface TopologyTools {
  startTopology(options: Omit<TopologyOptions, 'configuration'> & { dataDir: string; config: string }): Promise<Topology>;
}

/** A whole topology of the built apps in a folder of its own, which is removed when it stops. */
export async function startTestTopology({ configuration, ...options }: TopologyOptions): Promise<Topology> {
  const dataDir = newFolder();
  const config = join(dataDir, 'laurel.config.yaml');
  writeFileSync(config, configuration);
  const tools = new URL('../../../../tools/distributed/start-topology.mjs', import.meta.url);
  const { startTopology } = (await import(tools.href)) as TopologyTools;
  const topology = await startTopology({ ...options, dataDir, config });
  const stop = async (): Promise<void> => {
    await topology.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return Object.create(topology, { stop: { value: stop } }) as Topology;
}

/** As root, Postgres runs as another user, who must be able to pass through. */
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'laurel-topology-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** What processes have told of trouble, for the report of a test that failed. */
export function troubles({ processes }: Topology): string {
  const lines = processes.flatMap(({ log }) =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !/^\{"level":(?:10|20|30),/.test(line))
      .map((line) => `${log}: ${line}`),
  );
  return lines.join('\n');
}
