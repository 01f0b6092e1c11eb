import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { KafkaEventStream } from '@laurel/event-stream';
import { systemClock } from '../clock/system-clock.ts';
import { openTcpProxy, type TcpProxy } from '../database/tcp-proxy.ts';

/** As `tools/kafka/start-kafka.mjs` describes it. */
export interface KafkaBroker {
  readonly brokers: readonly string[];
  /** The TLS listener for authenticated clients; null if there is none. */
  readonly secured: SecuredListener | null;
  /** Port of the listener behind a proxy; null if there is none. */
  readonly proxied: number | null;
  /** null if it does not run, or if LAUREL_KAFKA_BROKERS names it, so that the test cannot stop it. */
  readonly pid: number | null;
  stop(): Promise<void>;
  kill(): Promise<void>;
  /** On the same data and the same port. */
  restart(): Promise<void>;
}

export interface SecuredListener {
  readonly brokers: readonly string[];
  readonly certificate: string;
  readonly username: string;
  readonly password: string;
  /** Where it asks for a client certificate. */
  readonly mutual: readonly string[];
  /** Where it asks for an OAuth token. */
  readonly bearer: readonly string[];
}

interface BrokerOptions {
  readonly secured?: boolean;
  /** Who is let in besides, if it is secured: who has a certificate of this authority (PEM), or such a token. */
  readonly clients?: {
    readonly authority?: string;
    readonly tokens?: { readonly jwksUrl: string; readonly issuer: string; readonly audience: string };
  };
  /** It also listens on the port `proxied`, and sends clients that connect there to this port of 127.0.0.1. */
  readonly proxyPort?: number;
}

/** Several brokers, used like one; `stop`, `kill` and `restart` are for all of them. */
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

/** A real broker of the test's own, to be killed and restarted; it and its data end with this process at the latest. */
export async function startTestBroker(
  options: BrokerOptions = {},
): Promise<KafkaBroker & { dispose(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'laurel-kafka-'));
  return disposable(await (await tools()).startKafka({ ...options, dataDir, removeData: true }), dataDir);
}

/** A real cluster of the test's own: topics may have as many copies as it has brokers. */
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
  /** Its addresses lead past the proxy. */
  readonly broker: Awaited<ReturnType<typeof startTestBroker>>;
  /** Clients that connect to its address are never redirected past it. `dispose` of the broker leaves it open. */
  readonly proxy: TcpProxy;
  /** The same broker with the address of the proxy, such as for a topology. */
  readonly behindProxy: KafkaBroker;
}

/** A real broker of the test's own, and a proxy in front of it. */
export async function startProxiedTestBroker(): Promise<ProxiedTestBroker> {
  const proxy = await openTcpProxy();
  const broker = await startTestBroker({ proxyPort: proxy.port });
  if (broker.proxied !== null) proxy.target = { host: '127.0.0.1', port: broker.proxied };
  const behindProxy = Object.create(broker, { brokers: { value: [proxy.address] } }) as KafkaBroker;
  return { broker, proxy, behindProxy };
}

/**
 * The brokers of a real Kafka for tests that only use it. It belongs to the calling process (a jest worker): the first call
 * starts it, later ones, also from other test files, find it, and it ends with the process, however that ends.
 */
export async function findOrStartTestBroker(): Promise<readonly string[]> {
  return (found ??= findOrStart());
}

let found: Promise<readonly string[]> | null = null;

/** Each test file has its own copy of this module; what they share is the process, so its id names the folder. */
async function findOrStart(): Promise<readonly string[]> {
  const dataDir = join(tmpdir(), `laurel-kafka-${process.pid}`);
  const note = join(dataDir, 'brokers.json');
  if (existsSync(note)) {
    const brokers = JSON.parse(readFileSync(note, 'utf8')) as string[];
    if (await answers(brokers)) return brokers;
    // Of a process that had our number before.
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

/** By its place: the tools are plain JavaScript and no library. */
async function tools(): Promise<KafkaTools> {
  const place = new URL('../../../../tools/kafka/start-kafka.mjs', import.meta.url);
  return (await import(place.href)) as KafkaTools;
}
