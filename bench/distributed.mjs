// The distributed topology on this machine: single events over HTTP, each with its whole answer, at 1 and 64 connections;
// in turns with a bare relay over five topics of the same broker, which is the least that such a road can cost. Then what
// an event costs each process in CPU time, which is what its capacity is worked out from.
//
//   node bench/distributed.mjs [--rounds 3] [--seconds 8] [--users 1000] [--partitions 4]
//     [--connections 1,64] [--warm-up 60] [--steps AREAS]...
//
// `--steps`: the LAUREL_STEPS of a process that runs a part of the chain, once for each; without it one process for each service.
//
// Both run for `--warm-up` seconds at 64 connections before anything is measured: a process that runs for months is
// measured as it is then, not while its code is still being compiled.
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { Pool } from 'undici';
import { startTopology } from '../tools/distributed/start-topology.mjs';
import { CONFIGURATION } from './configuration.mjs';
import { startRelay } from './relay/start-relay.mjs';
import { machine, median } from './frame/surroundings.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '8' },
    users: { type: 'string', default: '1000' },
    partitions: { type: 'string', default: '4' },
    connections: { type: 'string', default: '1,64' },
    steps: { type: 'string', multiple: true },
    'warm-up': { type: 'string', default: '60' },
  },
});
const [rounds, seconds, users, partitions] = [values.rounds, values.seconds, values.users, values.partitions].map(
  Number,
);
const CONNECTIONS = values.connections.split(',').map(Number);
/** As long as a message of the first topic. */
const FILLING = 'x'.repeat(600);

const folder = mkdtempSync(join(tmpdir(), 'laurel-bench-'));
chmodSync(folder, 0o755);
const config = join(folder, 'laurel.yaml');
writeFileSync(config, CONFIGURATION);
const topology = await startTopology({ dataDir: join(folder, 'topology'), config, partitions, steps: values.steps });
// Lean, because it shares the cores with what is measured.
const gateway = new Pool(topology.url, { connections: Math.max(64, ...CONNECTIONS) });
const relay = await startRelay(topology.kafka.brokers, partitions);

const warmUp = Number(values['warm-up']);
const runs = new Map(CONNECTIONS.map((connections) => [connections, { laurel: [], relay: [] }]));
let pending = 0;
await measure(64, warmUp, postEvent);
await measure(64, warmUp, relayMessage);
const cpu = new Map(CONNECTIONS.map((connections) => [connections, new Map()]));
let events = 0;
for (let round = 0; round < rounds; round++)
  for (const connections of CONNECTIONS) {
    const before = cpuTimes();
    const laurel = await measure(connections, seconds, postEvent);
    addTimes(cpu.get(connections), before, cpuTimes());
    events += laurel.count;
    runs.get(connections).laurel.push(laurel);
    runs.get(connections).relay.push(await measure(connections, seconds, relayMessage));
  }
const sizes = await storedSizes();
await Promise.all([relay.close(), gateway.close()]);
await topology.stop();
rmSync(folder, { recursive: true, force: true });

console.log(`${machine()}, Kafka 4.4 with one broker, ${partitions} partitions`);
console.log(
  `${rounds} rounds of ${seconds} s after ${warmUp} s of warm-up, ${users} users, medians; ${events} events, ${pending} of them answered with pending`,
);
console.table(
  CONNECTIONS.map((connections) => {
    const { laurel, relay: bare } = runs.get(connections);
    const of = (some, what) => median(some.map((run) => run[what]));
    return {
      connections,
      'events/s': Math.round(of(laurel, 'rate')),
      'relay/s': Math.round(of(bare, 'rate')),
      'rate ratio': (of(laurel, 'rate') / of(bare, 'rate')).toFixed(2),
      'p50 ms': of(laurel, 'p50').toFixed(1),
      'relay p50 ms': of(bare, 'p50').toFixed(1),
      'p50 ratio': (of(laurel, 'p50') / of(bare, 'p50')).toFixed(2),
      'p99 ms': of(laurel, 'p99').toFixed(1),
    };
  }),
);
console.log('Bytes for an event, by topic and by schema (indexes included):');
console.table(Object.fromEntries([...sizes].map(([name, bytes]) => [name, { bytes: Math.round(bytes) }])));
console.log('CPU time for an event, in ms, by process and connections:');
console.table(
  Object.fromEntries(
    [...cpu.get(CONNECTIONS[0]).keys()].map((name) => [
      name,
      Object.fromEntries(CONNECTIONS.map((connections) => [connections, perEvent(connections, name)])),
    ]),
  ),
);

function perEvent(connections, name) {
  const count = runs.get(connections).laurel.reduce((sum, run) => sum + run.count, 0);
  return (cpu.get(connections).get(name) / count).toFixed(3);
}

function addTimes(sums, before, after) {
  for (const [name, ms] of after) sums.set(name, (sums.get(name) ?? 0) + ms - before.get(name));
}

/** @returns {Promise<{ count: number, rate: number, p50: number, p99: number }>} */
async function measure(connections, forSeconds, once) {
  const latencies = [];
  const began = performance.now();
  const until = began + forSeconds * 1_000;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let now = performance.now(); now < until; now = performance.now()) {
        await once();
        latencies.push(performance.now() - now);
      }
    }),
  );
  latencies.sort((a, b) => a - b);
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  const count = latencies.length;
  return { count, rate: (count * 1_000) / (performance.now() - began), p50: at(0.5), p99: at(0.99) };
}

async function postEvent() {
  const { statusCode, body } = await gateway.request({
    path: '/api/metrics/lessons/event',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': topology.apiKey, 'idempotency-key': randomUUID() },
    body: JSON.stringify({ user: { id: `user-${Math.floor(Math.random() * users)}`, tz: 'Europe/Berlin' }, value: 1 }),
  });
  const answer = await body.json();
  if (statusCode !== 201) throw new Error(`${statusCode} ${JSON.stringify(answer)}`);
  if (answer.pending) pending++;
}

function relayMessage() {
  return relay.roundTrip(`user-${Math.floor(Math.random() * users)}`, `${randomUUID()}${FILLING}`);
}

/** Bytes for each event since the start, of which the warm-up is a part: by topic, and by schema of the database. */
async function storedSizes() {
  const client = new pg.Client(topology.postgres.connection);
  await client.connect();
  const { rows } = await client.query(
    `select schemaname as name, sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)))::float8 as bytes
     from pg_tables where schemaname like 'laurel%' group by 1 order by 1`,
  );
  const [{ count }] = (await client.query('select count(*)::int from laurel_ingestion.events')).rows;
  await client.end();
  return new Map(
    [...topicSizes(), ...rows.map(({ name, bytes }) => [name, bytes])].map(([name, bytes]) => [name, bytes / count]),
  );
}

function topicSizes() {
  const sums = new Map();
  const entries = readdirSync(join(folder, 'topology', 'kafka'), { recursive: true, withFileTypes: true });
  for (const { name, parentPath } of entries) {
    const topic = /(laurel\.[\w.]+)-\d+$/.exec(parentPath)?.[1];
    if (topic && name.endsWith('.log')) sums.set(topic, (sums.get(topic) ?? 0) + statSync(join(parentPath, name)).size);
  }
  return sums;
}

/** By process: user and system time so far, in ms (Linux counts in hundredths of a second). */
function cpuTimes() {
  const named = topology.processes.map(({ name, pid }) => [name, pid]);
  const all = [...named, ['kafka', topology.kafka.pid], ['postgres', topology.postgres.pid]];
  const times = new Map();
  for (const [name, pid] of all)
    times.set(name, (times.get(name) ?? 0) + (name === 'postgres' ? ofFamily(pid) : ofProcess(pid)));
  return times;
}

function statOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
}

/** `utime` and `stime`, and those of children that have ended. */
function ofProcess(pid) {
  const [, , , , , , , , , , , utime, stime, cutime, cstime] = statOf(pid);
  return (utime + stime + cutime + cstime) * 10;
}

/** A server with a process for each connection. */
function ofFamily(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + ofProcess(child), ofProcess(pid));
}
