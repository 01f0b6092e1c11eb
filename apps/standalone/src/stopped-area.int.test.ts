import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { jest } from '@jest/globals';
import { USER_AREAS } from '@laurel/all-areas';
import { AREAS, type AreaName } from '@laurel/kernel';
import { LeaderboardsArea } from '@laurel/leaderboards';
import { createClock } from '@laurel/runtime';
import type { TestDatabase } from '@laurel/testing/database';
import { HISTORY_CONFIGURATION } from '@laurel/testing/histories';
import { Client } from '@laurel/testing/http-suite';
import { openServiceDatabase } from '@laurel/testing/service-database';
import { serveInProcess, type Served } from './testing/serve-in-process.ts';

const CONFIGURATION = `${HISTORY_CONFIGURATION}outgoing: { events: all }\n`;
const clock = createClock({ type: 'frozen', at: Date.parse('2026-03-06T08:00:00Z') });
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gu;

let database: TestDatabase;
let served: Served;
let receiver: Server;
/** `webhook-id` of each request, in order. */
let arrived: string[];
const client = new Client(() => served);

/** Lessons of these users: before there is an endpoint, and while an area is halted. */
const EARLIER = ['ada', 'bob'];
const LATER = ['bob', 'ada', 'eve', 'ada'];

const start = async (): Promise<void> => {
  served = await serveInProcess(database.connection, CONFIGURATION, clock);
};

/** The outcomes of a service whose areas never halt. */
let undisturbed: readonly string[];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    arrived.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  await open();
  await live(EARLIER);
  await createEndpoint();
  await live(['ada', ...LATER]);
  undisturbed = comparable(await told());
  await close();
});
afterAll(async () => {
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

beforeEach(open);
afterEach(async () => {
  jest.restoreAllMocks();
  await close();
});

async function open(): Promise<void> {
  arrived = [];
  database = await openServiceDatabase();
  await start();
}

async function close(): Promise<void> {
  await served.close();
  await database.close();
}

const halted = () => served.service.engine.status().areas.flatMap(({ area, failure }) => (failure ? [area] : []));

/** The area throws at every event from this position on. */
function breakFrom(name: AreaName, position: number): void {
  const check = (occasion: { readonly position: number }): void => {
    if (occasion.position >= position) throw new Error('planted');
  };
  const area = USER_AREAS.find((one) => one.name === name);
  if (area !== undefined) {
    const apply = area.apply.bind(area);
    jest.spyOn(area, 'apply').mockImplementation((draft, occasion, ...rest) => {
      apply(draft, occasion, ...rest);
      check(occasion);
    });
    return;
  }
  const { openLayer } = LeaderboardsArea.prototype;
  jest.spyOn(LeaderboardsArea.prototype, 'openLayer').mockImplementation(function (this: LeaderboardsArea, below) {
    const layer = openLayer.call(this, below);
    const apply = layer.apply.bind(layer);
    layer.apply = (occasion, ...rest) => {
      check(occasion);
      return apply(occasion, ...rest);
    };
    return layer;
  });
}

/** Lessons of these users, one after the other. */
async function live(users: readonly string[]): Promise<void> {
  for (const id of users) await client.send('POST', '/v1/metrics/lessons/event', { body: { user: { id }, value: 1 } });
}

async function told(): Promise<readonly string[]> {
  await served.service.outcomeReader.catchUp();
  return (await client.send('GET', '/admin/v1/outcomes?limit=1000')).text.split('\n').slice(0, -1);
}

const idsOf = (bodies: readonly string[]) => bodies.map((body) => JSON.parse(body).id as string);

/** Without what only one log has. */
const comparable = (bodies: readonly string[]) => bodies.map((body) => body.replaceAll(UUID, 'id'));

/** Creates an endpoint for outcomes from now on. */
async function createEndpoint(): Promise<string> {
  const { port } = receiver.address() as AddressInfo;
  const body = { url: `http://127.0.0.1:${port}/`, minimumInterval: 0 };
  return (await client.send('POST', '/admin/v1/webhooks', { body })).json.id;
}

async function delivered(): Promise<void> {
  for (;;) {
    const [{ behind, unfinished }] = (await client.send('GET', '/admin/v1/webhooks')).json;
    if (behind === 0 && unfinished === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const restart = async (): Promise<void> => {
  await served.close();
  await start();
};

const rebuild = (area: AreaName): Promise<void> => served.service.engine.rebuild(AREAS.slice(AREAS.indexOf(area)));

describe('outcomes', () => {
  const ways = [
    { by: 'a restart', catchUp: restart },
    { by: 'a rebuild', catchUp: rebuild },
  ];

  it.each(AREAS.flatMap((area) => ways.map((way) => ({ area, ...way }))))(
    'wait while $area is halted and come once, in log order, after it has caught up by $by',
    async ({ area, catchUp }) => {
      await live(EARLIER);
      const first = await told();
      const endpoint = await createEndpoint();
      await live(['ada']);
      const before = await told();
      await delivered();
      breakFrom(area, served.service.engine.status().head + 1);
      await live(LATER);
      // It fails again at the next start.
      if (catchUp === restart) await restart();
      expect(halted()).toEqual([area]);
      expect(await told()).toEqual(before);
      const sent = (await client.send('GET', `/admin/v1/webhooks/${endpoint}/deliveries`)).json.deliveries;
      await client.send('POST', `/admin/v1/webhooks/${endpoint}/deliveries/${sent[0].id}/resend`);
      await delivered();
      expect(await told()).toEqual(before);
      jest.restoreAllMocks();
      await catchUp(area);
      expect(halted()).toEqual([]);
      const all = await told();
      expect(all.slice(0, before.length)).toEqual(before);
      expect(comparable(all)).toEqual(undisturbed);
      await delivered();
      expect(arrived.toSorted()).toEqual([...idsOf(all.slice(first.length)), sent[0].outcome].sort());
    },
  );
});
