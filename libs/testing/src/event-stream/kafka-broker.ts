import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KafkaEventStream } from '@laurel/event-stream';
import { systemClock } from '../clock/system-clock.ts';
import { openTcpProxy, type TcpProxy } from '../database/tcp-proxy.ts';

/** A broker as described in `tools/kafka/start-kafka.mjs`. */
export interface KafkaBroker {
  readonly brokers: readonly string[];
  /** The TLS listener for authenticated clients; null if there is none. */
  readonly secured: SecuredListener | null;
  /** The port of the listener behind a proxy, or null if there is none. */
  readonly proxied: number | null;
  /** null if it is not running, or if LAUREL_KAFKA_BROKERS names it, so that the test cannot stop it. */
  readonly pid: number | null;
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** Restarts it on the same data and the same port. */
  restart(): Promise<void>;
}

export interface SecuredListener {
  readonly brokers: readonly string[];
  readonly certificate: string;
  readonly username: string;
  readonly password: string;
  /** Addresses that require a client certificate. */
  readonly mutual: readonly string[];
  /** Addresses that require an OAuth token. */
  readonly bearer: readonly string[];
}

interface BrokerOptions {
  readonly secured?: boolean;
  /** Further clients of a secured broker: with a certificate of this authority (PEM), or with such a token. */
  readonly clients?: {
    readonly authority?: string;
    readonly tokens?: { readonly jwksUrl: string; readonly issuer: string; readonly audience: string };
  };
  /**
   * Makes the broker also listen on the port `proxied`, and direct clients that connect there to this port of
   * 127.0.0.1.
   */
  readonly proxyPort?: number;
}

/** Several brokers used like one; `stop`, `kill` and `restart` apply to all of them. */
export interface KafkaCluster extends KafkaBroker {
  readonly nodes: readonly KafkaBroker[];
}

interface Folder {
  readonly dataDir: string;
  readonly removeData: boolean;
}

interface KafkaTools {
  startKafka(options: BrokerOptions & Folder): Promise<KafkaBroker>;
  startKafkaCluster(options: Folder & { readonly size: number }): Promise<KafkaCluster>;
}

/**
 * Starts a real broker for a test that kills and restarts it. The broker and its data end with this process at the
 * latest.
 */
export async function startTestBroker(
  options: BrokerOptions = {},
): Promise<KafkaBroker & { dispose(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'laurel-kafka-'));
  return disposable(await (await tools()).startKafka({ ...options, dataDir, removeData: true }), dataDir);
}

/** Starts a real cluster for a test: topics may have as many copies as there are brokers. */
export async function startTestCluster(size: number): Promise<KafkaCluster & { dispose(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'laurel-kafka-'));
  return disposable(await (await tools()).startKafkaCluster({ dataDir, size, removeData: true }), dataDir);
}

function disposable<T extends KafkaBroker>(kafka: T, dataDir: string): T & { dispose(): Promise<void> } {
  const dispose = async (): Promise<void> => {
    await kafka.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return Object.create(kafka, { dispose: { value: dispose } }) as T & { dispose(): Promise<void> };
}

export interface ProxiedTestBroker {
  /** The broker; its addresses bypass the proxy. */
  readonly broker: Awaited<ReturnType<typeof startTestBroker>>;
  /**
   * The proxy. Clients that connect to its address are never redirected past it. `dispose` of the broker leaves it
   * open.
   */
  readonly proxy: TcpProxy;
  /** The broker with the proxy's address, for example for a topology. */
  readonly behindProxy: KafkaBroker;
}

/** Starts a real broker for a test, with a proxy in front of it. */
export async function startProxiedTestBroker(): Promise<ProxiedTestBroker> {
  const proxy = await openTcpProxy();
  const broker = await startTestBroker({ proxyPort: proxy.port });
  if (broker.proxied !== null) proxy.target = { host: '127.0.0.1', port: broker.proxied };
  const behindProxy = Object.create(broker, { brokers: { value: [proxy.address] } }) as KafkaBroker;
  return { broker, proxy, behindProxy };
}

/**
 * The brokers of a real Kafka, for tests that do not disturb it. It belongs to the calling process (a jest worker): the
 * first call starts it, later calls, also from other test files, reuse it, and it ends with the process in any case.
 */
export async function findOrStartTestBroker(): Promise<readonly string[]> {
  return (found ??= findOrStart());
}

let found: Promise<readonly string[]> | null = null;

/** Each test file has a separate copy of this module, but they share the process, so its id names the folder. */
async function findOrStart(): Promise<readonly string[]> {
  const dataDir = join(tmpdir(), `laurel-kafka-${process.pid}`);
  const note = join(dataDir, 'brokers.json');
  if (existsSync(note)) {
    const brokers = JSON.parse(readFileSync(note, 'utf8')) as string[];
    if (await answers(brokers)) return brokers;
    // Left by an earlier process with the same id.
    rmSync(dataDir, { recursive: true, force: true });
  }
  const { brokers, pid } = await (await tools()).startKafka({ dataDir, removeData: true });
  if (pid !== null) writeFileSync(note, JSON.stringify(brokers));
  return brokers;
}

async function answers(brokers: readonly string[]): Promise<boolean> {
  const stream = new KafkaEventStream({ brokers, clientId: 'test', clock: systemClock });
  try {
    await stream.ping();
    return true;
  } catch {
    return false;
  } finally {
    await stream.close();
  }
}

/** Imported by their path, because the tools are plain JavaScript and not a library. */
async function tools(): Promise<KafkaTools> {
  const place = new URL('../../../../tools/kafka/start-kafka.mjs', import.meta.url);
  return (await import(place.href)) as KafkaTools;
}
