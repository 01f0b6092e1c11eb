// The whole distributed topology on this machine: a real broker, a real Postgres, and each service as real processes.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CHAIN_SERVICES, GATEWAYS, OUTGOING_SERVICE, stepsOf } from '@laurel/ports/topology';
import { startEmbeddedPostgres } from '../../libs/stores/embedded-postgres/dist/index.js';
import { guardAgainstOrphan } from '../kafka/orphan-guard.mjs';
import { startKafka } from '../kafka/start-kafka.mjs';
import { freePort, isReady, signal, start, waitUntil } from '../processes.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const READY_WITHIN_MS = 90_000;
const STOPPED_WITHIN_MS = 60_000;

/** The app that runs any areas of the chain in one process. */
const AREA_SERVICE = 'area-service';
const GATEWAY_NAMES = GATEWAYS.toReversed().map(({ name }) => name);
/** In the order of the chain. The gateways are last, because they serve only what the services have made. */
export const SERVICES = [...CHAIN_SERVICES.map(({ name }) => name), ...GATEWAY_NAMES];

/** The name of the process that runs these areas, such as `achievements-to-points`. */
export const nameOf = (steps) =>
  stepsOf(steps.split(','))
    .map(({ name }) => name)
    .join('+');

/** Settings of the database that a whole topology shares. */
export const POSTGRES_SETTINGS = new Map([['max_connections', '400']]);

export const API_KEY = 'a key for the whole topology';
export const INTERNAL_TOKEN = 'a token for the whole topology';
const SECRETS_KEY = 'a key for the secrets of webhooks';

/**
 * Starts everything, and resolves when every process is ready.
 *
 * @typedef {object} ServiceProcess
 * @property {string} name of its service
 * @property {string} url of its HTTP server
 * @property {Readonly<Record<string, string>>} environment with which it is started
 * @property {number} pid of the running process
 * @property {string} log the file with its output
 * @property {(name: NodeJS.Signals) => void} signal
 * @property {() => Promise<number | string>} ended exit code or signal, once the present run has ended
 * @property {() => Promise<void>} kill ends it at once
 * @property {() => Promise<number | string>} stop asks it to stop; returns its exit code
 * @property {(environment?: Readonly<Record<string, string>>) => Promise<void>} start starts it again on the same port,
 *   with these variables in addition to its own; resolves when it is ready
 * @property {(command: string) => ReturnType<typeof import('../processes.mjs').start>} startJob starts the program with
 *   a command, beside the process or while it is stopped
 * @property {(command: string) => Promise<{ code: number | string, log: string }>} job starts the program with a
 *   command, and resolves when the command has ended
 * @property {() => Promise<Map<string, number>>} metrics
 *
 * @typedef {object} Topology
 * @property {string} url of an ingestion gateway
 * @property {string} apiKey
 * @property {import('../kafka/start-kafka.mjs').KafkaBroker} kafka
 * @property {import('../../libs/stores/embedded-postgres/dist/index.js').EmbeddedPostgres} postgres
 * @property {readonly ServiceProcess[]} processes
 * @property {(service: string) => readonly ServiceProcess[]} of the instances of a service
 * @property {() => Promise<void>} stop
 *
 * @param {{ dataDir: string, config?: string, clock?: string, partitions?: number, steps?: readonly string[], port?:
 *   number, secretsKey?: string, instances?: Readonly<Record<string, number>>, outgoing?: boolean, eventStoreUrl?:
 *   string, environment?: Readonly<Record<string, string>>, kafka?: object, postgres?: object, longRunning?: boolean,
 *   log?: (line: string) => void }} options `port`: of the ingestion gateway, a free one if not given; `steps`: the
 *   LAUREL_STEPS of each process that runs a part of the chain, by default one process for each service; `instances`:
 *   the number of instances of a service, by default 1; `outgoing`: whether an outgoing service runs too; `kafka`,
 *   `postgres`: servers that run already, and are not stopped with the topology; `longRunning`: see `startKafka`
 * @returns {Promise<Topology>}
 */
export async function startTopology(options) {
  const topology = await prepareTopology(options);
  try {
    await topology.start();
  } catch (error) {
    for (const { pid } of topology.processes) if (pid > 0) signal(pid, 'SIGKILL');
    throw error;
  }
  return topology;
}

/**
 * Like {@link startTopology}, but starts only the broker and the database; `start` then starts the processes.
 *
 * @returns {Promise<Topology & { start: () => Promise<void> }>}
 */
export async function prepareTopology(options) {
  const { dataDir, log = () => undefined } = options;
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  const [kafka, postgres] = await Promise.all([
    options.kafka ?? startKafka({ dataDir: join(dataDir, 'kafka'), longRunning: options.longRunning, progress: log }),
    options.postgres ?? startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), settings: POSTGRES_SETTINGS }),
  ]);
  log(`broker ${kafka.brokers.join(',')}, database ready`);
  const common = environmentOf(options, kafka, postgres);
  const processes = [];
  const [queryPort, outgoingPort] = [await freePort(), await freePort()];
  const outgoing = options.outgoing ? [OUTGOING_SERVICE.name] : [];
  const stepsByName = new Map((options.steps ?? []).map((steps) => [nameOf(steps), steps]));
  const others = stepsByName.size === 0 ? SERVICES : [...stepsByName.keys(), ...GATEWAY_NAMES];
  for (const service of [...outgoing, ...others]) {
    const instances = options.instances?.[service] ?? 1;
    for (let instance = 0; instance < instances; instance++) {
      const known = new Map([
        ['query-gateway', queryPort],
        [OUTGOING_SERVICE.name, outgoingPort],
        ['ingestion-gateway', options.port],
      ]);
      const port = (instance === 0 && known.get(service)) || (await freePort());
      const own = { LAUREL_PORT: String(port), LAUREL_INTERNAL_PORT: String(await freePort()) };
      const toOutcomes = options.outgoing ? { LAUREL_OUTGOING_URL: `http://127.0.0.1:${outgoingPort}` } : {};
      const toReads =
        service === 'ingestion-gateway' ? { LAUREL_QUERY_URL: `http://127.0.0.1:${queryPort}`, ...toOutcomes } : {};
      const toWebhooks =
        service === OUTGOING_SERVICE.name ? { LAUREL_SECRETS_KEY: options.secretsKey ?? SECRETS_KEY } : {};
      const steps = stepsByName.get(service);
      const ofSteps = steps === undefined ? {} : { LAUREL_STEPS: steps };
      processes.push(
        serviceProcess(service, instance, { ...common, ...own, ...toReads, ...toWebhooks, ...ofSteps }, dataDir),
      );
    }
  }
  const gateways = processes.filter(({ name }) => name === 'ingestion-gateway');
  return {
    url: gateways[0].url,
    apiKey: API_KEY,
    kafka,
    postgres,
    processes,
    of: (service) => processes.filter(({ name }) => name === service),
    start: async () => {
      await Promise.all(processes.map((process) => process.start()));
    },
    stop: async () => {
      await Promise.all(processes.toReversed().map((process) => process.stop()));
      await Promise.all([options.kafka ? undefined : kafka.stop(), options.postgres ? undefined : postgres.stop()]);
    },
  };
}

function environmentOf({ config, clock, partitions = 4, eventStoreUrl, environment = {} }, kafka, postgres) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('LAUREL_'));
  return {
    ...Object.fromEntries(inherited),
    NODE_ENV: 'production',
    LAUREL_HOST: '127.0.0.1',
    LAUREL_DATABASE_URL: databaseUrl(postgres.connection),
    LAUREL_KAFKA_BROKERS: kafka.brokers.join(','),
    LAUREL_INTERNAL_TOKEN: INTERNAL_TOKEN,
    LAUREL_API_KEY: API_KEY,
    LAUREL_PARTITIONS: String(partitions),
    LAUREL_LOG_LEVEL: 'info',
    ...(config && { LAUREL_CONFIG: config }),
    ...(clock && { LAUREL_CLOCK: clock }),
    ...(eventStoreUrl && { LAUREL_EVENTSTORE_URL: eventStoreUrl }),
    ...environment,
  };
}

/** The address of a server that listens only on a Unix socket: the folder of the socket takes the place of the host. */
function databaseUrl({ host, port, user, password, database }) {
  const [name, secret] = [user, password].map(encodeURIComponent);
  return `postgres://${name}:${secret}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
}

/** @returns {ServiceProcess} */
function serviceProcess(name, instance, env, dataDir) {
  const url = `http://127.0.0.1:${env.LAUREL_PORT}`;
  const log = join(dataDir, 'logs', `${name}-${instance}.log`);
  let program = null;
  let guard = null;
  const launch = (title, words, into, more = {}) => {
    const file = `apps/${env.LAUREL_STEPS === undefined ? name : AREA_SERVICE}/dist/main.js`;
    const args = ['--max-semi-space-size=64', file, ...words];
    const options = { cwd: ROOT, env: { ...env, ...more }, log: into };
    const launched = start(title, process.execPath, args, options);
    return { launched, guard: guardAgainstOrphan({ pid: launched.pid, mark: file, folder: null }) };
  };
  const startJob = (command) => {
    const jobLog = `${log}.${command.replaceAll(' ', '')}`;
    const { launched, guard: ownGuard } = launch(`${name} ${command}`, command.split(' '), jobLog);
    return { ...launched, ended: launched.ended.finally(() => ownGuard.dismiss()) };
  };
  const gone = async () => {
    const ended = await program.ended;
    guard.dismiss();
    return ended;
  };
  return {
    name,
    url,
    environment: env,
    log,
    get pid() {
      return program?.pid ?? 0;
    },
    ended: () => program.ended,
    signal: (which) => signal(program.pid, which),
    start: async (more) => {
      ({ launched: program, guard } = launch(name, [], log, more));
      await waitUntil(() => isReady(url), `${name} is ready (${log})`, { limitMs: READY_WITHIN_MS, program });
    },
    kill: async () => {
      signal(program.pid, 'SIGKILL');
      await gone();
    },
    stop: async () => {
      if (program === null || program.hasEnded()) return 0;
      signal(program.pid, 'SIGCONT');
      signal(program.pid, 'SIGTERM');
      await waitUntil(() => program.hasEnded(), `the end of ${name} (${log})`, { limitMs: STOPPED_WITHIN_MS });
      return gone();
    },
    startJob,
    job: async (command) => {
      const job = startJob(command);
      return { code: await job.ended, log: readFileSync(job.log, 'utf8') };
    },
    metrics: async () => metricsIn(await (await fetch(`${url}/metrics`)).text()),
  };
}

/** The values of metrics by name, without their labels. */
const metricsIn = (text) =>
  new Map([...text.matchAll(/^(laurel_\w+)(?:\{[^}]*\})? (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]));
