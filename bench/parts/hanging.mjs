import { API_KEY, Candidates, CONFIGURATION } from '../frame/candidates.mjs';
import { startLoad } from '../frame/load.mjs';
import { startReceiver } from '../frame/receiver.mjs';
import { shoot } from '../frame/shoot.mjs';
import { median } from '../frame/surroundings.mjs';

const CONNECTIONS = 8;
const EVENTS = 1_000;
const LOOK_EVERY_MS = 250;
/** Outcomes are made up to a second after the answer to their event. */
const CATCH_UP_MS = 2_000;

/** How long deliveries to an endpoint take: alone, and while another one hangs. */
export async function hanging({ rounds }) {
  const candidates = new Candidates({ configuration: `${CONFIGURATION}outgoing: { events: all }\n` });
  const load = startLoad();
  const receiver = await startReceiver();
  try {
    const environment = { LAUREL_WEBHOOK_ALLOW: '127.0.0.1' };
    const running = await candidates.start('laurel', { environment });
    const own = await ask(running, 'POST', '', { url: receiver.urlOf('answers'), minimumInterval: 0 });
    const kinds = [
      { title: 'alone', hangs: false, seconds: [], lags: [] },
      { title: 'beside one that hangs', hangs: true, seconds: [], lags: [] },
    ];
    const deliveries = [];
    // The first users of all begin in the round that is not counted.
    await round(load, running, receiver, own.id);
    for (let n = 0; n < rounds; n++)
      for (const kind of n % 2 === 0 ? kinds : kinds.toReversed()) {
        const other =
          kind.hangs && (await ask(running, 'POST', '', { url: receiver.urlOf('hangs'), minimumInterval: 0 }));
        const { seconds, lag, count, mostHanging } = await round(load, running, receiver, own.id);
        if (other) {
          if (mostHanging === 0 || mostHanging > 8) throw new Error(`${mostHanging} requests hung at a time`);
          await ask(running, 'DELETE', `/${other.id}`);
          receiver.release();
        }
        kind.seconds.push((seconds * 1_000) / count);
        kind.lags.push(lag);
        deliveries.push(count);
        console.log(
          `round ${n + 1}, ${kind.title}: ${count} deliveries in ${seconds.toFixed(1)} s, median ${lag} ms behind`,
        );
      }
    const [alone] = kinds;
    return {
      ...{ rounds, events: EVENTS, connections: CONNECTIONS, deliveries: median(deliveries) },
      kinds: kinds.map(({ title, seconds, lags }) => ({
        title,
        /** Of a thousand deliveries. */
        seconds: Number(median(seconds).toPrecision(3)),
        /** From the event to its arrival, in ms. */
        lag: Math.round(median(lags)),
        /** To those of the same round that had nobody beside them. */
        ratios: seconds.map((value, n) => Number((value / alone.seconds[n]).toPrecision(3))),
      })),
    };
  } finally {
    load.close();
    await receiver.close();
    await candidates.close();
  }
}

/** Events of as many users, until everything that they caused has arrived. */
async function round(load, running, receiver, webhook) {
  receiver.begin();
  await shoot(load, running, { connections: CONNECTIONS, users: EVENTS, count: EVENTS });
  await new Promise((resolve) => setTimeout(resolve, CATCH_UP_MS));
  for (;;) {
    const all = await ask(running, 'GET', '');
    const { behind, unfinished } = all.find(({ id }) => id === webhook);
    if (behind === 0 && unfinished === 0) return receiver.seen();
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

async function ask({ url }, method, path, body) {
  const headers = { 'x-api-key': API_KEY, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(`${url}/admin/v1/webhooks${path}`, { method, headers, ...sent });
  const text = await response.text();
  if (!response.ok) throw new Error(`webhooks answer ${response.status}: ${text}`);
  return JSON.parse(text);
}
