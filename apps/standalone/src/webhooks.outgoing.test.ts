import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AREAS, type AuditEntry, type ExportedEvent, type LoggedEvent, type TimelineEvent } from '@laurel/contracts';
import { inspectEmbeddedPostgres } from '@laurel/embedded-postgres';
import { Load } from '@laurel/testing/distributed';
import { startStandalone, type StandaloneUnderTest } from '@laurel/testing/faults';
import { faultsIn, randomOf, Receiver, recount, type Expected } from '@laurel/testing/outgoing';
import pg from 'pg';
import { parse } from 'yaml';

const CONFIGURATION = `
version: 1
metrics: [{ key: lessons, name: Lessons }, { key: words, name: Words }]
streak: { frequency: daily, conditions: [{ metric: lessons, threshold: 1 }], freezes: { initial: 1, max: 2, earnEvery: 2, earn: 1 } }
achievements:
  - { key: first, name: First, trigger: { type: metric, metric: lessons, value: 1 } }
  - { key: twenty, name: Twenty, trigger: { type: metric, metric: words, value: 20 } }
  - { key: three-days, name: Three days, trigger: { type: streak, length: 3 } }
points:
  - key: xp
    name: XP
    triggers: [{ type: metric, metric: lessons, threshold: 1, points: 10 }, { type: streak, length: 1, points: 5 }]
    levels: [{ key: bronze, name: Bronze, points: 10 }, { key: silver, name: Silver, points: 60 }]
  - key: energy
    name: Energy
    maxPoints: 20
    triggers: [{ type: user_creation, points: 20 }, { type: time, unit: hour, interval: 4, points: 1 }, { type: metric, metric: words, threshold: 1, points: -3 }]
leaderboards:
  - { key: words, name: Words, rankBy: metric, metric: words, start: 2020-01-01 }
  - { key: days, name: Days, rankBy: metric, metric: words, start: 2026-03-01, runUnit: day, runInterval: 1 }
outgoing:
  keep: 7d
  events: [user.created, streak.started, streak.extended, streak.lost, streak.freeze_consumed, streak.freeze_earned, achievement.completed, points.changed, points.level_changed, leaderboard.started, leaderboard.finished, leaderboard.rank_changed, configuration.published, import.finished]
`;
const BOARDS = [
  { key: 'words', metric: 'words' },
  { key: 'days', metric: 'words', daily: '2026-03-01' },
];
const FREEZES = { initial: 1, max: 2, earnEveryDays: 2 };
/** Recorded events that say what outcomes without a user there are, and what ranks. */
const LOGGED = [
  'MetricEventRecorded',
  ...['ConfigurationPublished', 'ImportClosed', 'LeaderboardRunStarted', 'LeaderboardRunEnded'],
];
/** What each endpoint asks for; null: everything. */
const ENDPOINTS = [
  { path: '/all', types: null, ordering: 'user' },
  { path: '/streaks', types: ['streak.started', 'streak.lost', 'streak.freeze_consumed'], ordering: 'user' },
  { path: '/strict', types: ['achievement.completed', 'configuration.published'], ordering: 'strict' },
] as const;

const SEED = Number(process.env['OUTGOING_TEST_SEED'] ?? Math.floor(Math.random() * 1e9));
const BEGINNING = Date.parse('2026-03-06T12:30:00Z');
const DAY = 86_400_000;
/** Of the service, and as many of the receiver. */
const KILLS_A_STORM = 5;
const LONGEST_WAIT_MS = 600_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Looks until it is so. */
async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`it never was so that ${what}`);
    await pause(100);
  }
}

// Answers are read by the names of their fields.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Json = any;

describe(`what receivers are sent (seed ${SEED})`, () => {
  const random = randomOf(SEED);
  const users = Array.from({ length: 24 }, (_, number) => `user ${number}`);
  const everybody = new Set(users);
  let jump = 0;
  let time: () => string;
  let folder: string;
  let standalone: StandaloneUnderTest;
  let receiver: Receiver;
  let load: Load | null = null;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'laurel-outgoing-'));
    // As root, Postgres runs as another user, who must be able to pass through.
    await chmod(folder, 0o755);
    const config = join(folder, 'laurel.config.yaml');
    await writeFile(config, CONFIGURATION);
    const began = performance.now();
    time = () => new Date(BEGINNING + jump + Math.round(performance.now() - began)).toISOString();
    standalone = await startStandalone(
      folder,
      {
        LAUREL_CONFIG: config,
        LAUREL_DATA_DIR: join(folder, 'data'),
        LAUREL_WEBHOOK_ALLOW: '127.0.0.1',
        LAUREL_WEBHOOK_RETRY_PERMILLE: '1',
      },
      () => ({ LAUREL_CLOCK: time() }),
    );
    receiver = await Receiver.start(folder, SEED);
    for (const { path, types, ordering } of ENDPOINTS) {
      const request = { url: `${receiver.url}${path}`, types: types ?? undefined, ordering, minimumInterval: 0 };
      const { secret } = await ask('POST', '/admin/v1/webhooks', request);
      receiver.expect({ [path]: secret });
    }
  });
  afterAll(async () => {
    await load?.abandon();
    await receiver?.stop();
    await standalone?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Until it is answered with 2xx: whatever is asked here may be asked again. */
  async function ask(method: string, path: string, body?: unknown, cursorAt = (_: string) => {}): Promise<Json> {
    for (;;) {
      const headers = {
        'x-api-key': standalone.apiKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const response = await fetch(`${standalone.url}${path}`, {
        ...{ method, headers, signal: AbortSignal.timeout(60_000) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch(() => null);
      const text = (await response?.text().catch(() => null)) ?? null;
      if (response?.ok && text !== null) cursorAt(response.headers.get('laurel-cursor') ?? '');
      if (response?.ok && text !== null)
        return response.headers.get('content-type')?.includes('ndjson')
          ? text
              .split('\n')
              .slice(0, -1)
              .map((line) => JSON.parse(line) as Json)
          : JSON.parse(text);
      if (response !== null && text !== null && ![429, 503].includes(response.status))
        throw new Error(`${method} ${path}: ${response.status} ${text}`);
      await pause(200);
    }
  }

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

  async function importPast(prefix: string, options: object): Promise<void> {
    await ask('POST', '/admin/v1/imports', options);
    for (let day = 8; day > 2; day--)
      for (const name of ['ann', 'ben', 'cay']) {
        const id = `${prefix} ${name}`;
        everybody.add(id);
        const timestamp = new Date(BEGINNING - day * DAY).toISOString();
        const events = ['lessons', 'words'].map((metric) => ({
          ...{ metric, user: { id }, value: 1 + Math.floor(random() * 9), timestamp },
          idempotencyKey: `${id} ${metric} ${day}`,
        }));
        await until('the past is recorded', async () => {
          const { results } = await ask('POST', '/admin/v1/metrics/events', { events });
          return results.every(({ status }: Json) => status < 300);
        });
      }
    await ask('POST', '/admin/v1/imports/finish', {});
  }

  async function publish(change: (document: Json) => void): Promise<void> {
    const { document } = await ask('GET', '/admin/v1/configurations/current');
    change(document);
    await ask('POST', '/admin/v1/configurations', { document });
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

  async function timelineOf(user: string): Promise<readonly TimelineEvent[]> {
    const events: TimelineEvent[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: Json = await ask(
        'GET',
        `/admin/v1/users/${encodeURIComponent(user)}/events?limit=50${next && `&cursor=${next}`}`,
      );
      events.push(...page.events);
      next = page.next;
    }
    return events.reverse();
  }

  async function wholeLog(): Promise<readonly LoggedEvent[]> {
    const events: LoggedEvent[] = [];
    for (let [after, next]: (string | null)[] = [null, '']; next !== after;) {
      after = next ?? '';
      const path = `/admin/v1/events?limit=1000&types=${LOGGED.join()}${after === '' ? '' : `&after=${after}`}`;
      events.push(...(await ask('GET', path, undefined, (cursor) => (next = cursor))));
    }
    return events;
  }

  async function expected(): Promise<ReadonlyMap<string, Expected>> {
    const audit: AuditEntry[] = [];
    for (let next: string | null = ''; next !== null;) {
      const page: Json = await ask('GET', `/admin/v1/audit?limit=100${next && `&cursor=${next}`}`);
      audit.push(...page.entries);
      next = page.next;
    }
    const timelines = new Map<string, readonly TimelineEvent[]>();
    for (const user of everybody) timelines.set(user, await timelineOf(user));
    const events: ExportedEvent[] = await ask('GET', '/admin/v1/export/events?from=2026-01-01&to=2026-12-31');
    const all = recount(
      { timelines, events, audit: audit.reverse(), log: await wholeLog(), at: time() },
      { boards: BOARDS, freezes: FREEZES, knownVersion: 1 },
    );
    return new Map(
      ENDPOINTS.map(({ path, types, ordering }) => {
        const isAsked = (words: string) => types?.some((type) => words.startsWith(`${type} `)) ?? true;
        const outcomes = new Map([...all].map(([user, own]) => [user, own.filter(isAsked)]));
        return [path, { strict: ordering === 'strict', outcomes }];
      }),
    );
  }

  const told = (type: string): number =>
    new Set(
      receiver.arrivals().flatMap(({ path, body, id }) => (path === '/all' && body.includes(`"${type}"`) ? [id] : [])),
    ).size;

  const arrivedTypes = () => new Set(receiver.arrivals().map(({ body }) => JSON.parse(body).type as string));

  it('is each outcome of the log, at least once and in order, whoever is killed', async () => {
    load = Load.start({
      urls: [standalone.url],
      apiKey: standalone.apiKey,
      metrics: ['lessons', 'words'],
      users,
      lanes: 4,
    });
    await Promise.all([
      killAround(KILLS_A_STORM),
      importPast('imported', { outgoing: true }),
      publish((document) =>
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
    // Two days pass: freezes are used, streaks end, and nobody but the sweep says so of those who do not come back.
    jump += 2 * DAY;
    await restart('stop');
    load = Load.start({
      ...{ urls: [standalone.url], apiKey: standalone.apiKey, metrics: ['lessons', 'words'], lanes: 4, keys: 'later' },
      users: users.slice(0, 12),
    });
    await Promise.all([
      killAround(KILLS_A_STORM),
      publish((document) => document.points[0].levels.push({ key: 'gold', name: 'Gold', points: 100 })),
    ]);
    await load.stop();
    expect(load.violations).toEqual([]);
    await until('a sweep has settled somebody who did not come back', async () =>
      (await timelineOf('user 20')).some(({ type }) => type === 'UsersSwept'),
    );
    await until(
      'the runs of two days are told',
      () => told('leaderboard.started') >= 2 && told('leaderboard.finished') >= 2,
    );
    await settle();
    expect([...arrivedTypes()].sort()).toEqual([...parse(CONFIGURATION).outgoing.events].sort());
    expect(new Set(receiver.arrivals().map(({ answer }) => answer))).toEqual(
      new Set(['ok', 'error', 'busy', 'moved', 'cut', 'hang', 'end']),
    );
    expect(faultsIn(receiver.arrivals(), await expected())).toEqual([]);
  });

  it('is nothing again by rebuilds, restarts and an import without outcomes', async () => {
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
    await importPast('silent', {});
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

  it('would be everything again if a rebuild moved the cursor back, which the test before would see', async () => {
    const before = receiver.arrivals().length;
    const found = await inspectEmbeddedPostgres(join(folder, 'data'));
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
