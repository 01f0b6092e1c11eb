// Measures one event on a board: the user's value grows, and the ranks directly before and after it are wanted.
// Compared, in turns: the rank index of libs/domain/leaderboards, one sorted array, and `count(*)` in Postgres on an index made for
// it (update, and the two ranks). Also: building a run in bulk, and the memory of its standings.
// Options: --sizes 1000,100000 (participants; default 1000,10000,100000,1000000), --rounds N (default 7), --no-postgres.
import { rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@laurel/embedded-postgres';
import { compareStandings } from '@laurel/leaderboards';
import pg from 'pg';
import { changesOf, IndexedBoard, runOf, standingsOf } from './frame/board.mjs';

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,10000,100000,1000000' },
    rounds: { type: 'string', default: '7' },
    'no-postgres': { type: 'boolean', default: false },
  },
});
const sizes = options.sizes.split(',').map(Number);
const rounds = Number(options.rounds);
const EVENTS = { index: 20_000, array: 2_000, postgres: 20 };

class SortedArray {
  constructor(standings) {
    this.current = [...standings];
    this.sorted = [...standings].sort(compareStandings);
  }
  place(standing) {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareStandings(this.sorted[middle], standing) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
  move(user, next) {
    const before = this.place(this.current[user]);
    this.sorted.splice(before, 1);
    this.current[user] = next;
    const after = this.place(next);
    this.sorted.splice(after, 0, next);
    return [before + 1, after + 1];
  }
}

class Postgres {
  static async filledWith(sql, standings) {
    await sql.query('drop table if exists board', []);
    await sql.query(
      'create table board (subject bigint primary key, score bigint, reached_at bigint, position bigint)',
      [],
    );
    await sql.query(
      'insert into board select subject, score, "reachedAt", position from json_to_recordset($1::json) as r(subject bigint, score bigint, "reachedAt" bigint, position bigint)',
      [JSON.stringify(standings)],
    );
    await sql.query('create index on board ((-score), reached_at, position)', []);
    await sql.query('vacuum analyze board', []);
    const postgres = new Postgres();
    postgres.sql = sql;
    return postgres;
  }
  async rank(user) {
    const ahead = `select count(*)::int as ahead from board, (select * from board where subject = $1) own
      where (-board.score, board.reached_at, board.position) < (-own.score, own.reached_at, own.position)`;
    return (await this.sql.query(ahead, [user + 1]))[0].ahead + 1;
  }
  async move(user, next) {
    const before = await this.rank(user);
    await this.sql.query('update board set score = $2, reached_at = $3, position = $4 where subject = $1', [
      next.subject,
      next.score,
      next.reachedAt,
      next.position,
    ]);
    return [before, await this.rank(user)];
  }
}

const microseconds = (since) => Number(process.hrtime.bigint() - since) / 1e3;
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The first `count` of the round's events; every contender sees a beginning of the same list. */
async function run(contender, events, count) {
  const ranks = [];
  const started = process.hrtime.bigint();
  for (let i = 0; i < count; i++) {
    const { user, add, at, position } = events[i];
    const { subject, score } = contender.scores[user];
    contender.scores[user] = { subject, score: score + add };
    const moved = contender.board.move(user, { subject, score: score + add, reachedAt: at, position, ordinal: 0 });
    ranks.push(moved instanceof Promise ? await moved : moved);
  }
  return { perEvent: microseconds(started) / count, ranks };
}

const contender = (name, board, standings) => ({
  name,
  board,
  scores: standings.map(({ subject, score }) => ({ subject, score })),
  perEvent: [],
});

async function measure(count, sql) {
  const standings = standingsOf(count);
  const medians = new Map();
  for (let round = 0; round < rounds; round++) {
    const events = changesOf(round, count, EVENTS.index);
    const contenders = [
      contender('index', new IndexedBoard(standings), standings),
      contender('array', new SortedArray(standings), standings),
    ];
    if (sql) contenders.push(contender('postgres', await Postgres.filledWith(sql, standings), standings));
    let expected = null;
    for (const one of contenders) {
      const { perEvent, ranks } = await run(one, events, EVENTS[one.name]);
      medians.set(one.name, [...(medians.get(one.name) ?? []), perEvent]);
      expected ??= ranks;
      if (ranks.some((pair, i) => String(pair) !== String(expected[i]))) throw new Error(`${one.name}: wrong ranks`);
    }
  }
  const figure = (name) => (medians.has(name) ? median(medians.get(name)) : NaN);
  const ratio = (name) => (medians.has(name) ? `${(figure(name) / figure('index')).toFixed(1)} x` : '');
  return {
    participants: count,
    'index, µs': figure('index').toFixed(2),
    'sorted array, µs': figure('array').toFixed(2),
    ' ': ratio('array'),
    'count(*), µs': figure('postgres').toFixed(0),
    '  ': ratio('postgres'),
    ...bulk(standings),
  };
}

function bulk(standings) {
  const started = process.hrtime.bigint();
  const run = runOf(standings);
  const elapsed = microseconds(started) / 1e3;
  if (run.size !== standings.length) throw new Error('not all were taken');
  return { 'in bulk, ms': elapsed.toFixed(1), 'bytes a standing': (run.bytes / standings.length).toFixed(1) };
}

async function openDatabase() {
  const dataDir = join(tmpdir(), `laurel-bench-${process.pid}`);
  const server = await startEmbeddedPostgres({ dataDir });
  const client = new pg.Client(server.connection);
  await client.connect();
  return {
    sql: { query: async (sql, parameters) => (await client.query(sql, parameters)).rows },
    close: async () => {
      await client.end();
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const database = options['no-postgres'] ? null : await openDatabase();
try {
  const version = database ? (await database.sql.query('show server_version', []))[0].server_version : 'not measured';
  console.log(`${cpus()[0].model}, ${cpus().length} cores, Node ${process.version}, Postgres ${version}`);
  console.log(`median of ${rounds} rounds; an event = one move and the ranks before and after it`);
  const rows = [];
  for (const size of sizes) rows.push(await measure(size, database?.sql ?? null));
  console.table(rows);
} finally {
  await database?.close();
}
