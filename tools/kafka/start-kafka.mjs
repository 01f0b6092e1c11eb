// Real Kafka brokers for tests and tools: KRaft, on 127.0.0.1 only.
import { join } from 'node:path';
import { fetchKafka } from './fetch-kafka.mjs';
import { freePort } from './free-port.mjs';
import { ownBroker } from './own-broker.mjs';
import { makeSecuredListener } from './secured-listener.mjs';

const ATTEMPTS = 5;

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
 * @param {{ dataDir: string, port?: number, removeData?: boolean, secured?: boolean, clients?: import('./secured-listener.mjs').KnownClients, proxyPort?: number, longRunning?: boolean, progress?: (line: string) => void }} options
 *   `port`: any free one if not given; `removeData`: when this process ends while the broker runs, the folder goes too;
 *   `secured`: it also listens by TLS, for those who make themselves known by SASL, and for these `clients`; `proxyPort`: it also listens on the port
 *   `proxied`, and sends clients that connect there to this port of 127.0.0.1, where a proxy passes them on to `proxied`;
 *   `longRunning`: its code is compiled as in production, which costs more processor time in its first minutes than it saves
 * @returns {Promise<KafkaBroker>}
 * @throws {Error} with the end of the broker's log if it does not start
 */
export async function startKafka({
  dataDir,
  port,
  removeData = false,
  secured = false,
  clients = {},
  proxyPort,
  longRunning = false,
  progress = () => undefined,
}) {
  const named = (process.env.LAUREL_KAFKA_BROKERS ?? '').split(',').map((broker) => broker.trim());
  if (named.some((broker) => broker !== '')) return foreignBroker(named.filter((broker) => broker !== ''));
  const jars = await fetchKafka(progress);
  return onFreePorts(async () => {
    const ports = { broker: port ?? (await freePort()), controller: await freePort() };
    const securedPorts = { secured: await freePort(), mutual: await freePort(), bearer: await freePort() };
    const listeners = {
      secured: secured ? makeSecuredListener(dataDir, securedPorts, clients) : null,
      proxied: proxyPort === undefined ? null : proxiedListener(await freePort(), proxyPort),
    };
    const broker = ownBroker({ jars, dataDir, ports, listeners, removeData, longRunning });
    await broker.restart();
    return broker;
  });
}

/**
 * A cluster of brokers, each of which is also a controller. Clients that name all brokers may lose a minority of them.
 *
 * @typedef {KafkaBroker & { readonly nodes: readonly KafkaBroker[] }} KafkaCluster `stop`, `kill` and `restart` apply
 *   to all brokers
 *
 * @param {{ dataDir: string, size: number, removeData?: boolean, progress?: (line: string) => void }} options see
 *   `startKafka`
 * @returns {Promise<KafkaCluster>}
 * @throws {Error} with the end of a broker's log if it does not start
 */
export async function startKafkaCluster({ dataDir, size, removeData = false, progress = () => undefined }) {
  const jars = await fetchKafka(progress);
  return onFreePorts(async () => {
    const ports = [];
    while (ports.length < size) ports.push({ broker: await freePort(), controller: await freePort() });
    const quorum = ports.map(({ controller }) => controller);
    const nodes = ports.map((own, index) =>
      ownBroker({ jars, dataDir: join(dataDir, `broker-${index + 1}`), ports: own, removeData, id: index + 1, quorum }),
    );
    const all = (what) => Promise.all(nodes.map((node) => node[what]())).then(() => undefined);
    const cluster = {
      nodes,
      brokers: nodes.flatMap(({ brokers }) => brokers),
      secured: null,
      proxied: null,
      pid: null,
      // All are killed: with an orderly shutdown, the last brokers would wait for a quorum that no longer exists.
      stop: () => all('kill'),
      kill: () => all('kill'),
      restart: () => all('restart'),
    };
    try {
      await cluster.restart();
      return cluster;
    } catch (error) {
      await cluster.kill();
      throw error;
    }
  });
}

/** Another process may take a port between its choice and the start, so the start is repeated. */
async function onFreePorts(start) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start();
    } catch (error) {
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

/** Kafka tells clients which address to connect to, so clients behind a proxy need a listener that names the proxy. */
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
