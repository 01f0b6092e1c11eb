// A real Kafka broker for tests and tools: one process, KRaft, on 127.0.0.1 only.
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { fetchKafka } from './fetch-kafka.mjs';
import { guardAgainstOrphan } from './orphan-guard.mjs';
import { makeSecuredListener } from './secured-listener.mjs';

const LOG4J = fileURLToPath(new URL('./log4j2.properties', import.meta.url));
const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 60_000;
const ATTEMPTS = 5;
/** 16 bytes in Base64; which ones does not matter, a broker here is alone. */
const CLUSTER_ID = 'TGF1cmVsLXRlc3QtYmtyMQ';

/**
 * Starts a broker on the data of `dataDir`, which is made if need be; it ends with this process, however that ends.
 * If LAUREL_KAFKA_BROKERS names brokers, these are taken as they are and nothing is started.
 *
 * @typedef {object} KafkaBroker
 * @property {readonly string[]} brokers host:port, the same after `restart`
 * @property {import('./secured-listener.mjs').SecuredListener | null} secured
 * @property {number | null} proxied the port of the listener behind a proxy
 * @property {number | null} pid of the running broker; null: it is not ours, or it does not run
 * @property {() => Promise<void>} stop ends it in good order
 * @property {() => Promise<void>} kill ends it as a crash would
 * @property {() => Promise<void>} restart starts it again on the same data and port; if it runs, it is stopped before
 *
 * @param {{ dataDir: string, port?: number, removeData?: boolean, secured?: boolean, proxyPort?: number, progress?: (line: string) => void }} options
 *   `port`: any free one if not given; `removeData`: when this process ends while the broker runs, the folder goes too;
 *   `secured`: it also listens by TLS, for those who make themselves known by SASL; `proxyPort`: it also listens on the port
 *   `proxied`, and sends clients that connect there to this port of 127.0.0.1, where a proxy passes them on to `proxied`
 * @returns {Promise<KafkaBroker>}
 * @throws {Error} with the end of the broker's log if it does not start
 */
export async function startKafka({
  dataDir,
  port,
  removeData = false,
  secured = false,
  proxyPort,
  progress = () => undefined,
}) {
  const named = (process.env.LAUREL_KAFKA_BROKERS ?? '').split(',').map((broker) => broker.trim());
  if (named.some((broker) => broker !== '')) return foreignBroker(named.filter((broker) => broker !== ''));
  const jars = await fetchKafka(progress);
  for (let attempt = 1; ; attempt++) {
    const ports = { broker: port ?? (await freePort()), controller: await freePort() };
    const listeners = {
      secured: secured ? makeSecuredListener(dataDir, await freePort()) : null,
      proxied: proxyPort === undefined ? null : proxiedListener(await freePort(), proxyPort),
    };
    const broker = ownBroker({ jars, dataDir, ports, listeners, removeData });
    try {
      await broker.restart();
      return broker;
    } catch (error) {
      // Between the look and the start somebody else may have taken the port.
      if (attempt === ATTEMPTS || !/address already in use/i.test(error.message)) throw error;
    }
  }
}

function foreignBroker(brokers) {
  const refuse = () => Promise.reject(new Error('LAUREL_KAFKA_BROKERS: a broker that is not ours is left alone'));
  return {
    brokers,
    secured: null,
    proxied: null,
    pid: null,
    stop: () => Promise.resolve(),
    kill: refuse,
    restart: refuse,
  };
}

/** Kafka tells clients where to connect, so one that is to stay behind a proxy needs a listener that names the proxy. */
function proxiedListener(port, proxyPort) {
  return {
    port,
    added: {
      listeners: `PROXIED://127.0.0.1:${port}`,
      'advertised.listeners': `PROXIED://127.0.0.1:${proxyPort}`,
      'listener.security.protocol.map': 'PROXIED:PLAINTEXT',
    },
  };
}

function ownBroker({ jars, dataDir, ports, listeners, removeData }) {
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
      const settings = writeSettings(dataDir, ports, listeners);
      format(jars, dataDir, settings, listeners.secured?.formatting ?? []);
      running = await launch({ jars, dataDir, settings, port: ports.broker, removeData });
    },
  };
}

/** All internal topics small and unreplicated: this broker is alone, and has to be up in seconds. */
function writeSettings(dataDir, { broker, controller }, { secured, proxied }) {
  mkdirSync(dataDir, { recursive: true });
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    'controller.listener.names': 'CONTROLLER',
    listeners: `PLAINTEXT://127.0.0.1:${broker},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${broker}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': join(dataDir, 'log'),
    'auto.create.topics.enable': false,
    'group.initial.rebalance.delay.ms': 0,
    // How long it takes a broker that was killed to be let in again.
    'broker.session.timeout.ms': 2000,
    'broker.heartbeat.interval.ms': 500,
    'group.min.session.timeout.ms': 1000,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 1,
    'share.coordinator.state.topic.replication.factor': 1,
    'share.coordinator.state.topic.min.isr': 1,
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

const java = (jars, ...args) => ['-cp', join(jars, '*'), `-Dlog4j2.configurationFile=${LOG4J}`, ...args];

function format(jars, dataDir, settings, more) {
  if (existsSync(join(dataDir, 'log', 'meta.properties'))) return;
  const args = java(
    jars,
    '-XX:TieredStopAtLevel=1',
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

async function launch({ jars, dataDir, settings, port, removeData }) {
  const logFile = join(dataDir, 'broker.log');
  const output = openSync(logFile, 'a');
  const args = java(jars, '-Xms256m', '-Xmx256m', '-XX:+UseSerialGC', 'kafka.Kafka', settings);
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

/** A broker that is still starting takes the connection, but answers only when it can do all the rest as well. */
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

/**
 * Below the ports that systems give to outgoing connections: while the broker is down, one of those could take its port,
 * even the connection of a client that is looking for it.
 */
async function freePort() {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    if (await isFree(port)) return port;
  }
}

const isFree = (port) =>
  new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
