import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspectEmbeddedPostgres } from '@laurel/embedded-postgres';
import pg from 'pg';
import { Candidates, CONFIGURATION } from '../frame/candidates.mjs';
import { runProgram } from '../frame/checkouts.mjs';
import { startLoad } from '../frame/load.mjs';
import { shoot, summary } from '../frame/shoot.mjs';

const COPIES = 100;
const CONNECTIONS = 64;
const ZONE = 'UTC';
const WITHOUT_RUNS = CONFIGURATION.replaceAll(/^ +run(?:Unit|Interval):.*\n/gm, '');
const REMINDED = `${WITHOUT_RUNS}outgoing: { events: [streak.at_risk], atRisk: { at: "18:00" } }\n`;
const SERVED_AT = '2026-03-02T12:00:00Z';
/** Of everybody whose streak began on the day before. */
const DUE_AT = Date.parse('2026-03-03T18:00:00Z');
/** For the start, the warm-up and what is measured before. */
const LEAD_MS = 240_000;
const LOOK_EVERY_MS = 1_000;
/** In the time of the last shot. */
const LONGEST_MS = 3_600_000;

/**
 * Everybody's reminder falls due at one instant, and single events are recorded meanwhile: their rate and p99 before, while all are
 * settled, and after. As in `million`, a hundredth of the users is served and then copied.
 */
export async function due({ dueUsers, rounds, seconds }) {
  const users = Math.ceil(dueUsers / COPIES);
  const candidates = new Candidates({ configuration: REMINDED });
  const load = startLoad();
  try {
    const folder = await filledFolder(candidates, load, users);
    const startsAt = DUE_AT - LEAD_MS - rounds * seconds * 1_000;
    const startedMs = Date.now();
    const nowThere = () => startsAt + Date.now() - startedMs;
    const running = await candidates.start('laurel', {
      folder,
      environment: { LAUREL_CLOCK: new Date(startsAt).toISOString() },
    });
    const sql = await connected(folder);
    try {
      const order = { connections: CONNECTIONS, users, step: COPIES - 1, zone: ZONE };
      await shoot(load, running, { ...order, count: 3 * users });
      const [before, during, after] = [[], [], []];
      for (let round = 0; round < rounds; round++) before.push(await shoot(load, running, { ...order, seconds }));
      if (nowThere() > DUE_AT) throw new Error('the users fell due before everything was measured that comes before');
      const waiting = await countOf(sql, `from user_states where due_at <= $1`, [new Date(DUE_AT)]);
      await sleep(DUE_AT - nowThere());
      const settled = settledBy(sql, nowThere);
      const isSettled = () => Promise.race([settled.then(() => true), sleep(0, false)]);
      do during.push(await shoot(load, running, { ...order, seconds }));
      while (!(await isSettled()));
      const { settledMs, head } = await settled;
      const told = toldBy(sql, head, nowThere);
      for (let round = 0; round < rounds; round++) after.push(await shoot(load, running, { ...order, seconds }));
      const toldMs = await told;
      return {
        ...{ users: users * COPIES, active: users, rounds, seconds, connections: CONNECTIONS, due: waiting },
        settledSeconds: Math.round(settledMs / 1_000),
        toldSeconds: Math.round(toldMs / 1_000),
        reminders: await countOf(sql, `from outcomes where type = 'streak.at_risk'`),
        kinds: [
          { title: 'before', ...summary(before) },
          { title: 'while they are settled', ...summary(during), worstP99: worstOf(during) },
          { title: 'after', ...summary(after) },
        ],
      };
    } finally {
      await sql.end();
      await running.stop();
    }
  } finally {
    load.close();
    await candidates.close();
  }
}

/** Of a stopped service of which each user has a streak since `SERVED_AT`. */
async function filledFolder(candidates, load, users) {
  const few = await candidates.start('laurel', { environment: { LAUREL_CLOCK: SERVED_AT } });
  // Every lesson meets the day; words need not.
  await shoot(load, few, { connections: CONNECTIONS, users, count: users, zone: ZONE, onlyLessons: true });
  await few.stop();
  const { rows } = runProgram('laurel', 'multiply.mjs', join(few.folder, 'data'), String(COPIES), String(users));
  console.log(`${rows.user_states} users`);
  return few.folder;
}

async function connected(folder) {
  const { state, connection } = await inspectEmbeddedPostgres(join(folder, 'data'));
  if (state !== 'running') throw new Error(`the database is ${state}`);
  const client = new pg.Client(connection);
  await client.connect();
  return client;
}

/** Resolves to how long it took, in ms from the instant at which all fell due, and the head of the log by then. */
async function settledBy(sql, nowThere) {
  await until(sql, 'select not exists (select from user_states where due_at <= $1) as yes', [new Date(DUE_AT)]);
  const settledMs = nowThere() - DUE_AT;
  const { rows } = await sql.query('select position from log_head');
  return { settledMs, head: rows[0].position };
}

/** Resolves to how long it took until outcomes were made up to there, likewise. */
async function toldBy(sql, head, nowThere) {
  await until(sql, 'select position >= $1 as yes from outcome_cursors', [head]);
  return nowThere() - DUE_AT;
}

async function until(sql, question, values = []) {
  for (let waited = 0; waited < LONGEST_MS; waited += LOOK_EVERY_MS) {
    if ((await sql.query(question, values)).rows[0].yes) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new Error(`after ${LONGEST_MS} ms it still is not so: ${question}`);
}

async function countOf(sql, from, values = []) {
  const { rows } = await sql.query(`select count(*)::float8 as count ${from}`, values);
  return rows[0].count;
}

const worstOf = (shots) => Number(Math.max(...shots.map(({ p99 }) => p99)).toPrecision(3));
