import { readFileSync } from 'node:fs';
import { startEmbeddedPostgres } from '@laurel/embedded-postgres';
import pg from 'pg';
import { localDay } from './local-day.mjs';
import { numberOf } from './millionths.mjs';
import { ACHIEVEMENTS, BOARDS, METRICS, SYSTEMS, runOf } from './product.mjs';

const INT8 = 20;
const INT8_ARRAY = 1016;
pg.types.setTypeParser(INT8, Number);
pg.types.setTypeParser(INT8_ARRAY, (text) => text.slice(1, -1).split(',').map(Number));

/** The user's rank in each of some runs; null where they are not ranked. */
export const RANKS = {
  name: 'ranks',
  text: `
    select c.board, c.run, -e.score as value, case when e.score < 0 then 1 + (
      select count(*) from board_entries o where o.board = c.board and o.run = c.run and o.score < 0
      and (o.score, o.reached_at, o.position) < (e.score, e.reached_at, e.position)) end as rank
    from unnest($2::smallint[], $3::integer[]) with ordinality c(board, run, place)
    left join board_entries e on e.board = c.board and e.run = c.run and e.user_id = $1
    order by c.place`,
};

/** A database as Laurel starts its own, with the same settings, and a pool of connections over its socket. */
export async function openSql({ dataDir, poolSize }) {
  const server = await startEmbeddedPostgres({ dataDir });
  const pool = new pg.Pool({ ...server.connection, max: poolSize, idleTimeoutMillis: 0 });
  for (const file of ['schema.sql', 'record-event.sql'])
    await pool.query(readFileSync(new URL(file, import.meta.url), 'utf8'));
  return {
    pool,
    state: (user) => stateOf(pool, user),
    close: async () => {
      await pool.end();
      await server.stop();
    },
  };
}

/** What is known of a user now, for the check that all candidates agree. */
async function stateOf(pool, externalId) {
  const { rows: users } = await pool.query('select id, tz from users where external_id = $1', [externalId]);
  if (users.length === 0) return null;
  const [{ id, tz }] = users;
  const today = localDay(tz, Date.now());
  const rowsOf = (sql) => pool.query(sql, [id]).then(({ rows }) => rows);
  const metrics = await rowsOf('select metric, total from user_metrics where user_id = $1');
  const [streak] = await rowsOf('select length, last from streaks where user_id = $1');
  const completed = await rowsOf('select achievement, achieved_at from user_achievements where user_id = $1');
  const points = await rowsOf('select system, total from user_points where user_id = $1');
  const awards = await rowsOf('select system, count(*) as count from point_awards where user_id = $1 group by system');
  const runs = BOARDS.map((_, board) => runOf(board, today));
  const { rows: boards } = await pool.query({ ...RANKS, values: [id, [...BOARDS.keys()], runs] });
  const of = (rows, name, place, field) => rows.find((row) => row[name] === place)?.[field] ?? 0;
  return {
    metrics: Object.fromEntries(METRICS.map((key, at) => [key, numberOf(of(metrics, 'metric', at, 'total'))])),
    streak: streak.last !== null && streak.last >= today - 1 ? streak.length : 0,
    achievements: Object.fromEntries(
      completed.map((row) => [ACHIEVEMENTS[row.achievement], row.achieved_at.toISOString()]),
    ),
    points: Object.fromEntries(SYSTEMS.map((key, at) => [key, of(points, 'system', at, 'total')])),
    awards: Object.fromEntries(SYSTEMS.map((key, at) => [key, of(awards, 'system', at, 'count')])),
    boards: Object.fromEntries(
      boards.map(({ rank, value }, at) => [BOARDS[at], { rank, value: value === null ? null : numberOf(value) }]),
    ),
  };
}
