import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupBy } from '@laurel/contracts';
import { clientConfig } from '@laurel/database';
import {
  caughtUp,
  comparableOutcome,
  eventually,
  Load,
  outcomeIdIn,
  outcomesOfStandalone,
  startTestTopology,
  toldOutcomes,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import { outOfOrder, randomOf, Receiver } from '@laurel/testing/outgoing';
import pg from 'pg';

/** Those that need no ranks of before: the order among events of different users is the topology's own. */
const OUTCOMES = `outgoing:
  events: [configuration.published, user.created, streak.started, streak.extended, streak.lost, streak.freeze_consumed, streak.freeze_earned, achievement.completed, points.changed, points.level_changed, leaderboard.started, leaderboard.finished, endpoint.disabled, import.finished]
`;
const STRICT = ['configuration.published', 'user.created', 'streak.lost'];
const SEED = Number(process.env['OUTGOING_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
/** Each kind of process once; at night many, of random ones. */
const KILLS = Number(process.env['OUTGOING_TEST_KILLS'] ?? 5);
const DAY_MS = 86_400_000;
const DELIVERED_WITHIN_MS = 120_000;

let topology: Topology;
let running: Topology | null = null;
let load: Load | null = null;
let folder: string;
let receiver: Receiver;
let gone: Server;
let sql: pg.Client;

// Answers are read by the names of their fields.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

const asked = async (url: string, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    headers: { 'x-api-key': topology.apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

/** Of the gateway, until it is no 503. */
async function ask(method: string, path: string, body?: unknown, status = 200, url = topology.url): Promise<Json> {
  let answer: { status: number; json: Json } = { status: 503, json: null };
  const isAnswered = async () => {
    const response = await asked(url, method, path, body);
    const text = await response.text();
    answer = { status: response.status, json: text === '' ? null : JSON.parse(text) };
    return answer.status !== 503;
  };
  await eventually(topology, `${method} ${path}`, isAnswered, 60_000, () => answer);
  expect(answer).toMatchObject({ status });
  return answer.json;
}

const isWorking = async (process: ServiceProcess): Promise<boolean> =>
  (await process.metrics()).get('laurel_leading') === 1;

/** The instance that delivers, and one that does not. */
async function instances(): Promise<readonly [ServiceProcess, ServiceProcess]> {
  const [one, other] = topology.of('outgoing-service') as [ServiceProcess, ServiceProcess];
  await eventually(topology, 'one instance delivers', async () => (await isWorking(one)) !== (await isWorking(other)));
  return (await isWorking(one)) ? [one, other] : [other, one];
}

/** Whose end must lose nothing. */
const VICTIMS = ['working', 'receiver', 'both', 'leaderboard-service', 'streak-service'] as const;

async function processesOf(victim: string): Promise<readonly ServiceProcess[]> {
  if (victim !== 'working' && victim !== 'both') return topology.of(victim);
  const [working, standby] = await instances();
  return victim === 'both' ? [working, standby] : [working];
}

async function killAndStart(processes: readonly ServiceProcess[]): Promise<void> {
  for (const process of processes) await process.kill();
  await Promise.all(processes.map((process) => process.start()));
}

const LATE_ACHIEVEMENT = {
  ...{ key: 'late', name: 'Late' },
  trigger: { type: 'metric', metric: 'words', value: 1 },
};

async function publish(change: (document: Json) => void): Promise<void> {
  const { document } = await ask('GET', '/admin/v1/configurations/current');
  change(document);
  await ask('POST', '/admin/v1/configurations', { document }, 201);
}

const arrived = (count: number) =>
  eventually(topology, `${count} requests have arrived`, () => receiver.arrivals().length >= count);

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: `${HTTP_SUITE_CONFIGURATION}${OUTCOMES}`,
    outgoing: true,
    instances: { 'outgoing-service': 2 },
    environment: {
      LAUREL_ANSWER_LIMIT_MS: '1000',
      LAUREL_WEBHOOK_ALLOW: '127.0.0.1',
      LAUREL_WEBHOOK_RETRY_PERMILLE: '1',
    },
  });
  folder = mkdtempSync(join(tmpdir(), 'laurel-receiver-'));
  receiver = await Receiver.start(folder, 17);
  gone = createServer((request, response) => request.resume().on('end', () => response.writeHead(410).end()));
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  sql = new pg.Client(clientConfig(topology.postgres.connection));
  await sql.connect();
});

afterAll(async () => {
  await load?.abandon();
  await receiver?.stop();
  gone?.close();
  await sql?.end();
  await running?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

describe(`webhooks of the distributed topology (seed ${SEED})`, () => {
  it('are created through the gateway, changed through any instance, and recorded in the audit with who did it', async () => {
    // Of what was made before, nothing is sent to it: that is the first version, and no more.
    await eventually(topology, 'the first version is told', async () => (await toldOutcomes(topology)).length === 1);
    const request = { url: `${receiver.url}/all`, minimumInterval: 0 };
    const { id, secret } = await ask('POST', '/admin/v1/webhooks', request, 201);
    const strict = { url: `${receiver.url}/strict`, types: STRICT, ordering: 'strict' };
    receiver.expect({ '/all': secret, '/strict': (await ask('POST', '/admin/v1/webhooks', strict, 201)).secret });
    const [, standby] = await instances();
    const change = { description: 'by the other instance' };
    expect(await ask('PATCH', `/admin/v1/webhooks/${id}`, change, 200, standby.url)).toMatchObject(change);
    expect(await ask('GET', '/admin/v1/webhooks')).toMatchObject([
      { id, ...change, state: 'enabled' },
      { url: strict.url, ordering: 'strict', state: 'enabled' },
    ]);
    const { entries } = await ask('GET', '/admin/v1/audit?limit=10');
    const about = entries.filter(({ type }: Json) => type === 'WebhookChanged');
    expect(about.map(({ by, details }: Json) => [by, details])).toMatchObject([
      ['environment', expect.objectContaining({ change: 'changed' })],
      ['environment', expect.objectContaining({ change: 'created' })],
      ['environment', expect.objectContaining({ change: 'created' })],
    ]);
    const unnamed = await asked(topology.url, 'POST', '/admin/v1/webhooks', { url: 'http://10.0.0.1/' });
    expect([unnamed.status, ((await unnamed.json()) as Json).errors]).toMatchObject([422, [{ path: 'url' }]]);
    expect((await fetch(`${topology.url}/admin/v1/webhooks`)).status).toBe(401);
  });

  it('get each outcome at least once, in order of each user, whoever is killed', async () => {
    load = Load.on(topology, 6);
    const random = randomOf(SEED);
    for (let kill = 0; kill < KILLS; kill++) {
      await arrived(receiver.arrivals().length + 1 + Math.floor(random() * 25));
      const victim = kill < VICTIMS.length ? VICTIMS[kill] : VICTIMS[Math.floor(random() * VICTIMS.length)];
      if (victim === 'receiver') await receiver.kill();
      else await killAndStart(await processesOf(victim ?? 'working'));
    }
    await publish((document) => document.achievements.push(LATE_ACHIEVEMENT));
    await arrived(receiver.arrivals().length + 10);
    await load.stop();
    expect(load.violations).toEqual([]);
  });

  it('get the outcomes of an import that was opened with them, and of no other', async () => {
    const past = (id: string) => ({
      events: ['lessons', 'words'].map((metric, day) => ({
        ...{ metric, user: { id }, value: 1, timestamp: `2026-03-0${day + 1}T12:00:00Z` },
        idempotencyKey: `${id} ${metric}`,
      })),
    });
    const importPast = async (id: string, options: object) => {
      await ask('POST', '/admin/v1/imports', options, 201);
      expect(await ask('GET', '/admin/v1/imports')).toMatchObject({ open: { outgoing: false, ...options } });
      const imported = await asked(topology.url, 'POST', '/admin/v1/metrics/events', past(id));
      const { results } = (await imported.json()) as Json;
      expect(results.map(({ status }: Json) => status)).toEqual([201, 201]);
      await ask('POST', '/admin/v1/imports/finish', {});
    };
    await importPast('told', { outgoing: true });
    await importPast('silent', {});
  });

  it('get the runs that begin and end as days pass, and the streaks that end', async () => {
    for (const metric of ['lessons', 'reviews'])
      await ask('POST', `/v1/metrics/${metric}/event`, { user: { id: 'faithful' }, value: 2 }, 201);
    const [gateway] = topology.of('ingestion-gateway');
    await gateway?.stop();
    await gateway?.start({ LAUREL_CLOCK: new Date(Date.now() + 4 * DAY_MS).toISOString() });
    for (const type of ['leaderboard.started', 'leaderboard.finished', 'streak.freeze_consumed', 'streak.lost'])
      await eventually(topology, `${type} has arrived`, () =>
        receiver.arrivals().some(({ body }) => body.includes(`"${type}"`)),
      );
    const won = () =>
      receiver
        .arrivals()
        .map(({ body }) => JSON.parse(body) as Json)
        .find(({ type, leaderboard }) => type === 'leaderboard.finished' && leaderboard.rankings.length > 0);
    await eventually(topology, 'the winners of a day are told', () => won() !== undefined);
    expect(won().leaderboard).toMatchObject({
      key: 'words-daily',
      rankings: expect.arrayContaining([expect.objectContaining({ rank: 1, userId: expect.stringMatching(/./u) })]),
    });
  });

  it('are told of one that was disabled', async () => {
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/gone`;
    const { id } = await ask('POST', '/admin/v1/webhooks', { url, types: ['user.created'] }, 201);
    await ask('POST', '/v1/users', { id: 'the last one' }, 201);
    const told = () => receiver.arrivals().find(({ body }) => body.includes('"endpoint.disabled"'));
    await eventually(topology, 'the other endpoint is told', () => told() !== undefined);
    expect(JSON.parse(told()?.body ?? '')).toMatchObject({ endpoint: { id }, failure: { status: 410 } });
    const { entries } = await ask('GET', '/admin/v1/audit?limit=1');
    expect(entries).toMatchObject([{ type: 'WebhookChanged', by: 'process' }]);
    const [working] = await instances();
    expect((await working.metrics()).get('laurel_webhooks_disabled')).toBe(1);
    expect(await (await fetch(`${working.url}/readyz`)).json()).toMatchObject({
      webhooks: expect.stringMatching(/^a webhook is disabled/),
    });
  });

  it('have got what a standalone makes of the same log, and nothing else', async () => {
    await caughtUp(topology);
    const expected = await outcomesOfStandalone(topology.postgres.connection, 'default');
    let told: readonly string[] = [];
    const isTold = async () => (told = await toldOutcomes(topology)).length >= expected.length;
    await eventually(topology, 'everything was made', isTold, DELIVERED_WITHIN_MS, () => [
      told.length,
      expected.length,
    ]);
    expect(told.map(comparableOutcome)).toEqual(expected.map(comparableOutcome));
    const isDelivered = async () => {
      const endpoints = (await ask('GET', '/admin/v1/webhooks')).filter(({ state }: Json) => state === 'enabled');
      return endpoints.every(({ behind, unfinished }: Json) => behind === 0 && unfinished === 0);
    };
    await eventually(topology, 'everything was delivered', isDelivered, DELIVERED_WITHIN_MS);
    const arrivals = receiver.arrivals();
    expect(arrivals.filter(({ signed }) => !signed)).toEqual([]);
    const bodies = new Map(told.map((body) => [outcomeIdIn(body), body]));
    const existing = (JSON.parse(told[0] ?? '') as Json).id;
    bodies.delete(existing);
    const at = (path: string) => arrivals.filter((arrival) => arrival.path === path);
    const accepted = (path: string) =>
      new Map(at(path).flatMap(({ id, body, answer }) => (answer === 'ok' ? [[id, body] as const] : [])));
    const [all, strict] = [accepted('/all'), accepted('/strict')];
    expect(new Map([...all].sort())).toEqual(new Map([...bodies].sort()));
    expect([...strict.values()]).toEqual(
      [...bodies.values()].filter((body) => STRICT.includes((JSON.parse(body) as Json).type)),
    );
    const byUser = (some: Iterable<string>) => groupBy(some, (body) => (JSON.parse(body) as Json).user?.id ?? '');
    expect(byUser(all.values())).toEqual(byUser(bodies.values()));
    expect([...outOfOrder(at('/all'), false), ...outOfOrder(at('/strict'), true)]).toEqual([]);
    expect([...bodies.values()].some((body) => body.includes('"id":"told"'))).toBe(true);
    expect([...bodies.values()].some((body) => body.includes('"id":"silent"'))).toBe(false);
  });

  it('keep nothing of a user who is erased, which the certificate names', async () => {
    const subjects = await sql.query("select subject::text from laurel_ingestion.subjects where user_id = 'told'");
    const subject = subjects.rows[0]?.subject as string;
    const left = async () =>
      (
        await sql.query<{ rows: number }>(
          `select count(*)::int as rows from laurel_outgoing.webhook_deliveries where user_key = $1`,
          [subject],
        )
      ).rows[0]?.rows ?? 0;
    const rows = await left();
    expect(rows).toBeGreaterThan(0);
    const { previewId } = await ask('DELETE', '/admin/v1/users/told?preview=true');
    const certificate = await ask('DELETE', `/admin/v1/users/told?previewId=${previewId}&reason=asked`);
    expect(certificate.places).toContainEqual({ place: 'webhook_deliveries', rows, becomes: 'anonymous' });
    await eventually(topology, 'nothing is left', async () => (await left()) === 0);
  });
});
