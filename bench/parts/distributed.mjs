import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startKafka } from '../../tools/kafka/start-kafka.mjs';
import { CONFIGURATION } from '../configuration.mjs';
import { startLoad } from '../frame/load.mjs';
import { cpuMedians, mediansOf, microseconds, rounded, startForms } from '../frame/forms.mjs';
import { median } from '../frame/surroundings.mjs';
import { startRelay } from '../relay/start-relay.mjs';

/** As long as a message of the first topic. */
const FILLING = 'x'.repeat(600);
/** Until what the load has left behind is settled. */
const SETTLE_MS = 15_000;

/**
 * What an event costs in each form of an installation: all forms side by side, each with a broker and a database of its own, in turns
 * with a bare relay over five topics, which is the least that the road through the services can cost. First single
 * events, each with its whole answer; then nothing at all. Each measurement follows some seconds of the same load: a form that had to
 * wait while the others had their turns is slow at first.
 *
 * CPU is that of the form's own processes, so what the others do meanwhile does not count.
 */
export async function distributed(options) {
  const { rounds, seconds, users, warmUp, leadInSeconds, partitions, idleSeconds } = options;
  const levels = options.connections.filter((connections) => connections <= 64);
  const names = options.forms;
  const folder = mkdtempSync(join(tmpdir(), 'laurel-bench-'));
  chmodSync(folder, 0o755);
  const load = startLoad();
  const running = [];
  const closing = [];
  try {
    for (const form of await startForms(names, { folder, configuration: CONFIGURATION, partitions }, closing))
      running.push({ form, shots: new Map(levels.map((connections) => [connections, []])), idle: null });
    const relay = await openRelay(folder, partitions, closing);
    for (const { form } of running) {
      await shootAt(load, form, { connections: 64, users, count: warmUp });
      console.log(`${form.title}: warm`);
    }
    await relay.measure(64, seconds, users);
    const relayed = new Map(levels.map((connections) => [connections, []]));
    for (let round = 0; round < rounds; round++)
      for (const connections of levels) {
        for (const { form, shots } of running) {
          await load.shoot(orderTo(form, { connections, users, seconds: leadInSeconds }));
          shots.get(connections).push(await shootAt(load, form, { connections, users, seconds }));
        }
        await relay.measure(connections, leadInSeconds, users);
        relayed.get(connections).push(await relay.measure(connections, seconds, users));
      }
    await relay.close();
    await sleep(SETTLE_MS);
    for (const one of running) one.idle = await idleCpu(one.form, idleSeconds);
    return {
      ...{ rounds, seconds, users, warmUp, leadInSeconds, partitions, idleSeconds },
      relay: levels.map((connections) => ({ connections, ...mediansOf(relayed.get(connections), ['rate', 'p50']) })),
      forms: await Promise.all(running.map(summaryOf)),
    };
  } finally {
    load.close();
    for (const close of closing.toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  }
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
  const total = () => [...cpu().values()].reduce((sum, ms) => sum + ms, 0);
  const before = total();
  await sleep(seconds * 1_000);
  const idle = (total() - before) / seconds;
  console.log(`${title}, idle: ${idle.toFixed(0)} ms/s`);
  return idle;
}

async function summaryOf({ form: { name, title, bytes }, shots, idle }) {
  const levels = [...shots].map(([connections, some]) => ({
    connections,
    ...mediansOf(some, ['rate', 'p50', 'p99']),
    ...cpuMedians(some),
    pending: some.reduce((sum, { pending }) => sum + pending, 0),
  }));
  return {
    name,
    title,
    levels,
    idle: rounded(idle),
    bytes: bytes && Object.fromEntries([...(await bytes())].map(([what, size]) => [what, Math.round(size)])),
  };
}

async function openRelay(folder, partitions, closing) {
  const kafka = await startKafka({ dataDir: join(folder, 'relay') });
  closing.push(() => kafka.stop());
  const relay = await startRelay(kafka.brokers, partitions);
  const message = (users) => relay.roundTrip(`user-${Math.floor(Math.random() * users)}`, `${randomUUID()}${FILLING}`);
  return {
    measure: async (connections, seconds, users) => {
      const latencies = [];
      const began = performance.now();
      const until = began + seconds * 1_000;
      const caller = async () => {
        for (let now = performance.now(); now < until; now = performance.now()) {
          await message(users);
          latencies.push(performance.now() - now);
        }
      };
      await Promise.all(Array.from({ length: connections }, caller));
      return { rate: (latencies.length * 1_000) / (performance.now() - began), p50: median(latencies) };
    },
    close: () => relay.close(),
  };
}
