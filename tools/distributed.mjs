// The whole distributed topology on this machine, in one command: npm run distributed [-- --form fused|six] [--folder
// DIR]
//
// It starts a broker, a database and every process, and runs until Ctrl-C. Data, logs and keys stay in the folder
// (.laurel/distributed), so the next start continues with them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DEMO_CONFIGURATION } from '@laurel/configuration';
import { banner } from '../apps/standalone/dist/modules/banner.js';
import { DataFolderInUseError, startEmbeddedPostgres } from '../libs/stores/embedded-postgres/dist/index.js';
import { FORMS, openInstallation } from './distributed/installation.mjs';
import { POSTGRES_SETTINGS, prepareTopology } from './distributed/start-topology.mjs';
import { startKafka } from './kafka/start-kafka.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DEFAULT_FOLDER = '.laurel/distributed';
const LINES_OF_LOG = 20;

const { values } = parseArgs({ options: { form: { type: 'string' }, folder: { type: 'string' } } });
const shownFolder = values.folder ?? DEFAULT_FOLDER;
const folder = values.folder === undefined ? join(ROOT, DEFAULT_FOLDER) : resolve(values.folder);
const running = [];
let stopping = null;

for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => void stopAll(`${name}: stopping ...`, 0));
try {
  await run();
} catch (error) {
  await stopAll(error.message, 1);
}

async function run() {
  if (process.env.LAUREL_KAFKA_BROKERS)
    throw new Error(
      'LAUREL_KAFKA_BROKERS is set, but this starts a broker of its own: unset it. ' +
        'With a broker that runs already, start the processes by hand (docs/guides/distributed.md).',
    );
  const installation = openInstallation(folder, { form: values.form, variables: process.env, shownAs: shownFolder });
  const { form, apiKey, internalToken, secretsKey } = installation;
  say('database ...');
  // Postgres locks the folder, so a second start in the same folder fails here.
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    settings: POSTGRES_SETTINGS,
  }).catch((error) => {
    if (error instanceof DataFolderInUseError) throw new Error(`${shownFolder} is in use: stop its process first`);
    throw error;
  });
  running.push(['database', () => postgres.stop()]);
  if (stopping) return;
  say('broker ...');
  const kafka = await startKafka({ dataDir: join(folder, 'kafka'), progress: say });
  running.push(['broker', () => kafka.stop()]);
  if (stopping) return;

  const topology = await prepareTopology({
    dataDir: folder,
    ...{ kafka, postgres, outgoing: true, steps: FORMS[form], port: installation.port, secretsKey },
    ...{ partitions: installation.partitions, config: installation.config ?? demoOfNew(installation) },
    environment: {
      ...installation.given,
      LAUREL_API_KEY: apiKey,
      LAUREL_INTERNAL_TOKEN: internalToken,
    },
  });
  running.push(['processes', () => topology.stop()]);
  const { processes } = topology;
  let ready = 0;
  say(`processes: ${processes.map(({ name }) => name).join(', ')} ...`);
  await Promise.all(
    processes.map(async (process) => {
      await process.start();
      say(`${process.name} is ready (${(ready += 1)} of ${processes.length})`);
    }),
  );
  if (stopping) return;
  installation.keep();
  for (const process of processes) void process.ended().then((code) => endedAlone(process, code));
  console.log(`\n${await bannerOf(topology, installation)}`);
  console.log(
    `\nCtrl-C stops everything; the same command continues. The API key stands in ${shownFolder}/installation.json.`,
  );
}

/**
 * The configuration of the demo, only for a new installation, which has none yet. A later start does not replace the
 * published configuration.
 */
function demoOfNew({ isNew }) {
  if (!isNew) return undefined;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'demo.yaml');
  writeFileSync(file, DEMO_CONFIGURATION);
  return file;
}

async function bannerOf({ url }, { apiKey, form, config, given, isNew }) {
  const headers = { 'x-api-key': apiKey, 'content-type': 'application/json' };
  const ask = async (path, body) => {
    const response = await fetch(`${url}${path}`, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`);
    return response.json();
  };
  const { configurationVersion: version } = await ask('/admin/v1/status');
  const { document } = await ask(`/admin/v1/configurations/${version}`);
  const console = given.LAUREL_CONSOLE === 'off' ? null : (await ask('/admin/v1/console-links', {})).url;
  return banner({
    url,
    place: `${shownFolder} (form ${form}; what each process prints is in logs)`,
    unused: null,
    settings: null,
    keyIsGiven: true,
    metric: document.metrics[0].key,
    shownOnce: isNew && apiKey !== process.env.LAUREL_API_KEY ? apiKey : null,
    console,
    config: `${config === undefined ? '' : `${config}, `}version ${version}`,
    clock: given.LAUREL_CLOCK ?? null,
  });
}

function endedAlone({ name, log }, code) {
  const lines = readFileSync(log, 'utf8').trim().split('\n').slice(-LINES_OF_LOG);
  return stopAll(`${name} ended by itself (${code}); the end of ${log}:\n${lines.join('\n')}`, 1);
}

/** Stops the processes first, then the servers that they need. */
async function stopAll(reason, code) {
  if (stopping) return stopping;
  console.log(`\n${reason}`);
  stopping = (async () => {
    for (const [name, stop] of running.toReversed()) {
      say(`stopping the ${name} ...`);
      await stop().catch((error) => console.error(`${name}: ${error.message}`));
    }
    process.exit(code);
  })();
  return stopping;
}

function say(line) {
  console.log(line);
}
