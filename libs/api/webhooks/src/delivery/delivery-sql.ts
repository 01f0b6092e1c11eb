/** A deferred delivery. A delivery that waits for others of its lane has no time. */
export const HELD = "state = 'waiting' and next_at is not null";

/** The state of the next delivery of a lane when it is due. */
const HAS_TURN = `state = 'pending'`;

const take = (moved: string): string => `
with moved as (${moved}), rows as (
  select r.* from moved, json_to_recordset($5::json) as r (sequence bigint, outcome uuid, type text, user_key text, others text[],
    outcome_at timestamptz, lane text, first boolean)
), busy as (
  select distinct r.lane from rows r where exists (
    select from webhook_deliveries d where d.endpoint = $2 and d.lane = r.lane and d.finished_at is null
  )
), written as (
  insert into webhook_deliveries
    (account, endpoint, sequence, outcome, type, outcome_at, user_key, others, lane, replay, state, attempts, next_at, asked_at)
  select $1, $2, sequence, outcome, type, outcome_at, user_key, others, lane, $7::boolean,
    case when has_turn then 'pending' else 'waiting' end, 0, case when has_turn then $6::timestamptz end,
    case when $7::boolean then $6::timestamptz end
  from (select *, first and lane not in (select lane from busy) as has_turn from rows) r order by sequence
), held as (
  select h.* from moved, json_to_recordset($8::json) as h (lane text, sequence bigint, outcome uuid, type text, user_key text, others text[], body text,
    outcome_at timestamptz, next_at timestamptz)
), merged as (
  update webhook_deliveries d set sequence = h.sequence, outcome = h.outcome, outcome_at = h.outcome_at, others = h.others, body = h.body from held h
  where d.endpoint = $2 and d.lane = h.lane and d.finished_at is null returning d.lane
), begun as (
  insert into webhook_deliveries
    (account, endpoint, sequence, outcome, type, outcome_at, user_key, others, lane, replay, state, attempts, next_at, body)
  select $1, $2, sequence, outcome, type, outcome_at, user_key, others, lane, false, 'waiting', 0, next_at, body
  from held where lane not in (select lane from merged) order by sequence
)
select count(*) as moved from moved`;

export const TAKE_NEW = take(
  `update webhook_endpoints set taken = $4::bigint where account = $1 and id = $2 and taken = $3::bigint returning 1`,
);
export const TAKE_REPLAY = take(
  `update webhook_endpoints set replayed = $4::bigint where account = $1 and id = $2 and replayed = $3::bigint returning 1`,
);

export const DUE = `
select * from webhook_deliveries
where endpoint = $1 and state in ('pending', 'failed') and next_at <= $2 and id <> all($3::bigint[])
order by next_at, id limit $4`;

export const NEXT_DUE = `
select min(next_at) as next_at from (
  (select next_at from webhook_deliveries
    where endpoint = $1 and state in ('pending', 'failed') and next_at > $2 order by next_at limit 1)
  union all
  (select next_at from webhook_deliveries where endpoint = $1 and ${HELD} and next_at > $2 order by next_at limit 1)
) next`;

export const RELEASE = `
with ready as (
  select id, next_at, sequence, case when $4::boolean then '' else coalesce(user_key, '') end as lane from webhook_deliveries
  where endpoint = $1 and ${HELD} and next_at <= $2::timestamptz order by next_at, id limit $5
), ranked as (
  select id, lane, row_number() over (partition by lane order by next_at, sequence) = 1 and not exists (
    select from webhook_deliveries d where d.endpoint = $1 and d.lane = ready.lane and d.finished_at is null
  ) as has_turn from ready
), released as (
  update webhook_deliveries d set lane = r.lane, state = case when has_turn then 'pending' else 'waiting' end,
    next_at = case when has_turn then $3::timestamptz end
  from ranked r where d.endpoint = $1 and d.id = r.id returning d.id
)
select id from released`;

/** When the newest of the excess deferred deliveries would be sent. */
export const OVER = `select next_at from webhook_deliveries where endpoint = $1 and ${HELD} order by next_at desc offset $2 limit 1`;

export const HAS_MORE = `
select exists (
  select from webhook_deliveries where endpoint = $1 and finished_at is null and not (${HELD}) offset $2 limit 1
) as more`;

/** Makes the next delivery of each lane in `over` due. */
const promoted = (at: string): string => `
update webhook_deliveries set ${HAS_TURN}, next_at = ${at}
where id in (
  select (select d.id from webhook_deliveries d
    where d.endpoint = $1 and d.lane = over.lane and d.finished_at is null and d.id <> over.id
    order by d.id limit 1)
  from over
) and state = 'waiting'`;

/** No user whom it names was erased since it was read. */
const IS_OF_ALL = '(user_key is not distinct from $11 and others is not distinct from $12::text[])';

export const FINISH = `
with done as (
  update webhook_deliveries set state = $3, attempts = attempts + 1, next_at = $4, status = $5, took_ms = $6,
    response = case when ${IS_OF_ALL} then $7 end, error = case when ${IS_OF_ALL} then $8 end,
    body = case when ${IS_OF_ALL} and $3 = 'abandoned' then $13 else body end, finished_at = $9
  where endpoint = $1 and id = $2 and finished_at is null returning id, lane, finished_at
), over as (
  select id, lane from done where finished_at is not null
)
${promoted('$10')}`;

export const RESUME = `
update webhook_deliveries set ${HAS_TURN}, next_at = $2
where id in (
  select min(id) from webhook_deliveries where endpoint = $1 and finished_at is null and not (${HELD})
  group by lane having every(state = 'waiting')
)`;

export const DROP = `
with over as (
  delete from webhook_deliveries where endpoint = $1 and id = $2 returning id, lane
)
${promoted('$3')}`;

export const RESEND = `
update webhook_deliveries r set attempts = 0, finished_at = null, asked_at = $3::timestamptz, (state, next_at) = (
  select case when busy then 'waiting' else 'pending' end, case when not busy then $3::timestamptz end
  from (select r.finished_at is not null and exists (
    select from webhook_deliveries d where d.endpoint = $1 and d.lane = r.lane and d.finished_at is null
  ) as busy) as lane
)
where endpoint = $1 and id = $2 and state <> 'waiting'`;

export const HASTEN = `update webhook_deliveries set next_at = $2 where endpoint = $1 and state = 'failed' and next_at > $2`;

export const LIST = `
select found.* from unnest($2::text[]) as asked (state) cross join lateral (
  select * from webhook_deliveries d where d.endpoint = $1 and d.state = asked.state and d.id < $3
  order by d.id desc limit $4
) found order by found.id desc limit $4`;

const counted = (name: string, condition: string): string => `
cross join lateral (select count(*) as ${name} from (
  select from webhook_deliveries where endpoint = asked.endpoint and ${condition} limit $2) counted) as ${name}`;

/**
 * Ids ascend in the order in which outcomes reach an endpoint. The first one in a state is found in the order of
 * `webhook_deliveries_state`: the planner could otherwise walk the primary key past all deliveries that have arrived.
 */
export const PROGRESS = `
select asked.endpoint, unfinished, held_back, abandoned, (
  select min(coalesce(first.asked_at, first.outcome_at)) from unnest('{pending,failed}'::text[]) as due (state) cross join lateral (
    select endpoint, state, outcome_at, asked_at from webhook_deliveries where (endpoint, state, id) > (asked.endpoint, due.state, 0)
    order by endpoint, state, id limit 1
  ) first where first.endpoint = asked.endpoint and first.state = due.state
) as oldest_at
from unnest($1::uuid[]) as asked (endpoint)
${counted('unfinished', 'finished_at is null')}
${counted('held_back', HELD)}
${counted('abandoned', "state = 'abandoned'")}`;

export const OLDEST_NEEDED = `
select min(d.sequence) as sequence from webhook_deliveries d
where d.account = $1 and d.finished_at is null and d.sequence >= $2`;

export const CLEAN = `
delete from webhook_deliveries where endpoint = $1 and state = $2 and (finished_at < $3 or id <= (
  select id from webhook_deliveries where endpoint = $1 and state = $2 order by id desc offset $4 limit 1
))`;

export const FORGET = 'update webhook_deliveries set user_key = null, response = null, error = null, body = null';

export const FORGET_OTHERS = 'update webhook_deliveries set others = null, response = null, error = null, body = null';

export const LAST_LOOKED_AT = `
select max(id) as last from (select id from webhook_deliveries where id > $1::bigint order by id limit $2) looked`;

export const LOOKED_AT = 'account = $1 and id > $2::bigint and id <= $3::bigint';

/** Whether a user is no longer in the directory. Only a comparison of numbers can use the index of its key. */
const isUnknown = (subjects: string, key: string): string => `not exists (
  select from ${subjects} s where s.account = $1 and s.subject = case when ${key} ~ '^[0-9]{1,18}$' then ${key}::bigint end
)`;

export const namesErased = (subjects: string): string =>
  `others is not null and exists (select from unnest(others) as other (key) where ${isUnknown(subjects, 'other.key')})`;

export const ofErased = (subjects: string): string => `user_key is not null and ${isUnknown(subjects, 'user_key')}`;
