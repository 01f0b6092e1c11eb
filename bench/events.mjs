// Single events over HTTP, each with its whole answer, durable: events per second and latency at 1, 16, 64 and 256
// connections, beside the same requests to a route that does nothing (GET /healthz), in turns.
//
//   node bench/events.mjs [--rounds 3] [--seconds 5] [--users 1000]
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import autocannon from 'autocannon';
import { CONFIGURATION } from './configuration.mjs';
import { API_KEY, machine, median, startService } from './service.mjs';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    users: { type: 'string', default: '1000' },
  },
});
const [rounds, seconds, users] = [values.rounds, values.seconds, values.users].map(Number);
const CONNECTIONS = [1, 16, 64, 256];

const service = await startService(CONFIGURATION);
let answered = 0;
const runs = new Map(CONNECTIONS.map((connections) => [connections, { events: [], empty: [], p50: [], p99: [] }]));
for (let round = 0; round < rounds; round++) {
  for (const connections of CONNECTIONS) {
    const run = runs.get(connections);
    run.empty.push((await shoot(connections, { method: 'GET', path: '/healthz' })).requests.average);
    const { requests, latency, statusCodeStats } = await shoot(connections, event());
    const recorded = statusCodeStats['201']?.count ?? 0;
    if (Object.keys(statusCodeStats).some((status) => status !== '201'))
      throw new Error(JSON.stringify(statusCodeStats));
    answered += recorded;
    run.events.push(requests.average);
    run.p50.push(latency.p50);
    run.p99.push(latency.p99);
  }
}
const total = await recordedLessons();
await service.close();
// Autocannon drops what is still under way when its time is over: those events are recorded, but nobody counted the answer.
if (total < answered) throw new Error(`${answered} events were answered with 201, but only ${total} are in the totals`);

console.log(`${machine()}\n${rounds} rounds of ${seconds} s, ${users} users, medians`);
console.table(
  CONNECTIONS.map((connections) => {
    const { events, empty, p50, p99 } = runs.get(connections);
    return {
      connections,
      'events/s': Math.round(median(events)),
      'p50 ms': median(p50),
      'p99 ms': median(p99),
      'empty route/s': Math.round(median(empty)),
      ratio: (median(events) / median(empty)).toFixed(2),
    };
  }),
);

function shoot(connections, request) {
  return autocannon({ url: service.url, connections, duration: seconds, requests: [request] });
}

function event() {
  return {
    method: 'POST',
    path: '/api/metrics/lessons/event',
    headers: { 'content-type': 'application/json', 'x-api-key': API_KEY },
    setupRequest: (request) => ({
      ...request,
      headers: { ...request.headers, 'idempotency-key': randomUUID() },
      body: JSON.stringify({
        user: { id: `user-${Math.floor(Math.random() * users)}`, tz: 'Europe/Berlin' },
        value: 1,
      }),
    }),
  };
}

async function recordedLessons() {
  let sum = 0;
  for (let user = 0; user < users; user++) {
    const response = await fetch(`${service.url}/v1/users/user-${user}/metrics/lessons`, {
      headers: { 'x-api-key': API_KEY },
    });
    if (response.ok) sum += (await response.json()).current;
  }
  return sum;
}
