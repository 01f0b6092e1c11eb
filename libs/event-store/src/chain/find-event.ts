import type { SqlReader } from '@laurel/contracts';

/** Records that are looked through behind the first that was recorded at the instant of the id. */
const NEARBY = 5_000;

/**
 * An id begins with the instant at which it was given out, and records are in the order of their instants: the first one recorded at that
 * instant is found by halving, and the event stands close behind it.
 */
const FIND_POSITION = `
with recursive halving as (
  select 0::bigint as low, (select position from log_head) as high
  union all
  select
    case when e.recorded_at < $2 then middle else low end,
    case when e.recorded_at < $2 then high else middle end
  from halving
  cross join lateral (select (low + high) / 2 as middle) m
  cross join lateral (select recorded_at from events where position >= middle order by position limit 1) e
  where high - low > 1
)
select near.position from (
  select e.position, e.event_id from events e
  where e.position > (select low from halving where high - low <= 1) order by e.position limit ${NEARBY}
) near where near.event_id = $1`;

const LATEST_INSTANT = Date.UTC(9999, 11, 31);

/**
 * The position of the event with this id, by the instant that a UUID v7 begins with; null: there is none. The log has no index by id.
 */
export async function findPosition(sql: SqlReader, eventId: string): Promise<number | null> {
  const issuedAt = Number.parseInt(eventId.replaceAll('-', '').slice(0, 12), 16);
  if (!(issuedAt <= LATEST_INSTANT)) return null;
  const [row] = await sql.query<{ position: string }>(FIND_POSITION, [eventId, new Date(issuedAt).toISOString()]);
  return row === undefined ? null : Number(row.position);
}
