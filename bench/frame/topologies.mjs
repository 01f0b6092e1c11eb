import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { API_KEY, Candidates } from './candidates.mjs';
import { checkoutOf } from './checkouts.mjs';
import { cpuOf } from './cpu.mjs';

const ALL_AREAS = 'users,streaks,achievements,points,leaderboards';

/** Each form that an installation can have, in the order of the tables. `steps`: of its one process for all areas. */
export const FORMS = {
  standalone: { title: 'Standalone' },
  fused: { title: 'All areas in one process', steps: [ALL_AREAS] },
  six: { title: 'Six services' },
  before: { title: 'Six services as of another commit' },
};

/**
 * Starts an installation with a broker and a database of its own.
 *
 * @typedef {object} Installation
 * @property {string} name of its form
 * @property {string} title
 * @property {string} url
 * @property {string} apiKey
 * @property {string} checkout where it was built
 * @property {() => Map<string, number>} cpu by process: CPU time so far, in ms; `kafka` and `postgres` among them
 * @property {() => Promise<Map<string, number>>} [bytes] stored for an event, by topic and by schema, indexes included
 * @property {() => Promise<void>} stop
 *
 * @param {keyof typeof FORMS} name
 * @param {{ folder: string, configuration: string, partitions: number }} options
 * @returns {Promise<Installation>}
 */
export function startForm(name, options) {
  return name === 'standalone' ? startStandalone(options) : startDistributed(name, options);
}

async function startStandalone({ configuration }) {
  const candidates = new Candidates({ configuration });
  const { url, pid } = await candidates.start('laurel');
  const cpu = () => {
    const { node, database } = cpuOf(pid);
    return new Map(Object.entries({ standalone: node, postgres: database }));
  };
  const { title } = FORMS.standalone;
  return {
    name: 'standalone',
    title,
    url,
    apiKey: API_KEY,
    checkout: process.cwd(),
    cpu,
    stop: () => candidates.close(),
  };
}

async function startDistributed(name, { folder, configuration, partitions }) {
  const { title, steps } = FORMS[name];
  const checkout = checkoutOf(name);
  const dataDir = join(folder, name);
  mkdirSync(dataDir);
  // As root, Postgres runs as another user, who must be able to pass through.
  chmodSync(dataDir, 0o755);
  const config = join(dataDir, 'laurel.yaml');
  writeFileSync(config, configuration);
  const { startTopology } = await import(pathToFileURL(join(checkout, 'tools/distributed/start-topology.mjs')).href);
  const topology = await startTopology({ dataDir, config, partitions, longRunning: true, ...(steps && { steps }) });
  const { url, apiKey, kafka, postgres, processes } = topology;
  const cpu = () =>
    new Map([
      ...processes.map((process) => [process.name, totalOf(process.pid)]),
      ['kafka', totalOf(kafka.pid)],
      ['postgres', totalOf(postgres.pid)],
    ]);
  const bytes = () => bytesPerEvent(postgres.connection, join(dataDir, 'kafka'));
  return { name, title, url, apiKey, checkout, cpu, bytes, stop: () => topology.stop() };
}

function totalOf(pid) {
  const { node, database } = cpuOf(pid);
  return node + database;
}

async function bytesPerEvent(connection, kafkaFolder) {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query(
    `select schemaname as name, sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)))::float8 as bytes
     from pg_tables where schemaname like 'laurel%' group by 1 order by 1`,
  );
  const [{ count }] = (await client.query('select count(*)::int as count from laurel_ingestion.events')).rows;
  await client.end();
  const schemas = rows.map(({ name, bytes }) => [name, bytes]);
  return new Map([...topicSizes(kafkaFolder), ...schemas].map(([name, bytes]) => [name, bytes / count]));
}

function topicSizes(folder) {
  const sums = new Map();
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const topic = /(laurel\.[\w.]+)-\d+$/.exec(parentPath)?.[1];
    if (topic && name.endsWith('.log')) sums.set(topic, (sums.get(topic) ?? 0) + statSync(join(parentPath, name)).size);
  }
  return [...sums].toSorted();
}
