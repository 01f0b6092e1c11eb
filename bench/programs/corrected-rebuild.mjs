// What corrections cost a rebuild: node bench/programs/corrected-rebuild.mjs [USERS] [EVENTS] [ROUNDS]. A log of USERS users (40) with EVENTS
// events each (1000) is applied again in turns with a copy of it in which the first event of each user was corrected once.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rebuildStopped } from '@laurel/rebuild';
import { parseDocument } from '@laurel/configuration';
import { startEmbeddedPostgres } from '@laurel/embedded-postgres';
import { createClock } from '@laurel/runtime';
import pg from 'pg';
import { startService } from '../../apps/standalone/dist/modules/start-service.js';
import { CONFIGURATION } from '../configuration.mjs';
import { cpuOf } from '../frame/cpu.mjs';

const [users, events, rounds] = [40, 1_000, 5].map((usual, place) => Number(process.argv[place + 2] ?? usual));
const account = 'default';
const SIX_HOURS = 6 * 3_600_000;
/** Users that one call corrects at most. */
const CORRECTED_AT_ONCE = 100;

let now = Date.parse('2026-01-05T08:00:00Z');
const clock = { ...createClock({ type: 'system' }), now: () => now };
const onTrouble = (...trouble) => console.error(...trouble);
const EVENTS = {
  ...{ onAreaFailure: onTrouble, onQueueState: () => undefined, onSweepFailure: onTrouble, onDamagedState: onTrouble },
  ...{ onOutcomesFailure: onTrouble, oldestNeeded: async () => null },
};

const folder = await mkdtemp(join(tmpdir(), 'laurel-bench-'));
// As root, the database runs as another user, who must be able to pass through.
await chmod(folder, 0o755);
const server = await startEmbeddedPostgres({ dataDir: join(folder, 'data') });
try {
  const plain = server.connection;
  const corrected = { ...plain, database: 'corrected' };
  const first = await recorded(plain);
  await copied(plain, corrected.database);
  await correct(corrected, first);
  const taken = { plain: [], corrected: [] };
  for (let round = 0; round <= rounds; round++)
    for (const [name, connection] of Object.entries({ plain, corrected })) {
      const ms = await rebuilt(connection);
      // The first warms up.
      if (round > 0) taken[name].push(ms);
    }
  const [without, withOne] = [median(taken.plain), median(taken.corrected)];
  const perUser = ((withOne - without) / users).toFixed(1);
  console.log(
    JSON.stringify({ users, events, without, with: withOne, ratio: (withOne / without).toFixed(2), perUser }),
  );
} finally {
  await server.stop();
  await rm(folder, { recursive: true });
}

/** @returns the ids of each user's first event */
async function recorded(connection) {
  const service = await startService(connection, clock, EVENTS);
  await service.engine.publishConfiguration(account, parseDocument(CONFIGURATION, 'bench').document);
  const ids = [];
  for (let event = 0; event < events; event++, now += SIX_HOURS) {
    const outcomes = await service.engine.submit(Array.from({ length: users }, (_, user) => lesson(user + 1)));
    const refused = outcomes.find(({ kind }) => kind !== 'recorded');
    if (refused) throw new Error(JSON.stringify(refused));
    if (event === 0) ids.push(...outcomes.map(({ eventId }) => eventId));
  }
  await service.close();
  return ids;
}

function lesson(subject) {
  return {
    ...{ type: 'RecordMetricEvent', account, subject, metric: 'lessons', value: 1_000_000n, user: {} },
    ...{ attributes: new Map(), keyHash: null, occurredAt: null },
  };
}

async function copied(connection, name) {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  await client.query(`create database ${name} template ${connection.database}`);
  await client.end();
}

async function correct(connection, ids) {
  const service = await startService(connection, clock, EVENTS);
  for (let start = 0; start < ids.length; start += CORRECTED_AT_ONCE) {
    const corrections = ids.slice(start, start + CORRECTED_AT_ONCE).map((eventId) => ({ eventId, value: 2_000_000n }));
    const request = { corrections, achievements: 'recompute', finalRuns: 'keep' };
    const { id: preview } = await service.corrections.preview(account, request);
    const order = { ...request, preview, idempotencyKey: null, attribution: { by: 'local', reason: 'bench' } };
    const { kind } = await service.corrections.correct(account, order);
    if (kind !== 'recorded') throw new Error(`the correction is ${kind}`);
  }
  await service.close();
}

/** CPU time of Node and Postgres, in ms. */
async function rebuilt(connection) {
  const before = cpuOf(process.pid);
  await rebuildStopped(connection, []);
  const after = cpuOf(process.pid);
  return after.node - before.node + after.database - before.database;
}

function median(numbers) {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];
}
