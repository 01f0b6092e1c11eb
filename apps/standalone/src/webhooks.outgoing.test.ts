import { AREAS } from '@laurel/kernel';
import type { TimelineEvent } from '@laurel/schemas';
import { inspectEmbeddedPostgres } from '@laurel/embedded-postgres';
import { Load } from '@laurel/testing/distributed';
import {
  correctLatest,
  erase,
  expectedAt,
  faultsIn,
  importPast,
  PatientClient,
  publish,
  recount,
  shownLog,
  startSending,
  suiteAsks,
  suiteConfiguration,
  timelineOf,
  until as untilWithin,
  type RequestedEndpoint,
  type Expected,
  type SendingStandalone,
} from '@laurel/testing/outgoing';
import { randomOf, seedOf } from '@laurel/testing/random';
import pg from 'pg';
import { parse } from 'yaml';

const FIRST_DAY = '2026-03-01';
const ANNOUNCE_TOP = 5;
const CONFIGURATION = `${suiteConfiguration(FIRST_DAY)}
outgoing:
  keep: 7d
  announceTop: ${ANNOUNCE_TOP}
  atRisk: { at: "12:00" }
  recap: { day: sunday, at: "12:15" }
  reactivation: { days: [2, 7] }
  events:
    - user.created
    - user.corrected
    - user.erased
    - streak.started
    - streak.extended
    - streak.at_risk
    - streak.lost
    - streak.freeze_consumed
    - streak.freeze_earned
    - achievement.completed
    - points.changed
    - points.level_changed
    - leaderboard.started
    - leaderboard.finished
    - leaderboard.rank_changed
    - leaderboard.rank_lost
    - leaderboard.changed
    - emails.achievement_due
    - emails.streak_reminder_due
    - emails.recap_due
    - emails.reactivation_due
    - configuration.published
    - import.finished
`;
const ENDPOINTS: readonly RequestedEndpoint[] = [
  { path: '/all', types: null, ordering: 'user' },
  { path: '/streaks', types: ['streak.started', 'streak.lost', 'streak.freeze_consumed'], ordering: 'user' },
  { path: '/strict', types: ['achievement.completed', 'configuration.published', 'user.erased'], ordering: 'strict' },
];

const SEED = seedOf('what receivers are sent');
/** A Friday. Two days later reminders have been due since noon in UTC, and are not an hour late yet. */
const BEGINNING = Date.parse('2026-03-06T12:30:00Z');
const SUNDAY = '2026-03-08';
const DAY = 86_400_000;
/** Of the service, and as many of the receiver. */
const KILLS_A_STORM = 5;
const LONGEST_WAIT_MS = 600_000;

const until = (what: string, condition: () => boolean | Promise<boolean>): Promise<void> =>
  untilWithin(what, condition, LONGEST_WAIT_MS);

// Answers are read by the names of their fields.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

describe('deliveries to receivers', () => {
  const random = randomOf(SEED);
  const users = Array.from({ length: 24 }, (_, number) => `user ${number}`);
  const everybody = new Set(users);
  /** They come back after two days. */
  const returning = users.slice(0, 12);
  /** Outcomes of users before they were erased. */
  const erased = new Map<string, readonly TimelineEvent[]>();
  let jump = 0;
  let time: () => string;
  let sending: SendingStandalone | null = null;
  let standalone: SendingStandalone['standalone'];
  let client: PatientClient;
  let receiver: SendingStandalone['receiver'];
  let load: Load | null = null;

  beforeAll(async () => {
    const began = performance.now();
    time = () => new Date(BEGINNING + jump + Math.round(performance.now() - began)).toISOString();
    sending = await startSending({ configuration: CONFIGURATION, clock: time, seed: SEED });
    ({ standalone, receiver } = sending);
    client = new PatientClient(standalone);
    for (const { path, types, ordering } of ENDPOINTS) {
      const request = { url: `${receiver.url}${path}`, types: types ?? undefined, ordering, minimumInterval: 0 };
      const { secret } = await ask('POST', '/admin/v1/webhooks', request);
      receiver.expect({ [path]: secret });
    }
  });
  afterAll(async () => {
    await load?.abandon();
    await sending?.stop();
  });

  const ask = (method: string, path: string, body?: unknown): Promise<Json> => client.ask(method, path, body);

  const restart = async (end: 'kill' | 'stop'): Promise<void> => {
    await standalone[end]();
    await standalone.start();
  };

  /** The service and the receiver in turn, each time after so much has arrived as the seed says. */
  async function killAround(kills: number): Promise<void> {
    for (let kill = 0; kill < kills; kill++)
      for (const killOne of [() => restart('kill'), () => receiver.kill()]) {
        const before = receiver.arrivals().length;
        const more = 1 + Math.floor(random() * 25);
        await until(`${more} more have arrived`, () => receiver.arrivals().length >= before + more);
        await killOne();
      }
  }

  async function importDays(prefix: string, options: object): Promise<void> {
    const ids = ['ann', 'ben', 'cay'].map((name) => `${prefix} ${name}`);
    for (const id of ids) everybody.add(id);
    const instants = [8, 7, 6, 5, 4, 3].map((days) => new Date(BEGINNING - days * DAY).toISOString());
    await importPast(client, { options, users: ids, instants, value: () => 1 + Math.floor(random() * 9) });
  }

  /** Users on no board: outcomes that name an erased user are no longer sent. */
  async function eraseNewcomers(): Promise<void> {
    for (const user of ['gone ann', 'gone ben', 'gone cay']) {
      for (let lesson = 0; lesson < 2; lesson++)
        await ask('POST', '/v1/metrics/lessons/event', { user: { id: user }, value: 1 });
      erased.set(user, await timelineOf(client, user));
      await erase(client, user);
    }
  }

  async function correctSome(): Promise<void> {
    for (const user of returning.slice(0, 3))
      await correctLatest(client, { user, metrics: ['lessons', 'words'], since: SUNDAY });
  }

  const head = async (): Promise<number> => (await ask('GET', '/admin/v1/status')).head;

  /** Waits until everything that was recorded has been sent, and nothing more is recorded by itself. */
  async function settle(): Promise<void> {
    for (;;) {
      const last = `last ${everybody.size}`;
      everybody.add(last);
      await ask('POST', '/v1/metrics/lessons/event', { user: { id: last }, value: 1 });
      const until0 = await head();
      await until('the last user is known outside', () =>
        receiver
          .arrivals()
          .some(({ path, body, answer }) => path === '/all' && answer === 'ok' && body.includes(`"${last}"`)),
      );
      await until('nothing is on its way', async () => {
        const endpoints: Json[] = await ask('GET', '/admin/v1/webhooks');
        for (const { state, abandoned, disabledBecause } of endpoints)
          expect({ state, abandoned, disabledBecause }).toEqual({
            state: 'enabled',
            abandoned: 0,
            disabledBecause: null,
          });
        return endpoints.every(({ behind, unfinished }) => behind === 0 && unfinished === 0);
      });
      if ((await head()) === until0) return;
    }
  }

  async function expected(): Promise<ReadonlyMap<string, Expected>> {
    const log = await shownLog(client, everybody, time(), erased);
    return expectedAt(ENDPOINTS, recount(log, suiteAsks(FIRST_DAY, ANNOUNCE_TOP)), new Set(erased.keys()));
  }

  const notified = (type: string): number =>
    new Set(
      receiver.arrivals().flatMap(({ path, body, id }) => (path === '/all' && body.includes(`"${type}"`) ? [id] : [])),
    ).size;

  const arrivedTypes = () => new Set(receiver.arrivals().map(({ body }) => JSON.parse(body).type as string));

  it('contain each outcome of the log at least once and in order, whichever process is killed', async () => {
    load = Load.start({
      urls: [standalone.url],
      apiKey: standalone.apiKey,
      metrics: ['lessons', 'words'],
      users,
      lanes: 4,
    });
    await Promise.all([
      killAround(KILLS_A_STORM),
      importDays('imported', { outgoing: true }),
      publish(client, (document) =>
        document.achievements.push({
          key: 'ten',
          name: 'Ten',
          trigger: { type: 'metric', metric: 'words', value: 10 },
        }),
      ),
    ]);
    await load.stop();
    expect(load.violations).toEqual([]);
    await settle();
    // Two days pass: freezes are used, streaks end, reminders fall due, and nobody but the sweep says so of those who do not come back.
    jump += 2 * DAY;
    await restart('stop');
    load = Load.start({
      ...{ urls: [standalone.url], apiKey: standalone.apiKey, metrics: ['lessons', 'words'], lanes: 4, keys: 'later' },
      users: returning,
    });
    await Promise.all([
      killAround(KILLS_A_STORM),
      eraseNewcomers(),
      correctSome(),
      publish(client, (document) => document.points[0].levels.push({ key: 'gold', name: 'Gold', points: 100 })),
    ]);
    await load.stop();
    expect(load.violations).toEqual([]);
    await until('a sweep has settled somebody who did not come back', async () =>
      (await timelineOf(client, 'user 20')).some(({ type }) => type === 'UsersSwept'),
    );
    await until(
      'all who did not come back are reminded',
      () => notified('emails.reactivation_due') >= users.length - returning.length,
    );
    await until(
      'the runs of two days are told',
      () => notified('leaderboard.started') >= 2 && notified('leaderboard.finished') >= 2,
    );
    await settle();
    expect([...arrivedTypes()].sort()).toEqual([...parse(CONFIGURATION).outgoing.events].sort());
    expect(new Set(receiver.arrivals().map(({ answer }) => answer))).toEqual(
      new Set(['ok', 'error', 'busy', 'moved', 'cut', 'hang', 'end']),
    );
    expect(faultsIn(receiver.arrivals(), await expected())).toEqual([]);
  });

  it('are not repeated by rebuilds, restarts and an import without outcomes', async () => {
    const before = receiver.arrivals().length;
    for (const areas of [[], ...AREAS.map((area) => [area])]) {
      const { id } = await ask('POST', '/admin/v1/rebuilds', areas.length === 0 ? {} : { areas });
      await until('the rebuild is over', async () => {
        const { state, ...rebuild } = await ask('GET', `/admin/v1/rebuilds/${id}`);
        if (state === 'failed') throw new Error(JSON.stringify(rebuild));
        return state !== 'running';
      });
    }
    await restart('stop');
    await importDays('silent', {});
    await restart('kill');
    await settle();
    const known = new Set(
      receiver
        .arrivals()
        .slice(0, before)
        .map(({ id }) => id),
    );
    const later = receiver.arrivals().slice(before);
    expect(later.filter(({ id }) => known.has(id)).map(({ id }) => id)).toEqual([]);
    expect(later.filter(({ body }) => body.includes('"silent '))).toEqual([]);
    expect(faultsIn(receiver.arrivals(), await expected())).toEqual([]);
  });

  it('would be repeated if a rebuild moved the cursor back, as the test before would notice', async () => {
    const before = receiver.arrivals().length;
    const found = await inspectEmbeddedPostgres(sending?.dataDir ?? '');
    if (found.state !== 'running') throw new Error(`the database is ${found.state}`);
    const sql = new pg.Client(found.connection);
    await sql.connect();
    await sql.query('update outcome_cursors set position = 0').finally(() => sql.end());
    await ask('POST', '/v1/metrics/lessons/event', { user: { id: 'user 0' }, value: 1 });
    const known = new Set(
      receiver
        .arrivals()
        .slice(0, before)
        .map(({ id }) => id),
    );
    const again = () =>
      receiver
        .arrivals()
        .slice(before)
        .find(({ id }) => known.has(id));
    await until('something comes again', () => again() !== undefined);
    expect(faultsIn(receiver.arrivals(), await expected())).toContain(
      `${again()?.id} came with other bytes than before`,
    );
  });
});
