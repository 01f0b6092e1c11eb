import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupBy } from '@laurel/kernel';
import { CHAIN_SERVICES } from '@laurel/ports';
import type { TimelineEvent } from '@laurel/schemas';
import { clientConfig } from '@laurel/database';
import {
  caughtUp,
  comparableOutcomes,
  eventually,
  Load,
  outcomeIdIn,
  outcomesOfStandalone,
  rankWords,
  recountedRanks,
  startTestTopology,
  notifiedOutcomes,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';
import {
  erase,
  expectedAt,
  faultsIn,
  importPast,
  outOfOrder,
  PatientClient,
  publish,
  Receiver,
  recount,
  shownLog,
  suiteAsks,
  suiteConfiguration,
  timelineOf,
  type Arrival,
  type RequestedEndpoint,
} from '@laurel/testing/outgoing';
import { randomOf, seedOf } from '@laurel/testing/random';
import pg from 'pg';

const FIRST_DAY = '2020-01-01';
const ANNOUNCE_TOP = 5;
/** They follow the order in which the boards' owner took events of different users, which is the topology's own. */
const OF_RANKS = ['leaderboard.rank_changed', 'leaderboard.rank_lost', 'leaderboard.changed'];
/** Of those that there are in this topology: it corrects nobody. */
const OTHERS = [
  'configuration.published',
  'user.created',
  'user.erased',
  'streak.started',
  'streak.extended',
  'streak.at_risk',
  'streak.lost',
  'streak.freeze_consumed',
  'streak.freeze_earned',
  'achievement.completed',
  'points.changed',
  'points.level_changed',
  'leaderboard.started',
  'leaderboard.finished',
  'emails.achievement_due',
  'emails.streak_reminder_due',
  'emails.recap_due',
  'emails.reactivation_due',
  'endpoint.disabled',
  'import.finished',
];
const STRICT = ['configuration.published', 'user.created', 'user.erased', 'streak.lost'];
const ENDPOINTS: readonly RequestedEndpoint[] = [
  { path: '/all', types: OTHERS, ordering: 'user' },
  { path: '/strict', types: STRICT, ordering: 'strict' },
];
const RANKS: RequestedEndpoint = { path: '/ranks', types: OF_RANKS, ordering: 'user' };
const SEED = seedOf('webhooks of the distributed topology');
/** In three storms. */
const KILLS = Number(process.env['OUTGOING_TEST_KILLS'] ?? 9);
const KILLS_A_STORM = Math.ceil(KILLS / 3);
/** Between the signal and what is asked at the same time. */
const LONGEST_DELAY_MS = 100;
const EVENTS_BEFORE_ERASURE = 30;
const BETWEEN_IMPORTS_MS = 300;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of tomorrow, whatever day it is: time never goes back, and each moment of these days is met by a jump. */
const FIRST_MIDNIGHT = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
const momentOf = (day: number, time: string): number =>
  Date.parse(`${new Date(FIRST_MIDNIGHT + day * DAY_MS).toISOString().slice(0, 10)}T${time}Z`);
const weekdayOf = (instant: number): string =>
  new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(instant).toLowerCase();
/** The recap is due on the second day. */
const CONFIGURATION = `${suiteConfiguration(FIRST_DAY)}
outgoing:
  announceTop: ${ANNOUNCE_TOP}
  atRisk: { at: "18:00" }
  recap: { day: ${weekdayOf(momentOf(1, '00:00:00'))}, at: "18:00" }
  reactivation: { days: [4] }
  events: [${[...OTHERS, ...OF_RANKS].join(', ')}]
`;
/** On a busy machine too: each time that an outcome meets nobody, its user waits longer. */
const DELIVERED_WITHIN_MS = 300_000;

let topology: Topology;
let running: Topology | null = null;
let load: Load | null = null;
let folder: string;
let receiver: Receiver;
let gone: Server;
let sql: pg.Client;
let client: PatientClient;
let shiftMs = 0;
let silentSince = '';

const random = randomOf(SEED);
const USERS = Array.from({ length: 24 }, (_, number) => `user ${number}`);
const RETURNING = USERS.slice(0, 12);
const everybody = new Set(USERS);
/** They are on no board: outcomes that name an erased user are no longer sent. */
const LEAVING = ['gone ann', 'gone ben'];
const erased = new Map<string, readonly TimelineEvent[]>();
/** All have a streak from the first day; on the next one a single one meets it. Nobody looks when it is 18:00 in Nairobi. */
const FAITHFUL = {
  tokyo: { id: 'in Tokyo', tz: 'Asia/Tokyo' },
  utc: { id: 'in UTC', tz: 'UTC' },
  nairobi: { id: 'in Nairobi', tz: 'Africa/Nairobi' },
  met: { id: 'in time', tz: 'UTC' },
};

// Answers are read by the names of their fields.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

const asked = async (url: string, method: string, path: string, body?: unknown): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    headers: { 'x-api-key': topology.apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const ask = (method: string, path: string, body?: unknown): Promise<Json> => client.ask(method, path, body);

const isWorking = async (process: ServiceProcess): Promise<boolean> =>
  (await process.metrics()).get('laurel_leading') === 1;

/** The instance that delivers, and one that does not. */
async function instances(): Promise<readonly [ServiceProcess, ServiceProcess]> {
  const [one, other] = topology.of('outgoing-service') as [ServiceProcess, ServiceProcess];
  await eventually(topology, 'one instance delivers', async () => (await isWorking(one)) !== (await isWorking(other)));
  return (await isWorking(one)) ? [one, other] : [other, one];
}

/** Whose end must lose nothing; `working` is the instance that delivers. */
const VICTIMS = ['receiver', 'working', 'both', 'ingestion-gateway', ...CHAIN_SERVICES.map(({ name }) => name)];
const unharmed: string[] = [];

/** Everybody once in an order that the seed says, and so on. */
function nextVictim(): string {
  if (unharmed.length === 0) unharmed.push(...VICTIMS);
  return unharmed.splice(Math.floor(random() * unharmed.length), 1)[0] as string;
}

async function processesOf(victim: string): Promise<readonly ServiceProcess[]> {
  if (victim !== 'working' && victim !== 'both') return topology.of(victim);
  const [working, standby] = await instances();
  return victim === 'both' ? [working, standby] : [working];
}

/** The log has the time of the gateway; nobody else needs one. */
const startOf = (process: ServiceProcess): Promise<void> =>
  process.start(process.name === 'ingestion-gateway' ? { LAUREL_CLOCK: now() } : {});

async function killAndStart(processes: readonly ServiceProcess[]): Promise<void> {
  await Promise.all(processes.map((process) => process.kill()));
  await Promise.all(processes.map(startOf));
}

const kill = async (victim: string): Promise<void> =>
  victim === 'receiver' ? receiver.kill() : killAndStart(await processesOf(victim));

/**
 * Kills somebody again and again with -9, each time after so much has arrived as the seed says.
 * @param meanwhile is done at the first kills, one at each: its requests are under way then
 */
async function storm(meanwhile: readonly (() => Promise<void>)[]): Promise<void> {
  for (let killed = 0; killed < KILLS_A_STORM; killed++) {
    await arrived(receiver.arrivals().length + 1 + Math.floor(random() * 25));
    const [victim, delayMs] = [nextVictim(), random() * LONGEST_DELAY_MS];
    await Promise.all([pause(delayMs).then(() => kill(victim)), meanwhile[killed]?.()]);
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const now = (): string => new Date(Date.now() + shiftMs).toISOString();

async function moveTo(moment: number): Promise<void> {
  shiftMs = moment - Date.now();
  await killAndStart(topology.of('ingestion-gateway'));
}

function loadOf(users: readonly string[], keys: string): Load {
  const { url, apiKey } = topology;
  return Load.start({ urls: [url], apiKey, metrics: ['lessons', 'words'], users, lanes: 6, keys });
}

const importedBy = (prefix: string): readonly string[] => ['ann', 'ben', 'cay'].map((name) => `${prefix} ${name}`);

async function importDays(prefix: string, options: object, instants: AsyncIterable<string> | Iterable<string>) {
  const users = importedBy(prefix);
  for (const user of users) everybody.add(user);
  await importPast(client, { options, users, instants, value: () => 1 + Math.floor(random() * 9) });
}

const lesson = async (user: { readonly id: string; readonly tz?: string }): Promise<void> => {
  everybody.add(user.id);
  await ask('POST', '/v1/metrics/lessons/event', { user, value: 1 });
};

const publishLevel = (key: string, points: number) =>
  publish(client, (document) => document.points[0].levels.push({ key, name: key, points }));

const publishAchievement = (key: string, value: number) =>
  publish(client, (document) =>
    document.achievements.push({ key, name: key, trigger: { type: 'metric', metric: 'words', value } }),
  );

const isWithoutRanks = (body: string): boolean => !OF_RANKS.includes((JSON.parse(body) as Json).type);

const isOfSilent = ({ user }: Json): boolean => user?.id.startsWith('silent ') ?? false;

/** How many outcomes have arrived with all these texts in their bodies. */
const notified = (...texts: readonly string[]): number =>
  new Set(
    receiver
      .arrivals()
      .filter(({ path, body }) => path === '/all' && texts.every((text) => body.includes(`"${text}"`)))
      .map(({ id }) => id),
  ).size;

const arrived = (count: number) =>
  eventually(
    topology,
    `${count} requests have arrived`,
    () => receiver.arrivals().length >= count,
    DELIVERED_WITHIN_MS,
  );

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: CONFIGURATION,
    outgoing: true,
    instances: { 'outgoing-service': 2 },
    environment: {
      LAUREL_ANSWER_LIMIT_MS: '1000',
      LAUREL_WEBHOOK_ALLOW: '127.0.0.1',
      LAUREL_WEBHOOK_RETRY_PERMILLE: '1',
    },
  });
  folder = mkdtempSync(join(tmpdir(), 'laurel-receiver-'));
  receiver = await Receiver.start(folder, SEED);
  gone = createServer((request, response) => request.resume().on('end', () => response.writeHead(410).end()));
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  sql = new pg.Client(clientConfig(topology.postgres.connection));
  await sql.connect();
  client = new PatientClient(topology);
});

afterAll(async () => {
  await load?.abandon();
  await receiver?.stop();
  gone?.close();
  await sql?.end();
  await running?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

describe('webhooks of the distributed topology', () => {
  it('are created by the gateway, changed by any instance, and listed in the audit with their author', async () => {
    // Of what was made before, nothing is sent to it: that is the first version, and no more.
    await eventually(
      topology,
      'the first version is told',
      async () => (await notifiedOutcomes(topology)).length === 1,
    );
    const created: Json[] = [];
    for (const { path, types, ordering } of [...ENDPOINTS, RANKS]) {
      const request = { url: `${receiver.url}${path}`, types, ordering, minimumInterval: 0 };
      const { status, json } = await client.answer('POST', '/admin/v1/webhooks', request);
      expect(status).toBe(201);
      receiver.expect({ [path]: json.secret });
      created.push(json);
    }
    const [{ id }, { url: strictUrl }, { url: ranksUrl }] = created;
    const [, standby] = await instances();
    const change = { description: 'by the other instance' };
    const throughStandby = new PatientClient({ url: standby.url, apiKey: topology.apiKey });
    expect(await throughStandby.ask('PATCH', `/admin/v1/webhooks/${id}`, change)).toMatchObject(change);
    expect(await ask('GET', '/admin/v1/webhooks')).toMatchObject([
      { id, ...change, state: 'enabled' },
      { url: strictUrl, ordering: 'strict', state: 'enabled' },
      { url: ranksUrl, state: 'enabled' },
    ]);
    const { entries } = await ask('GET', '/admin/v1/audit?limit=10');
    const about = entries.filter(({ type }: Json) => type === 'WebhookChanged');
    expect(about.map(({ by, details }: Json) => [by, details])).toMatchObject([
      ['environment', expect.objectContaining({ change: 'changed' })],
      ...[...ENDPOINTS, RANKS].map(() => ['environment', expect.objectContaining({ change: 'created' })]),
    ]);
    const unnamed = await asked(topology.url, 'POST', '/admin/v1/webhooks', { url: 'http://10.0.0.1/' });
    expect([unnamed.status, ((await unnamed.json()) as Json).errors]).toMatchObject([422, [{ path: 'url' }]]);
    expect((await fetch(`${topology.url}/admin/v1/webhooks`)).status).toBe(401);
  });

  it('receive each outcome at least once, in order of each user, whichever process is killed', async () => {
    await moveTo(momentOf(0, '12:30:00'));
    load = loadOf(USERS, 'load');
    let isOver = false;
    /** Every half an hour of the past, until the storm is over. */
    async function* past(): AsyncGenerator<string> {
      for (let at = momentOf(-8, '00:00:00'); !isOver && at < momentOf(0, '00:00:00'); at += HOUR_MS / 2) {
        yield new Date(at).toISOString();
        await pause(BETWEEN_IMPORTS_MS);
      }
    }
    const publications = [() => publishAchievement('ten', 10), () => publishLevel('gold', 100)];
    await Promise.all([
      storm(publications).finally(() => (isOver = true)),
      importDays('told', { outgoing: true }, past()),
    ]);
    await load.stop();
    expect(load.violations).toEqual([]);
  });

  it('receive nothing from an import that was opened without outgoing', async () => {
    silentSince = now();
    await ask('POST', '/admin/v1/imports', {});
    expect(await ask('GET', '/admin/v1/imports')).toMatchObject({ open: { outgoing: false } });
    const instants = [3, 2, 1].map((days) => new Date(momentOf(-days, '12:00:00')).toISOString());
    await importDays('silent', {}, instants);
  });

  it('remind users once of a period that is not met, without delay, beside erasures', async () => {
    for (const user of Object.values(FAITHFUL)) await lesson(user);
    await moveTo(momentOf(1, '09:02:00'));
    for (const id of LEAVING) await ask('POST', '/v1/metrics/lessons/event', { user: { id }, value: 1 });
    await caughtUp(topology);
    for (const id of LEAVING) erased.set(id, await timelineOf(client, id));
    load = loadOf(RETURNING, 'next day');
    await Promise.all([
      storm([() => lesson(FAITHFUL.met), () => erase(client, 'gone ann'), () => publishAchievement('hundred', 100)]),
      load.more(EVENTS_BEFORE_ERASURE).then(() => erase(client, 'gone ben')),
    ]);
    await load.stop();
    expect(load.violations).toEqual([]);
    const isReminded = ({ id }: { readonly id: string }, type = 'streak.at_risk') => notified(type, id) > 0;
    await eventually(topology, 'Tokyo is reminded', () => isReminded(FAITHFUL.tokyo), DELIVERED_WITHIN_MS);
    expect(isReminded(FAITHFUL.utc)).toBe(false);
    await moveTo(momentOf(1, '18:05:00'));
    for (const type of ['streak.at_risk', 'emails.recap_due'])
      await eventually(topology, `UTC is sent ${type}`, () => isReminded(FAITHFUL.utc, type), DELIVERED_WITHIN_MS);
  });

  it('receive run starts, run ends, ended streaks and reminders as days pass', async () => {
    // Four days after those have done something who did so on the first day only.
    await moveTo(momentOf(4, '12:45:00'));
    load = loadOf(RETURNING, 'later');
    await storm([() => publishLevel('platinum', 500)]);
    await load.stop();
    expect(load.violations).toEqual([]);
    for (const type of ['streak.freeze_consumed', 'streak.lost'])
      await eventually(topology, `${type} has arrived`, () => notified(type) > 0, DELIVERED_WITHIN_MS);
    for (const type of ['leaderboard.started', 'leaderboard.finished'])
      await eventually(topology, `${type} of four days has arrived`, () => notified(type) >= 4, DELIVERED_WITHIN_MS);
    const won = receiver
      .arrivals()
      .map(({ body }) => JSON.parse(body) as Json)
      .find(({ type, leaderboard }) => type === 'leaderboard.finished' && leaderboard.rankings.length > 0);
    expect(won.leaderboard).toMatchObject({
      key: 'days',
      rankings: expect.arrayContaining([expect.objectContaining({ rank: 1, userId: expect.stringMatching(/./u) })]),
    });
    await eventually(
      topology,
      'all are reminded who did not come back',
      () => notified('emails.reactivation_due') >= USERS.length - RETURNING.length,
      DELIVERED_WITHIN_MS,
    );
    const sent = (type: string) =>
      Object.fromEntries(Object.values(FAITHFUL).map(({ id }) => [id, notified(type, id)]));
    const unmet = { 'in Tokyo': 1, 'in UTC': 1, 'in Nairobi': 0, 'in time': 0 };
    expect([sent('streak.at_risk'), sent('emails.streak_reminder_due')]).toEqual([unmet, unmet]);
    expect(sent('emails.recap_due')).toEqual({ ...unmet, 'in time': 1 });
  });

  it('report another webhook that was disabled', async () => {
    const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/gone`;
    const { id } = await ask('POST', '/admin/v1/webhooks', { url, types: ['user.created'] });
    await lesson({ id: 'the last one' });
    const disabled = () => receiver.arrivals().find(({ body }) => body.includes('"endpoint.disabled"'));
    await eventually(topology, 'the other endpoint is told', () => disabled() !== undefined, DELIVERED_WITHIN_MS);
    expect(JSON.parse(disabled()?.body ?? '')).toMatchObject({ endpoint: { id }, failure: { status: 410 } });
    const { entries } = await ask('GET', '/admin/v1/audit?limit=1');
    expect(entries).toMatchObject([{ type: 'WebhookChanged', by: 'process' }]);
    const [working] = await instances();
    expect((await working.metrics()).get('laurel_webhooks_disabled')).toBe(1);
    expect(await (await fetch(`${working.url}/readyz`)).json()).toMatchObject({
      webhooks: expect.stringMatching(/^a webhook is disabled/),
    });
  });

  it('have received the outcomes that a standalone makes of the same log, and no others', async () => {
    await caughtUp(topology);
    const expected = (await outcomesOfStandalone(topology.postgres.connection, 'default')).filter(isWithoutRanks);
    let made: readonly string[] = [];
    const isMade = async () =>
      (made = (await notifiedOutcomes(topology)).filter(isWithoutRanks)).length >= expected.length;
    await eventually(topology, 'everything was made', isMade, DELIVERED_WITHIN_MS, () => [
      made.length,
      expected.length,
    ]);
    const compared = comparableOutcomes(made, expected);
    expect(compared.one).toEqual(compared.other);
    expect(compared.withUser).toBeGreaterThan(made.length / 4);
    expect(compared.withPoints).toBeGreaterThan(0);
    const isDelivered = async () => {
      const endpoints = (await ask('GET', '/admin/v1/webhooks')).filter(({ state }: Json) => state === 'enabled');
      return endpoints.every(({ behind, unfinished }: Json) => behind === 0 && unfinished === 0);
    };
    await eventually(topology, 'everything was delivered', isDelivered, DELIVERED_WITHIN_MS);
    const arrivals = receiver.arrivals();
    expect(arrivals.filter(({ signed }) => !signed)).toEqual([]);
    const bodies = new Map(made.map((body) => [outcomeIdIn(body), body]));
    const existing = (JSON.parse(made[0] ?? '') as Json).id;
    bodies.delete(existing);
    const at = (path: string) => arrivals.filter((arrival) => arrival.path === path);
    // All deliveries of erased users were deleted, sent or not.
    const isOfErased = (body: string) => erased.has((JSON.parse(body) as Json).user?.id);
    const accepted = (path: string) =>
      new Map(
        at(path).flatMap(({ id, body, answer }) => (answer === 'ok' && !isOfErased(body) ? [[id, body] as const] : [])),
      );
    const [all, strict] = [accepted('/all'), accepted('/strict')];
    expect(new Map([...all].sort())).toEqual(new Map([...bodies].sort()));
    expect([...strict.values()]).toEqual(
      [...bodies.values()].filter((body) => STRICT.includes((JSON.parse(body) as Json).type)),
    );
    const byUser = (some: Iterable<string>) => groupBy(some, (body) => (JSON.parse(body) as Json).user?.id ?? '');
    expect(byUser(all.values())).toEqual(byUser(bodies.values()));
    expect([...outOfOrder(at('/all'), false), ...outOfOrder(at('/strict'), true)]).toEqual([]);
    expect([...bodies.values()].some((body) => body.includes('"id":"told ann"'))).toBe(true);
    const ofSilent = [...bodies.values()].map((body) => JSON.parse(body) as Json).filter(isOfSilent);
    expect(ofSilent.filter(({ timestamp }) => timestamp < silentSince)).toEqual([]);
  });

  it('have received the outcomes that a recount of the log expects, and no others', async () => {
    const expected = recount(await shownLog(client, everybody, now(), erased), suiteAsks(FIRST_DAY, ANNOUNCE_TOP));
    const arrivals = receiver.arrivals().filter(({ path }) => path !== RANKS.path);
    expect(faultsIn(arrivals, expectedAt(ENDPOINTS, expected, new Set(erased.keys())))).toEqual([]);
    expect(new Set(receiver.arrivals().map(({ body }) => JSON.parse(body).type))).toEqual(
      new Set([...OTHERS, ...OF_RANKS]),
    );
  });

  it.each([
    { key: 'words', metric: 'words', daily: false },
    { key: 'days', metric: 'words', daily: true },
  ])('have received the ranks on $key that a recount of the log expects, in order of each user', async (board) => {
    const arrivals = receiver.arrivals().filter(({ path }) => path === RANKS.path);
    expect(outOfOrder(arrivals, false)).toEqual([]);
    expect(arrivals.filter(({ signed }) => !signed)).toEqual([]);
    expect(new Set(arrivals.map(({ id, body }) => `${id} ${body}`)).size).toBe(
      new Set(arrivals.map(({ id }) => id)).size,
    );
    const silent = new Set(importedBy('silent'));
    const expected = await recountedRanks(topology, { ...board, announceTop: ANNOUNCE_TOP, silent });
    const wordsOf = (some: readonly Arrival[]) =>
      [...new Map(some.map(({ id, body }) => [id, body])).values()]
        .flatMap((body) => rankWords(body, board) ?? [])
        .sort();
    expect(wordsOf(arrivals)).toEqual(expected);
    expect(wordsOf(arrivals.filter(({ answer }) => answer === 'ok'))).toEqual(expected);
  });

  it('keep no deliveries of an erased user, and the certificate names them', async () => {
    const subjects = await sql.query("select subject::text from laurel_ingestion.subjects where user_id = 'told ann'");
    const subject = subjects.rows[0]?.subject as string;
    const left = async () =>
      (
        await sql.query<{ rows: number }>(
          `select count(*)::int as rows from laurel_outgoing.webhook_deliveries where user_key = $1 or others @> array[$1]`,
          [subject],
        )
      ).rows[0]?.rows ?? 0;
    const rows = await left();
    expect(rows).toBeGreaterThan(0);
    const { previewId } = await ask('DELETE', '/admin/v1/users/told%20ann?preview=true');
    const certificate = await ask('DELETE', `/admin/v1/users/told%20ann?previewId=${previewId}&reason=asked`);
    expect(certificate.places).toContainEqual({ place: 'webhook_deliveries', rows, becomes: 'anonymous' });
    await eventually(topology, 'nothing is left', async () => (await left()) === 0);
  });
});
