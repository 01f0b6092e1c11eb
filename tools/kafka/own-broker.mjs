// One broker for tests: its settings, its data, its process.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { guardAgainstOrphan } from './orphan-guard.mjs';

const LOG4J = fileURLToPath(new URL('./log4j2.properties', import.meta.url));
const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 60_000;
/**
 * 16 bytes in Base64. Any value will do, because these brokers only connect to brokers that were started together with
 * them.
 */
const CLUSTER_ID = 'TGF1cmVsLXRlc3QtYmtyMQ';

/** Listeners of a broker that has only the plain one. */
export const ALONE = { secured: null, proxied: null };

/**
 * @param {{ jars: string, dataDir: string, ports: { broker: number, controller: number }, removeData: boolean,
 *   listeners?: { secured: object | null, proxied: object | null }, id?: number, quorum?: readonly number[],
 *   longRunning?: boolean }} parts `quorum`: the controllers' ports of all brokers of its cluster, in the order of
 *   their ids; `id`: 1 for the first of them; `longRunning`: see `startKafka`
 * @returns {import('./start-kafka.mjs').KafkaBroker}
 */
export function ownBroker(parts) {
  const { jars, dataDir, ports, listeners = ALONE, removeData } = parts;
  let running = null;
  const end = async (signal) => {
    const ending = running;
    running = null;
    if (ending) await ending.end(signal);
  };
  return {
    brokers: [`127.0.0.1:${ports.broker}`],
    secured: listeners.secured,
    proxied: listeners.proxied?.port ?? null,
    get pid() {
      return running?.pid ?? null;
    },
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    restart: async () => {
      await end('SIGTERM');
      const settings = writeSettings({ ...parts, listeners });
      format(jars, dataDir, settings, listeners.secured?.formatting ?? []);
      running = await launch({
        jars,
        dataDir,
        settings,
        port: ports.broker,
        options: [...(parts.longRunning ? [] : [FIRST_COMPILER_ALONE]), ...(listeners.secured?.java ?? [])],
        removeData,
      });
    },
  };
}

/**
 * Writes the settings: all internal topics are small, so that the broker starts within seconds, and each broker has a
 * copy of them.
 */
function writeSettings({ dataDir, ports: { broker, controller }, listeners, id = 1, quorum = [controller] }) {
  const { secured, proxied } = listeners;
  const copies = quorum.length;
  const inSync = Math.min(2, copies);
  mkdirSync(dataDir, { recursive: true });
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': id,
    'controller.quorum.voters': quorum.map((port, index) => `${index + 1}@127.0.0.1:${port}`).join(','),
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${broker}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': join(dataDir, 'log'),
    'auto.create.topics.enable': false,
    'group.initial.rebalance.delay.ms': 0,
    // How long a killed broker waits until the cluster admits it again.
    'broker.session.timeout.ms': 2000,
    'broker.heartbeat.interval.ms': 500,
    'group.min.session.timeout.ms': 1000,
    'min.insync.replicas': inSync,
    // Retention and compaction are checked every second instead of every few minutes.
    'log.retention.check.interval.ms': 1000,
    'log.cleaner.backoff.ms': 1000,
    'log.cleaner.dedupe.buffer.size': 4 * 1024 * 1024,
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    'transaction.state.log.num.partitions': 1,
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': inSync,
    'share.coordinator.state.topic.num.partitions': 1,
    ...secured?.settings,
  };
  for (const { added } of [secured, proxied].filter((listener) => listener !== null))
    for (const [name, more] of Object.entries(added)) settings[name] += `,${more}`;
  const file = join(dataDir, 'server.properties');
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${String(value).replaceAll('\\', '\\\\')}\n`);
  writeFileSync(file, lines.join(''));
  return file;
}

/**
 * Disables the second compiler of Java, whose work pays off only after minutes. A broker in a test then needs half of
 * the processor time.
 */
const FIRST_COMPILER_ALONE = '-XX:TieredStopAtLevel=1';
const java = (jars, ...args) => ['-cp', join(jars, '*'), `-Dlog4j2.configurationFile=${LOG4J}`, ...args];

function format(jars, dataDir, settings, more) {
  if (existsSync(join(dataDir, 'log', 'meta.properties'))) return;
  const args = java(
    jars,
    FIRST_COMPILER_ALONE,
    'kafka.tools.StorageTool',
    'format',
    '-t',
    CLUSTER_ID,
    '-c',
    settings,
    ...more,
  );
  const { status, stdout, stderr } = spawnSync('java', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Kafka's data folder could not be made: ${stdout}${stderr}`);
}

async function launch({ jars, dataDir, settings, port, options, removeData }) {
  const logFile = join(dataDir, 'broker.log');
  const output = openSync(logFile, 'a');
  const args = java(jars, '-Xms256m', '-Xmx256m', '-XX:+UseSerialGC', ...options, 'kafka.Kafka', settings);
  const child = spawn('java', args, { cwd: dataDir, detached: true, stdio: ['ignore', output, output] });
  closeSync(output);
  let over = false;
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('exit', resolve)).finally(() => {
    over = true;
  });
  ended.catch(() => undefined);
  const guard = guardAgainstOrphan({ pid: child.pid, mark: settings, folder: removeData ? dataDir : null });
  child.unref();
  const end = async (signal) => {
    child.ref();
    if (!over) child.kill(signal);
    const overdue = setTimeout(() => child.kill('SIGKILL'), STOPPED_WITHIN_MS);
    await ended;
    clearTimeout(overdue);
    guard.dismiss();
  };
  try {
    await answers(port, () => over);
  } catch (error) {
    await end('SIGKILL');
    throw new Error(`${error.message}: ${readFileSync(logFile, 'utf8').trim().split('\n').slice(-20).join('\n')}`);
  }
  return { pid: child.pid, end };
}

async function answers(port, isOver) {
  const deadline = performance.now() + READY_WITHIN_MS;
  while (!(await asksForVersions(port))) {
    if (isOver()) throw new Error('Kafka ended before it was ready');
    if (performance.now() > deadline) throw new Error(`Kafka was not ready within ${READY_WITHIN_MS / 1000} s`);
    await sleep(50);
  }
}

/**
 * Whether the broker answers a request for its API versions. A broker that is still starting accepts connections, but
 * answers only when it can serve every request.
 */
function asksForVersions(port) {
  const API_VERSIONS = Buffer.from('0000000a00120000000000010000', 'hex');
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(API_VERSIONS));
    const done = (answered) => {
      socket.destroy();
      resolve(answered);
    };
    socket.setTimeout(2_000, () => done(false));
    socket
      .once('data', () => done(true))
      .once('error', () => done(false))
      .once('close', () => done(false));
  });
}
