// One SQL transaction for each request: the user's row is locked, what is known of them is read in one statement, Node decides,
// one statement with several parts writes everything and works out the ranks.
import { randomUUID } from 'node:crypto';
import { localDay } from './local-day.mjs';
import { BOARDS_OF_METRIC, SYSTEMS_OF_METRIC, runOf } from './product.mjs';
import { RANKS, openSql } from './open-sql.mjs';
import { decide } from './rules.mjs';

const LOCK_USER = {
  name: 'lock-user',
  text: `
    insert into users as u (external_id, name, email, tz, attributes, created, updated)
    values ($1, $2, $3, coalesce($4, 'UTC'), jsonb_strip_nulls(coalesce($5::jsonb, '{}')), $6, $6)
    on conflict (external_id) do update set
      name = coalesce($2, u.name), email = coalesce($3, u.email), tz = coalesce($4, u.tz),
      attributes = case when $5::jsonb is null then u.attributes else jsonb_strip_nulls(u.attributes || $5::jsonb) end,
      updated = $6
    returning id, tz`,
};
const READ_STATE = {
  name: 'read-state',
  text: `
    select m.total, m.highest, s.length, s.started, s.last, s.day, s.progress,
      array(select achievement from user_achievements where user_id = $1) as achievements,
      (select total from user_points where user_id = $1 and system = 0) as xp,
      (select total from user_points where user_id = $1 and system = 1) as gems,
      (select array[event_id::text, day::text] from events where user_id = $1 and metric = $2 and idempotency_key = $3) as original
    from (values (1)) one
    left join user_metrics m on m.user_id = $1 and m.metric = $2
    left join streaks s on s.user_id = $1`,
};
const WRITE = {
  name: 'write',
  text: `
    with event as (
      insert into events (event_id, user_id, metric, value, occurred_at, day, idempotency_key)
      values ($1, $2, $3, $4, $5, $6, $7) returning position
    ), metric as (
      insert into user_metrics values ($2, $3, $8, $9)
      on conflict (user_id, metric) do update set total = excluded.total, highest = excluded.highest
    ), streak as (
      insert into streaks values ($2, $10, $11, $12, $6, $13)
      on conflict (user_id) do update set
        length = excluded.length, started = excluded.started, last = excluded.last, day = excluded.day, progress = excluded.progress
    ), streak_day as (
      insert into streak_days select $2, $6, $10 where $14
    ), completed as (
      insert into user_achievements select $2, unnest($15::smallint[]), $5
    ), points as (
      insert into user_points select $2, * from unnest($16::smallint[], $17::bigint[])
      on conflict (user_id, system) do update set total = excluded.total
    ), awards as (
      insert into point_awards select $2, a.system, event.position, a.trigger, a.id, a.awarded, a.total, $5
      from event, unnest($18::smallint[], $19::smallint[], $20::uuid[], $21::integer[], $22::bigint[]) a(system, trigger, id, awarded, total)
    ), moved as (
      select c.board, c.run, coalesce(e.score, 0) - c.change as score,
        e.score as previous_score, e.reached_at as previous_at, e.position as previous_position,
        case when e.score < 0 then 1 + (
          select count(*) from board_entries o where o.board = c.board and o.run = c.run and o.score < 0
          and (o.score, o.reached_at, o.position) < (e.score, e.reached_at, e.position)) end as previous_rank
      from unnest($23::smallint[], $24::integer[], $25::bigint[]) c(board, run, change)
      left join board_entries e on e.board = c.board and e.run = c.run and e.user_id = $2
    ), ranked as (
      -- Who reaches a value now is behind all who have it. Only those between the old place and the new are counted.
      select m.*, case
        when m.score >= 0 then null
        when m.previous_rank is null then 1 + (
          select count(*) from board_entries o where o.board = m.board and o.run = m.run and o.score < 0 and o.score <= m.score)
        when m.score < m.previous_score then m.previous_rank - (
          select count(*) from board_entries o where o.board = m.board and o.run = m.run and o.score < 0 and o.score > m.score
          and (o.score, o.reached_at, o.position) < (m.previous_score, m.previous_at, m.previous_position))
        else m.previous_rank + (
          select count(*) from board_entries o where o.board = m.board and o.run = m.run and o.score < 0 and o.score <= m.score
          and (o.score, o.reached_at, o.position) > (m.previous_score, m.previous_at, m.previous_position))
        end as rank
      from moved m
    ), entries as (
      insert into board_entries select board, run, $2, score, $5, event.position from ranked, event
      on conflict (board, run, user_id) do update set
        score = excluded.score, reached_at = excluded.reached_at, position = excluded.position
    ), history as (
      insert into rank_changes select $2, board, run, event.position, $5, previous_rank, rank, -previous_score, -score from ranked, event
    )
    select board, run, previous_rank, rank from ranked order by board`,
};

export async function openSqlTransaction(options) {
  const { pool, state, close } = await openSql(options);

  async function record(event) {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const outcome = await decided(client, event);
      await client.query(outcome.replayed ? 'rollback' : 'commit');
      return outcome;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }

  async function decided(client, event) {
    const { metric, value, key, now } = event;
    const { name, email, tz, attributes, id } = event.user;
    const at = new Date(now);
    const locked = await client.query({ ...LOCK_USER, values: [id, name, email, tz, attributes ?? null, at] });
    const user = locked.rows[0];
    const read = await client.query({ ...READ_STATE, values: [user.id, metric, key] });
    const known = stateOf(read.rows[0]);
    const day = localDay(user.tz, now);
    if (known.original !== null) return replay(client, event, user.id, known, day);
    const eventId = randomUUID();
    const made = decide(known, event, day, randomUUID);
    const { streak, points, changes } = made;
    const awards = points.flatMap(({ system, awards }) => awards.map((award) => ({ ...award, system })));
    const of = (list, name) => list.map((item) => item[name]);
    const { rows } = await client.query({
      ...WRITE,
      values: [
        ...[eventId, user.id, metric, value, at, day, key, made.total, made.highest],
        ...[streak.length, streak.started, streak.last, streak.progress, streak.extended, made.achievements],
        ...[of(points, 'system'), of(points, 'total')],
        ...['system', 'trigger', 'id', 'awarded', 'total'].map((name) => of(awards, name)),
        ...['board', 'run', 'change'].map((name) => of(changes, name)),
      ],
    });
    const boards = rows.map(({ board, run, previous_rank, rank }) => ({
      board,
      run,
      previousRank: previous_rank,
      rank,
    }));
    return { eventId, replayed: false, total: made.total, achievements: made.achievements, streak, points, boards };
  }

  async function replay(client, { metric }, userId, known, day) {
    const [eventId, originalDay] = known.original;
    const wanted = BOARDS_OF_METRIC[metric];
    const runs = wanted.map((board) => runOf(board, Number(originalDay)));
    const { rows } = await client.query({ ...RANKS, values: [userId, wanted, runs] });
    const boards = rows.map(({ board, run, rank }) => ({ board, run, previousRank: rank, rank }));
    const points = SYSTEMS_OF_METRIC[metric].map((system) => {
      const total = known.points[system];
      return { system, before: total, total, awards: [] };
    });
    const alive = known.streak.last !== null && known.streak.last >= day - 1;
    // It shows the streak as of now.
    const streak = {
      ...known.streak,
      day: Math.max(known.streak.day, day),
      length: alive ? known.streak.length : 0,
      extended: false,
    };
    return { eventId, replayed: true, total: known.total, achievements: [], streak, points, boards };
  }

  return { record, state, close };
}

function stateOf({ total, highest, length, started, last, day, progress, achievements, xp, gems, original }) {
  return {
    total: total ?? 0,
    highest: highest ?? 0,
    streak: length === null ? null : { length, started, last, day, progress },
    achievements: new Set(achievements),
    points: [xp ?? 0, gems ?? 0],
    original,
  };
}
