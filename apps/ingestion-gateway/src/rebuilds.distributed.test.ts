import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupBy } from '@laurel/kernel';
import { clientConfig } from '@laurel/database';
import { HTTP_SUITE_CONFIGURATION } from '@laurel/testing/http-suite';
import {
  Load,
  caughtUp,
  compareWithStandalone,
  differencesOf,
  eventually,
  loseTopics,
  outcomeIdIn,
  startTestTopology,
  notifiedOutcomes,
  type ServiceProcess,
  type Topology,
} from '@laurel/testing/distributed';
import { PatientClient, Receiver } from '@laurel/testing/outgoing';
import pg from 'pg';

/** A day of the month that it is now nowhere: events would mend what is damaged there. */
const OTHER_DAY = Math.abs(new Date().getUTCDate() - 15) > 5 ? 15 : 1;

/** A change to every row of a read model behind its service's back, and a condition that finds changed rows. */
const DAMAGES = [
  [
    'streak-service',
    'laurel_streak.metric_months',
    `days = '{"${OTHER_DAY}":"987654"}'`,
    `days ->> '${OTHER_DAY}' = '987654'`,
  ],
  [
    'achievement-service',
    'laurel_achievement.achievement_completions',
    "achieved_at = 'epoch'",
    "achieved_at = 'epoch'",
  ],
  [
    'points-service',
    'laurel_points.effects',
    // Those whose outcomes are made: of the others the outgoing service would tell something else.
    "points = '[[1,1,987654]]' where position <= (select min(position) from laurel_outgoing.outcome_cursors)",
    "points = '[[1,1,987654]]'",
  ],
  ['leaderboard-service', 'laurel_leaderboard.rank_changes', 'rank = 987654', 'rank = 987654'],
] as const;
const CHAIN = DAMAGES.map(([service]) => service);
/** Of the log and of the services, front to back, with the one who writes each. */
const TOPICS = [
  ['laurel.2.log', 'ingestion-gateway'],
  ['laurel.2.streaks', 'streak-service'],
  ['laurel.2.achievements', 'achievement-service'],
  ['laurel.2.points', 'points-service'],
] as const;
const SENDERS = TOPICS.map(([, service]) => service);
const EVENTS = 40;

let topology: Topology;
let running: Topology | null = null;
let load: Load | null = null;
let sql: pg.Client;
let client: PatientClient;
let folder: string;
let receiver: Receiver;

beforeAll(async () => {
  topology = running = await startTestTopology({
    configuration: `${HTTP_SUITE_CONFIGURATION}outgoing: { events: [user.created, streak.started, points.changed] }\n`,
    outgoing: true,
    // Callers do not wait long for a service that is not there.
    environment: {
      LAUREL_ANSWER_LIMIT_MS: '1000',
      LAUREL_WEBHOOK_ALLOW: '127.0.0.1',
      LAUREL_WEBHOOK_RETRY_PERMILLE: '1',
    },
  });
  client = new PatientClient(topology);
  folder = mkdtempSync(join(tmpdir(), 'laurel-receiver-'));
  receiver = await Receiver.start(folder, 1);
  const request = { url: `${receiver.url}/all`, minimumInterval: 0 };
  receiver.expect({ '/all': (await client.ask('POST', '/admin/v1/webhooks', request)).secret });
  sql = new pg.Client(clientConfig(topology.postgres.connection));
  await sql.connect();
  load = Load.on(topology, 8);
});

afterAll(async () => {
  await load?.stop();
  await receiver?.stop();
  await sql?.end();
  await running?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

const more = async (): Promise<void> => load?.more(EVENTS);
const only = (service: string): ServiceProcess => topology.of(service)[0] as ServiceProcess;
const rowsWith = async (table: string, condition: string): Promise<number> =>
  (await sql.query<{ rows: number }>(`select count(*)::int as rows from ${table} where ${condition}`)).rows[0]?.rows ??
  0;

const post = (path: string, body: object): Promise<unknown> => client.ask('POST', path, body);

/** Posts an event of a new user, and waits until the receiver has accepted its outcomes: no older ones are under way then. */
async function sendOf(user: string): Promise<void> {
  await post('/v1/metrics/lessons/event', { user: { id: user }, value: 1 });
  await eventually(topology, `everything was delivered, up to ${user}`, async () => {
    const [{ behind, unfinished }] = await client.ask('GET', '/admin/v1/webhooks');
    return behind === 0 && unfinished === 0 && receiver.arrivals().some(({ body }) => body.includes(`"${user}"`));
  });
}

/** The received texts by outcome: more than one if it was made again. */
const textsById = () =>
  new Map(
    [...groupBy(receiver.arrivals(), ({ id }) => id)].map(([id, own]) => [id, new Set(own.map((one) => one.body))]),
  );

async function runJob(service: string, command: string): Promise<void> {
  const { code, log } = await only(service).job(command);
  if (code !== 0) throw new Error(`${service} ${command} ended with ${code}: ${log.slice(-2_000)}`);
}

describe('the distributed topology under a load of parallel posts', () => {
  it.each(DAMAGES)(
    'rebuilds the read models of the %s alone and reports the differences before',
    async (service, table, damage, isDamaged) => {
      await eventually(topology, `${table} has rows`, async () => (await rowsWith(table, 'true')) > 0);
      await sql.query(`begin; lock table ${table} in exclusive mode; update ${table} set ${damage}; commit`);
      expect(await rowsWith(table, isDamaged)).toBeGreaterThan(0);
      const before = load?.acknowledged.length ?? 0;
      const verified = await only(service).job('rebuild --verify');
      expect([verified.code, verified.log]).toEqual([1, expect.stringContaining(`"table":"${table}","userId":"`)]);
      expect(await rowsWith(table, isDamaged)).toBeGreaterThan(0);
      await runJob(service, 'rebuild');
      expect(await rowsWith(table, isDamaged)).toBe(0);
      expect(load?.acknowledged.length).toBeGreaterThan(before);
      const alive = await Promise.all(
        topology.processes.map(async ({ url }) => (await fetch(`${url}/healthz`)).status),
      );
      expect(new Set(alive)).toEqual(new Set([200]));
      await more();
    },
  );

  it('resends lost outcomes in order from the store', async () => {
    await Promise.all([...CHAIN, 'ingestion-gateway'].map((service) => only(service).stop()));
    await loseTopics(
      topology,
      TOPICS.map(([topic]) => topic),
    );
    await only('outgoing-service').kill();
    await only('outgoing-service').start();
    for (const [, service] of TOPICS) {
      await runJob(service, 'resend');
      await only(service).start();
      await more();
    }
    await only('leaderboard-service').start();
    await more();
  });

  it('restores a service that has lost everything from resent messages', async () => {
    await only('leaderboard-service').stop();
    await sql.query('drop schema laurel_leaderboard cascade');
    await only('leaderboard-service').start();
    await more();
  });

  it('answers every request correctly and neither loses nor duplicates an acknowledged event', async () => {
    await load?.stop();
    await caughtUp(topology);
    expect(load?.violations).toEqual([]);
    expect(await differencesOf(topology, load as Load)).toEqual({ lost: [], surplus: [], totals: [] });
  });

  it('stores what a standalone makes of the same log, and so does each rebuild from resent messages', async () => {
    const { services } = await caughtUp(topology);
    expect(services?.flatMap(({ stopped }) => stopped)).toEqual([]);
    const { distributed, standalone } = await compareWithStandalone(topology.postgres.connection, 'default');
    expect(distributed).toEqual(standalone);
    for (const service of CHAIN) await runJob(service, 'rebuild --verify');
  });

  it('creates every outcome once, whatever was rebuilt or resent', async () => {
    const ids = (await notifiedOutcomes(topology)).map(outcomeIdIn);
    expect(ids.length).toBeGreaterThan(100);
    expect(new Set(ids).size).toBe(ids.length);
    await sendOf('first user behind the load');
    expect([...textsById().values()].filter(({ size }) => size > 1)).toEqual([]);
    expect([...textsById().keys()].sort()).toEqual((await notifiedOutcomes(topology)).map(outcomeIdIn).sort());
  });

  it('delivers nothing to a receiver for rebuilds and resent messages', async () => {
    const before = receiver.arrivals().length;
    await Promise.all(CHAIN.map((service) => runJob(service, 'rebuild')));
    await Promise.all(SENDERS.map((service) => only(service).stop()));
    // One after the other, as the guide says: each makes the topic anew that the next one reads.
    for (const service of SENDERS) await runJob(service, 'resend');
    await Promise.all(SENDERS.map((service) => only(service).start()));
    await caughtUp(topology);
    expect(receiver.arrivals().length).toBe(before);
    await sendOf('user behind the rebuilds');
    const others = receiver
      .arrivals()
      .slice(before)
      .filter(({ body }) => !body.includes('"user behind the rebuilds"'));
    expect(others).toEqual([]);
  });

  it('creates no outcomes for imported events', async () => {
    await post('/admin/v1/imports', {});
    const events = [3, 2].map((days) => ({
      ...{ metric: 'lessons', user: { id: 'imported user' }, value: 1, idempotencyKey: `imported ${days}` },
      timestamp: new Date(Date.now() - days * 86_400_000).toISOString(),
    }));
    await post('/admin/v1/metrics/events', { events });
    await post('/admin/v1/imports/finish', {});
    await sendOf('next user');
    const all = [...(await notifiedOutcomes(topology)), ...receiver.arrivals().map(({ body }) => body)];
    expect(all.filter((body) => body.includes('"next user"')).length).toBeGreaterThan(1);
    expect(all.filter((body) => body.includes('"imported user"'))).toEqual([]);
  });

  it('would create outcomes again if a rebuild moved the cursor back, as the tests before would notice', async () => {
    const before = (await notifiedOutcomes(topology)).map(outcomeIdIn);
    await only('outgoing-service').stop();
    await sql.query('update laurel_outgoing.outcome_cursors set position = 0');
    await only('outgoing-service').start();
    let ids: readonly string[] = [];
    const isNotified = async () =>
      (ids = (await notifiedOutcomes(topology)).map(outcomeIdIn)).length >= 2 * before.length;
    await eventually(topology, 'everything was told again', isNotified, 60_000, () => [ids.length, before.length]);
    expect(new Set(ids)).toEqual(new Set(before));
    const isSentAgain = () => [...textsById().values()].some(({ size }) => size > 1);
    await eventually(topology, 'something was sent again', isSentAgain);
  });
});
