// Starts the images of a compose file together, as `docker compose up --wait` would, asks them, and ends them.
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freePort, isReady, signal, waitUntil } from '../processes.mjs';
import { TOPOLOGIES } from './build-images.mjs';
import { builtServices, readCompose } from '../check-manifests/compose.mjs';
import { durationMs, endGracefully, environmentOf, execute, mountVolumes, OWN_PORTS, runImage } from './container.mjs';
import { openConsole } from './open-console.mjs';
import { startBroker, startEventStoreDb, startPostgres } from './servers.mjs';

const READY_WITHIN_MS = 120_000;
const API_KEY = 'check-image-0123456789abcdef';
const TOKEN = 'check-image-token-0123456789abcdef';
const SECRETS_KEY = 'check-image-secrets-0123456789abcdef';

export async function checkStandalone(surroundings) {
  const variables = new Map([['LAUREL_API_KEY', API_KEY]]);
  await checkTopology('standalone', { ...surroundings, variables, addresses: new Map() });
}

export async function checkDistributed(surroundings) {
  const { work, images, options, say } = surroundings;
  const servers = join(work, 'servers');
  mkdirSync(servers);
  const stops = [];
  const started = async (starting) => {
    const server = await starting;
    stops.push(server.stop);
    return server;
  };
  try {
    const postgres = await started(startPostgres(images.get('standalone'), join(servers, 'postgres')));
    const kafka = options.kafka ?? (await started(startBroker(join(servers, 'kafka')))).address;
    const eventstore = options.eventstore ?? (await started(startEventStoreDb())).address;
    say(`Postgres ${postgres.address}, Kafka ${kafka}, EventStoreDB ${eventstore}`);
    await checkTopology('distributed', {
      ...surroundings,
      variables: new Map([
        ['LAUREL_API_KEY', API_KEY],
        ['LAUREL_INTERNAL_TOKEN', TOKEN],
        ['LAUREL_SECRETS_KEY', SECRETS_KEY],
        ['LAUREL_DATABASE_PASSWORD', postgres.password],
      ]),
      addresses: new Map([
        ['postgres:5432', postgres.address],
        ['kafka:9092', kafka],
        ['eventstore:2113', eventstore],
      ]),
    });
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

async function checkTopology(topology, { root, work, images, variables, addresses, say }) {
  const file = join(root, TOPOLOGIES[topology].compose);
  const compose = readCompose(file, variables);
  const apps = builtServices(compose);
  const here = { addresses: new Map(addresses), services: Object.keys(compose.services) };
  await givePorts(compose, apps, images, here.addresses);
  const running = [];
  const killAll = () => {
    for (const { program } of running) if (!program.hasEnded()) signal(-program.pid, 'SIGKILL');
  };
  process.once('exit', killAll);
  try {
    for (const [name, app] of apps) {
      const image = images.get(app);
      if (image === undefined) throw new Error(`${file}: ${name} is of an app that is not known here: ${app}`);
      const service = compose.services[name];
      mountVolumes(image, service, dirname(file));
      const environment = environmentOf(image, name, service, here);
      const log = join(work, `${topology}-${name}.log`);
      const program = runImage(image, { name, environment, account: image.account, log });
      running.push({ name, service, image, environment, log, program });
    }
    for (const each of running) await waitForHealth(each, say);
    const door = published(compose, here.addresses);
    await postEvent(door.url, topology, say);
    await openConsole(door.url);
    say(`${topology}: the console is served`);
    const status = ['node', 'apps/cli/dist/main.js', 'status', '--url', door.url];
    await inside(
      running.find(({ name }) => name === door.name),
      status,
    );
    say(`${topology}: the command line in ${door.name} shows the status`);
    await Promise.all(
      running.map(({ program, service }) => endGracefully(program, durationMs(service.stop_grace_period))),
    );
    say(`${topology}: all ended with 0 after SIGTERM`);
  } catch (error) {
    for (const { name, log } of running) console.error(`--- ${name}\n${lastLines(log)}`);
    throw error;
  } finally {
    killAll();
    process.off('exit', killAll);
  }
}

const lastLines = (log) => readFileSync(log, 'utf8').split('\n').slice(-25).join('\n');

/** Each port that a container listens on is a free one here. */
async function givePorts(compose, apps, images, addresses) {
  for (const [name, app] of apps) {
    const declared = {
      ...Object.fromEntries(images.get(app)?.environment ?? []),
      ...compose.services[name].environment,
    };
    for (const port of OWN_PORTS.map((variable) => declared[variable]).filter((port) => port !== undefined))
      addresses.set(`${name}:${port}`, `127.0.0.1:${await freePort()}`);
  }
}

/** /readyz is 200, and the image's own health check says the same. */
async function waitForHealth({ name, program, image, environment }, say) {
  const url = `http://127.0.0.1:${environment.LAUREL_PORT}`;
  await waitUntil(() => isReady(url), `/readyz of ${name}`, { limitMs: READY_WITHIN_MS, program });
  await inside({ name, image, environment }, image.healthcheck.argv);
  say(`${name} is ready`);
}

/** @throws {Error} if a program of the image, run beside the one that runs, does not end with 0 */
async function inside({ name, image, environment }, argv) {
  const { code, output } = await execute(image, argv, { environment, account: image.account });
  if (code !== 0) throw new Error(`${name}: ${argv.join(' ')} ends with ${code}: ${output}`);
}

/** The one service that publishes a port, and where it is reached. */
function published(compose, addresses) {
  const [[name, service], ...others] = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
  const [, port] = /^127\.0\.0\.1:\d+:(\d+)$/.exec(service.ports[0]) ?? [];
  if (port === undefined || service.ports.length > 1 || others.length > 0)
    throw new Error('one service publishes one port, on 127.0.0.1');
  return { name, url: `http://${addresses.get(`${name}:${port}`)}` };
}

async function postEvent(url, topology, say) {
  const response = await fetch(`${url}/api/metrics/lessons/event`, {
    method: 'POST',
    headers: { 'X-API-KEY': API_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ user: { id: 'ada', tz: 'Europe/London' }, value: 1 }),
    signal: AbortSignal.timeout(30_000),
  });
  const answer = await response.json();
  if (response.status !== 201 || answer.pending !== undefined || answer.points?.xp?.added !== 35)
    throw new Error(`${topology}: the event was answered with ${response.status} ${JSON.stringify(answer)}`);
  say(`${topology}: an event was answered in full`);
}
