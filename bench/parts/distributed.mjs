import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startKafka } from '../../tools/kafka/start-kafka.mjs';
import { CONFIGURATION } from '../configuration.mjs';
import { startLoad } from '../frame/load.mjs';
import { cpuMedians, inFolder, measureForms, mediansOf, microseconds, rounded } from '../frame/forms.mjs';
import { median } from '../frame/surroundings.mjs';
import { startRelay } from '../relay/start-relay.mjs';

/** As long as a message of the first topic. */
const FILLING = 'x'.repeat(600);
/** Until what the load has left behind is settled. */
const SETTLE_MS = 15_000;

/**
 * What an event costs in each form of an installation, and in a bare relay over five topics, which is the least that the road through
 * the services can cost. First single events, each with its whole answer; then nothing at all. Each measurement follows some seconds
 * of the same load.
 */
export async function distributed(options) {
  const { rounds, seconds, users, warmUp, leadInSeconds, partitions, idleSeconds, forms } = options;
  const levels = options.connections.filter((connections) => connections <= 64);
  const load = startLoad();
  try {
    const relay = await measureRelay(levels, options);
    const measured = await measureForms({ forms, configuration: CONFIGURATION, partitions }, async (form) => {
      await shootAt(load, form, { connections: 64, users, count: warmUp });
      const shots = await inRounds(levels, options, (order) => shootAt(load, form, order));
      return summaryOf(shots, await idleCpu(form, idleSeconds), await form.bytes?.());
    });
    return { rounds, seconds, users, warmUp, leadInSeconds, partitions, idleSeconds, relay, forms: measured };
  } finally {
    load.close();
  }
}

/** @returns what `shoot` answered, by connections, each time right after some seconds of the same load */
async function inRounds(levels, { rounds, seconds, leadInSeconds, users }, shoot) {
  const shots = new Map(levels.map((connections) => [connections, []]));
  for (let round = 0; round < rounds; round++)
    for (const [connections, some] of shots) {
      await shoot({ connections, users, seconds: leadInSeconds });
      some.push(await shoot({ connections, users, seconds }));
    }
  return shots;
}

/** @returns the shot, with its rate and CPU in µs for an event, by process */
async function shootAt(load, form, order) {
  const { title, cpu } = form;
  const before = cpu();
  const shot = await load.shoot(orderTo(form, order));
  const after = cpu();
  const rate = shot.count / shot.seconds;
  if (order.count === undefined)
    console.log(
      `${title}, ${order.connections}: ${Math.round(rate)}/s, p50 ${shot.p50.toFixed(2)} ms, ${shot.pending} pending`,
    );
  return { ...shot, rate, cpu: microseconds(before, after, shot.count) };
}

const orderTo = ({ url, apiKey }, order) => ({ url, apiKey, mayBePending: true, ...order });

/** In ms of CPU per second, over all its processes. */
async function idleCpu({ title, cpu }, seconds) {
  await sleep(SETTLE_MS);
  const total = () => [...cpu().values()].reduce((sum, ms) => sum + ms, 0);
  const before = total();
  await sleep(seconds * 1_000);
  const idle = (total() - before) / seconds;
  console.log(`${title}, idle: ${idle.toFixed(0)} ms/s`);
  return idle;
}

const summaryOf = (shots, idle, bytes) => ({
  levels: [...shots].map(([connections, some]) => ({
    connections,
    ...mediansOf(some, ['rate', 'p50', 'p99']),
    ...cpuMedians(some),
    pending: some.reduce((sum, { pending }) => sum + pending, 0),
  })),
  idle: rounded(idle),
  bytes: bytes && Object.fromEntries([...bytes].map(([what, size]) => [what, Math.round(size)])),
});

/** As {@link distributed} measures a form. */
function measureRelay(levels, options) {
  return inFolder(async (folder) => {
    const kafka = await startKafka({ dataDir: join(folder, 'relay'), longRunning: true });
    try {
      const relay = await startRelay(kafka.brokers, options.partitions);
      await roundTrips(relay, { connections: 64, users: options.users, count: options.warmUp });
      const measured = await inRounds(levels, options, (order) => roundTrips(relay, order));
      await relay.close();
      return [...measured].map(([connections, some]) => ({ connections, ...mediansOf(some, ['rate', 'p50']) }));
    } finally {
      await kafka.stop();
    }
  });
}

async function roundTrips(relay, { connections, users, seconds = Infinity, count = Infinity }) {
  const latencies = [];
  const began = performance.now();
  const until = began + seconds * 1_000;
  const caller = async () => {
    for (let now = began; now < until && latencies.length < count; now = performance.now()) {
      const sent = performance.now();
      await relay.roundTrip(`user-${Math.floor(Math.random() * users)}`, `${randomUUID()}${FILLING}`);
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, caller));
  const [rate, p50] = [(latencies.length * 1_000) / (performance.now() - began), median(latencies)];
  console.log(`Relay, ${connections}: ${Math.round(rate)}/s, p50 ${p50.toFixed(2)} ms`);
  return { rate, p50 };
}
