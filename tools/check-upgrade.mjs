// Checks that an upgrade keeps the values that an earlier release has stored:
// node tools/check-upgrade.mjs EVENTS.ndjson --config FILE [--from COMMIT]
//
// A checkout of the commit, which is built the first time, imports the events into a data folder of its own, and records
// one more. Then this checkout upgrades the folder. Each part of the digest must hash the same values before and after,
// although the tables have other forms and names. Then a version is published that requests every outcome: outcomes
// must be created of new events, and none of the events before.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rebuildStopped, upgradeStopped } from '@laurel/rebuild';
import { DIGESTED_AREAS, storedNames } from '@laurel/all-areas';
import { clientConfig, SessionClient } from '@laurel/database';
import { inspectEmbeddedPostgres, startEmbeddedPostgres } from '@laurel/embedded-postgres';
import { parse } from 'yaml';
import { buildBefore } from '../bench/frame/build-before.mjs';
import { freePort, isReady, signal, start, waitUntil } from './processes.mjs';

const ACCOUNT = 'default';
const API_KEY = 'checks-the-upgrade-of-release-0.1';
const SETTLED_WITHIN_MS = 600_000;
const STANDALONE = 'apps/standalone/dist/main.js';
/**
 * Returns SQL that selects, as `value`, the values that the digest contains of the account ($1), with names instead of
 * numbers. `$2` maps numbers to names; the older tables need no such map because they contain the names.
 */
const dated = (values, from) => `select row(account, user_id, ${values})::text as value from ${from}`;
const AWARD = 'position, trigger_id::text, awarded::text, total::text, awarded_at, date';

/**
 * Part of today's digest → SQL for the same values in the tables of release 0.1. Tests compare the counters that those
 * tables lack with recounts.
 */
const RELEASE_0_1 = {
  metric_months: dated('metric, date, change', 'metric_days'),
  user_zones: dated('position, zone', 'user_zones'),
  user_counts: 'select row(account, sum(users))::text as value from user_counts group by account',
  streak_periods: dated('generation, period_start, length, used_freeze', 'streak_periods'),
  achievement_completions: dated('achievement, achieved_at, position', 'achievement_completions'),
  achievement_counts:
    'select row(achievement, sum(completions))::text as value from achievement_counts group by achievement',
  awards: `select row(user_id, ${AWARD})::text as value from point_awards`,
  points_months: `select row(account, user_id, system, date, sum(awarded))::text as value from point_awards
    group by account, user_id, system, date`,
  board_standings: `select row(account, board, run_start, user_id, value, reached_at, reached_position, reached_ordinal)::text as value
    from board_standings`,
  rank_changes: `select row(account, board, run_start, user_id, position, ordinal, "timestamp", previous_rank, rank, value)::text as value
    from board_rank_changes`,
};

const DIGEST = {
  directory: 'subjects',
  ofUsers: 'left join subjects u using (subject) where coalesce(u.account, $1) = $1',
  name: (kind, column) => `($2::jsonb -> '${kind}' ->> (${column} - 1))`,
};

/** The awards, without their order within an event and without ids, which d8b6d74 stored in another way. */
const AWARDS = `
  select row(u.user_id, e.position, ${DIGEST.name('triggers', '(award ->> 0)::int')}, award ->> 1, award ->> 2, at,
    (at at time zone 'UTC')::date + coalesce((award ->> 3)::int, 0))::text as value
  from effects e cross join lateral jsonb_array_elements(e.points::jsonb) award
  cross join lateral (select coalesce(timestamptz 'epoch' + (award ->> 4)::bigint * interval '1 ms', e.occurred_at) as at) dated
  ${DIGEST.ofUsers} and e.systems is not null and jsonb_typeof(award -> 0) = 'number'`;

/** The periods, without why they were passed over, which earlier releases did not store. */
const STREAK_PERIODS = `select row($1::text, user_id, generation, period_start, length, used_freeze)::text as value
  from streak_periods ${DIGEST.ofUsers}`;

/** The tables of f5ea8d7b have the form of today. */
const BEFORE_0_2 = Object.fromEntries(Object.keys(RELEASE_0_1).map((part) => [part, after(part)]));

/** The releases that can be upgraded, by commit: where their values are, and the documented way. */
const RELEASES = {
  d8b6d74: {
    values: RELEASE_0_1,
    upgrade: (connection) => upgradeStopped(connection, { onMoved: () => undefined, onApplied: () => undefined }),
  },
  f5ea8d7b: { values: BEFORE_0_2, upgrade: (connection) => rebuildStopped(connection, []) },
};

function after(part) {
  if (part === 'awards') return AWARDS;
  if (part === 'streak_periods') return STREAK_PERIODS;
  const table = DIGESTED_AREAS.flatMap(({ tables }) => tables).find(({ name }) => name === part);
  if (table?.digest === undefined) throw new Error(`no digest of ${part}`);
  return table.digest(DIGEST);
}

/** The sum of the hashes of all values of each part, which does not depend on their order. */
async function sumsOf(connection, sqlOf, names) {
  const client = new SessionClient(clientConfig(connection));
  await client.connect();
  try {
    const sums = new Map();
    for (const part of Object.keys(RELEASE_0_1)) {
      const { rows } = await client.query(
        `with given as (select $1::text, $2::jsonb)
         select count(*)::int as values, coalesce(sum(('x' || md5(value))::bit(64)::bigint), 0)::text as sum from (${sqlOf(part)}) v`,
        [ACCOUNT, JSON.stringify(names)],
      );
      sums.set(part, rows[0]);
    }
    return sums;
  } finally {
    await client.end();
  }
}

async function imported(folder, dataDir, { history, config, from }) {
  const before = buildBefore(from);
  const port = await freePort();
  const env = {
    ...process.env,
    ...{ LAUREL_PORT: String(port), LAUREL_DATA_DIR: dataDir, LAUREL_CONFIG: resolve(config), LAUREL_API_KEY: API_KEY },
  };
  const log = join(folder, 'before.log');
  const program = start(from, process.execPath, ['apps/standalone/dist/main.js'], { cwd: before, env, log });
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitUntil(() => isReady(url), 'ready', { limitMs: 60_000, program });
    const words = ['apps/cli/dist/main.js', 'import', resolve(history), '--url', url, '--api-key', API_KEY];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: before, encoding: 'utf8' });
    if (status !== 0) throw new Error(`import ended with ${status}\n${stdout}${stderr}`);
    console.log(stdout.trim().split('\n').at(-1));
    await extendStreak(url, config, 'the last one before the upgrade');
    await waitUntil(() => nothingIsDue(dataDir), 'nothing is due', { limitMs: SETTLED_WITHIN_MS, program });
  } finally {
    signal(program.pid, 'SIGTERM');
    await program.ended;
  }
}

/**
 * Checks that outcomes are created of new events, and none of events before the publication.
 *
 * @throws Error if either is wrong
 */
async function tellsNothingOfBefore(folder, dataDir, config) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    ...{ LAUREL_PORT: String(port), LAUREL_DATA_DIR: dataDir, LAUREL_CONFIG: resolve(config), LAUREL_API_KEY: API_KEY },
  };
  const program = start('this checkout', process.execPath, [STANDALONE], { env, log: join(folder, 'after.log') });
  try {
    await waitUntil(() => isReady(url), 'ready', { limitMs: 60_000, program });
    const { document } = await ask(url, 'GET', '/admin/v1/configurations/current');
    const publishedAt = Date.now();
    await ask(url, 'POST', '/admin/v1/configurations', { document: { ...document, outgoing: { events: 'all' } } });
    const newcomer = 'the first one after the upgrade';
    await extendStreak(url, config, newcomer);
    const told = [];
    const isNotified = (type) => told.some((one) => one.type === type && one.user?.id === newcomer);
    await waitUntil(
      async () => {
        told.push(...(await ask(url, 'GET', `/admin/v1/outcomes?limit=1000&after=${told.length}`)));
        return isNotified('user.created') && isNotified('streak.started');
      },
      'the outcomes of a new event',
      { limitMs: 60_000, program },
    );
    const ofBefore = told.filter(({ timestamp }) => Date.parse(timestamp) < publishedAt);
    if (ofBefore.length > 0)
      throw new Error(`${ofBefore.length} outcomes are of before the publication, as ${JSON.stringify(ofBefore[0])}`);
    if (told[0].type !== 'configuration.published') throw new Error(`the first outcome is ${JSON.stringify(told[0])}`);
    console.log(`the publication is told, and ${told.length - 1} outcomes of what came after it`);
  } finally {
    signal(program.pid, 'SIGTERM');
    await program.ended;
  }
}

async function extendStreak(url, config, id) {
  const [{ metric, threshold }] = parse(readFileSync(config, 'utf8')).streak.conditions;
  await ask(url, 'POST', `/v1/metrics/${metric}/event`, { user: { id }, value: threshold });
}

async function ask(url, method, path, body) {
  const headers = { 'x-api-key': API_KEY, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const response = await fetch(`${url}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  if (!response.headers.get('content-type')?.includes('ndjson')) return JSON.parse(text);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** The stored names by kind, in the order of their numbers. Release 0.1 stored no numbers. */
async function namesIn(connection) {
  const { metrics, systems, triggers, achievements, boards } = await storedNames(connection, ACCOUNT);
  const named = Object.entries({ metrics, systems, triggers, achievements, boards });
  return Object.fromEntries(named.map(([kind, { all }]) => [kind, all]));
}

async function nothingIsDue(dataDir) {
  const client = new SessionClient(clientConfig((await inspectEmbeddedPostgres(dataDir)).connection));
  await client.connect();
  const { rows } = await client.query('select count(*)::int as users from user_states where due_at <= now()');
  await client.end();
  return rows[0].users === 0;
}

const {
  positionals: [history],
  values: { config, from },
} = parseArgs({
  allowPositionals: true,
  options: { config: { type: 'string' }, from: { type: 'string', default: 'd8b6d74' } },
});
if (history === undefined || config === undefined) throw new Error('which events, and which --config?');
const release = RELEASES[from];
if (release === undefined) throw new Error(`--from takes one of ${Object.keys(RELEASES).join(', ')}`);
const folder = mkdtempSync(join(tmpdir(), 'laurel-upgrade-'));
// The account under which the server runs must be able to enter the folder.
chmodSync(folder, 0o755);
try {
  const dataDir = join(folder, 'data');
  await imported(folder, dataDir, { history, config, from });
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    const { connection } = postgres;
    const earlier = await sumsOf(
      connection,
      (part) => release.values[part],
      from === 'd8b6d74' ? {} : await namesIn(connection),
    );
    await release.upgrade(connection);
    const later = await sumsOf(connection, after, await namesIn(connection));
    const differing = [...earlier].filter(([part, sum]) => JSON.stringify(sum) !== JSON.stringify(later.get(part)));
    for (const [part, { values: count }] of earlier) console.log(`${part}: ${count} values`);
    for (const [part, sum] of differing) console.error(part, sum, later.get(part));
    if (differing.length > 0) throw new Error(`${differing.map(([part]) => part).join(', ')} differ after the upgrade`);
    console.log('every part says the same after the upgrade');
  } finally {
    await postgres.stop();
  }
  await tellsNothingOfBefore(folder, dataDir, config);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
