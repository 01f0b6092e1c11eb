// What the entries of boards take in memory: node bench/programs/loaded-boards.mjs DATA_DIR. Loads every run of a stopped service's
// data folder as a running one does.
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startEmbeddedPostgres } from '@laurel/embedded-postgres';
import { LeaderboardsArea } from '@laurel/leaderboards';
import pg from 'pg';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

async function bytesInUse() {
  // The buffers of arrays that are no longer used are freed in the background, after the collection that found them.
  for (let i = 0; i < 4; i++) {
    collectGarbage();
    await setTimeout(100);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const server = await startEmbeddedPostgres({ dataDir: process.argv[2] });
const client = new pg.Client(server.connection);
await client.connect();
const sql = { query: async (text, values) => (await client.query(text, values)).rows };
const runs = await sql.query(
  'select distinct account, board::text, board as "boardNumber", run_start::text as start from board_standings',
  [],
);
const [{ entries }] = await sql.query('select count(*)::float8 as entries from board_standings', []);

async function load() {
  const area = new LeaderboardsArea(sql, { capacityBytes: 2 ** 40 });
  for (const run of runs) await area.load([run]);
  return area;
}

// The first time also brings the code into memory.
await load();
const before = await bytesInUse();
const area = await load();
const bytes = (await bytesInUse()) - before;
const counted = area.bytes;
await client.end();
await server.stop();
console.log(JSON.stringify({ entries, perEntry: bytes / entries, countedPerEntry: counted / entries }));
