-- The measurements behind docs/adr/0022: forms of the read models, side by side, on an imported history. Reads tables as they
-- were in release 0.1 (at 628c9b4), writes into a schema of its own and drops it.
--   psql -h DATA_FOLDER/socket -U laurel -d laurel -f bench/storage.sql

\set ON_ERROR_STOP on
\set QUIET on
begin;
create schema storage_trial;
set local search_path = storage_trial, public;
set local work_mem = '256MB';

-- What a row names: a number in place of a key or a uuid.
create table subjects as
  select user_id, ('x' || substr(md5(user_id), 1, 16))::bit(64)::bigint & 9223372036854775807 as subject from user_states;
create table triggers as
  select (row_number() over (order by system, trigger_id))::smallint as number, system, trigger_id
  from (select distinct system, trigger_id from point_awards) t;
create table systems as select (row_number() over (order by system))::smallint as number, system from (select distinct system from triggers) s;
create table metrics as select (row_number() over (order by metric))::smallint as number, metric from (select distinct metric from metric_days) m;
create table runs as
  select (row_number() over (order by min(position)))::integer as run, board, run_start
  from board_rank_changes group by board, run_start;
create table awards as
  select subject, a.position, a.ordinal, s.number as system, t.number as trigger, awarded, total, date,
    case when awarded_at <> e.occurred_at then awarded_at end as due_at
  from point_awards a join subjects using (user_id) join triggers t using (system, trigger_id)
    join systems s using (system) join events e using (position);

-- What each event said of each area, as JSON. Of streaks only met periods: of ends, the tables say nothing.
create table said as
with affected as (
  select subject, position, event_id, occurred_at,
    '[' || sum((data ->> 'value')::numeric) over (partition by e.user_id, metric order by position) || ']' as users
  from events e join subjects using (user_id)
  union all
  select subject, position, event_id, occurred_at, null
  from events, jsonb_array_elements_text(data -> 'userIds') as swept join subjects on user_id = swept
  where type = 'UsersSwept'
), periods as (
  select subject, a.position, '[["extended",' || length || ']]' as streaks
  from streak_periods join subjects using (user_id)
  join (select subject, date, min(position) as position from awards where due_at is null group by 1, 2) a
    using (subject) where a.date = period_start
), completed as (
  select subject, position, '[' || count(*) || ']' as achievements
  from achievement_completions join subjects using (user_id) group by 1, 2
), awarded as (
  select subject, position, string_agg(distinct system::text, ',' order by system::text) as systems,
    bool_or(due_at is null) as fired,
    '[' || string_agg('[' || concat_ws(',', trigger, awarded, total, (extract(epoch from due_at) * 1000)::bigint) || ']', ','
                      order by ordinal) || ']' as points
  from awards group by 1, 2
)
select * from affected left join periods using (subject, position) left join completed using (subject, position)
  left join awarded using (subject, position);

-- Keys come first, so that they grow as under live traffic.
create table effects (
  subject bigint, position bigint, occurred_at timestamptz(3), event_id uuid,
  users text, streaks text, achievements text, points text, systems text collate "C", primary key (subject, position));
create index effects_systems on effects (subject, systems, position) where systems is not null;
create table effects_without_points (like effects including all);
alter table effects_without_points drop column points, drop column systems;
create table awards_of_a_system (subject bigint, position bigint, occurred_at timestamptz(3), event_id uuid,
  system smallint, awards text, primary key (subject, system, position));
create table award (subject bigint, position bigint, awarded_at timestamptz(3), event_id uuid, system smallint, ordinal smallint,
  trigger smallint, awarded numeric, total numeric, primary key (subject, system, position, ordinal));
create table rank_changes (subject bigint, position bigint, at timestamptz(3), run integer, previous_rank integer, rank integer,
  ordinal smallint, value numeric, primary key (subject, run, position, ordinal));
create index rank_changes_position on rank_changes using brin (position) with (pages_per_range = 32);
create table rank_changes_two_keys (like rank_changes, primary key (subject, run, position, ordinal));
create index on rank_changes_two_keys (run, position);
create table standings (subject bigint, reached_at timestamptz(3), reached_position bigint, run integer, reached_ordinal smallint,
  value numeric, primary key (run, subject));
create table periods (subject bigint, period_start date, generation smallint, used_freeze boolean, length integer,
  primary key (subject, generation, period_start));
create table completions (subject bigint, position bigint, achieved_at timestamptz(3), achievement smallint,
  primary key (subject, achievement));
create table zones (subject bigint, position bigint, zone text collate "C", primary key (subject, position));
create table metric_days_narrow (subject bigint, date date, change numeric, metric smallint,
  primary key (subject, metric, date));
create table metric_months (subject bigint, month date, metric smallint, days text,
  primary key (subject, metric, month));
create table points_days (subject bigint, date date, change numeric, system smallint,
  primary key (subject, system, date));
create table points_months (subject bigint, month date, system smallint, days text,
  primary key (subject, system, month));

insert into effects
  select subject, position, occurred_at, case when fired then event_id end, users, streaks, achievements, points, systems
  from said order by position, subject;
insert into effects_without_points
  select subject, position, occurred_at, null, users, streaks, achievements from said order by position, subject;
insert into awards_of_a_system
  select subject, position, max(occurred_at), (array_agg(event_id))[1], system,
    '[' || string_agg('[' || concat_ws(',', trigger, awarded, total, (extract(epoch from due_at) * 1000)::bigint) || ']', ','
                      order by ordinal) || ']'
  from awards join said using (subject, position) group by 1, 2, system order by position, subject;
insert into award
  select subject, position, coalesce(due_at, occurred_at), case when due_at is null then event_id end, system, ordinal,
    trigger, awarded, total
  from awards join said using (subject, position) order by position, subject, ordinal;
insert into rank_changes
  select subject, position, timestamp, run, previous_rank, rank, ordinal, value
  from board_rank_changes join subjects using (user_id) join runs using (board, run_start) order by position, user_id, ordinal;
insert into rank_changes_two_keys select * from rank_changes order by position, subject, ordinal;
insert into standings
  select subject, reached_at, reached_position, run, reached_ordinal, value
  from board_standings join subjects using (user_id) join runs using (board, run_start) order by reached_position;
insert into periods
  select subject, period_start, generation, used_freeze, length from streak_periods join subjects using (user_id) order by period_start;
insert into completions
  select subject, position, achieved_at, length(achievement) from achievement_completions join subjects using (user_id)
  order by position, achievement on conflict do nothing;
insert into zones select subject, position, zone from user_zones join subjects using (user_id) order by position;
insert into metric_days_narrow
  select subject, date, change, number from metric_days join subjects using (user_id) join metrics using (metric) order by date;
insert into metric_months
  select subject, date_trunc('month', date), metric, '{' || string_agg(format('"%s":%s', extract(day from date), change), ',' order by date) || '}'
  from metric_days_narrow group by 1, 2, 3 order by 2;
insert into points_days select subject, date, sum(awarded), system from awards group by 1, 2, 4 order by date;
insert into points_months
  select subject, date_trunc('month', date), system, '{' || string_agg(format('"%s":%s', extract(day from date), change), ',' order by date) || '}'
  from points_days group by 1, 2, 3 order by 2;

\echo 'Bytes per event'
select relname as form, rows_of.n as rows, round(pg_relation_size(c.oid) / events.n, 1) as table,
  round(pg_indexes_size(c.oid) / events.n, 1) as keys, round(pg_total_relation_size(c.oid) / events.n, 1) as total
from pg_class c, (select count(*)::numeric as n from events where metric is not null) events,
  lateral (select (xpath('/row/n/text()', query_to_xml('select count(*) as n from storage_trial.' || relname, true, true, '')))[1]::text::bigint as n) rows_of
where relnamespace = 'storage_trial'::regnamespace and relkind = 'r'
  and relname not in ('subjects', 'systems', 'metrics', 'triggers', 'runs', 'awards', 'said')
order by relname;

-- A user with 100,000 events, one in four of the account's; a system that awards on one in 2,000 of them, and 22 years of days.
truncate effects, rank_changes, metric_months, metric_days_narrow;
insert into effects
select case when i % 4 = 0 then 1 else 2 + i % 5000 end, i, now(), null, '[' || i || ']', null, null, '[[2,10,' || i || ']]',
  case when i % 8000 = 0 then '1,2' when i % 8 = 0 then '2' end
from generate_series(1, 400000) as i;
insert into rank_changes
select subject, position, occurred_at, case when position % 8000 = 0 then 2 else 1 end, 1, 1, 0, position from effects;
insert into metric_days_narrow
select subject, date '2004-11-01' + day, day, 1 from generate_series(0, 8000) as day, generate_series(1, 60) as subject
order by day, subject;
insert into metric_months
select subject, date_trunc('month', date), metric, '{' || string_agg(format('"%s":%s', extract(day from date), change), ',' order by date) || '}'
from metric_days_narrow group by 1, 2, 3 order by 2, 1;
analyze effects, rank_changes, metric_months, metric_days_narrow;
do $$ begin perform brin_summarize_new_values('rank_changes_position'); end $$;

create function buffers(statement text) returns integer language plpgsql as $$
declare plan json;
begin
  execute 'explain (analyze, buffers, format json) ' || statement into plan;
  return (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::integer + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::integer;
end $$;
create function newest_awards(system text) returns text language sql as $$
  select format($query$
    with recursive sets as (
      (select systems from effects where subject = 1 and systems is not null order by systems limit 1)
      union all
      select (select systems from effects where subject = 1 and systems > s.systems order by systems limit 1)
      from sets s where s.systems is not null
    )
    select points from sets s cross join lateral (
      select position, points from effects where subject = 1 and systems = s.systems order by position desc limit 100
    ) newest
    where %L = any (string_to_array(s.systems, ',')) order by position desc limit 100$query$, system)
$$;

\echo 'Shared buffers'
select read, buffers(statement) from (values
  ('what one event caused', 'select * from effects where subject = 1 and position = 200000'),
  ('the newest 100 of a timeline', 'select * from effects where subject = 1 order by position desc limit 100'),
  ('the newest 100 awards of a system', newest_awards('2')),
  ('the newest of one that rarely awards', newest_awards('1')),
  ('the same without an index', $$select * from effects where subject = 1 and '1' = any (string_to_array(systems, ','))$$),
  ('the newest 100 ranks in a run', 'select * from rank_changes where subject = 1 and run = 1 order by position desc limit 100'),
  ('the same in a rare run', 'select * from rank_changes where subject = 1 and run = 2 order by position desc limit 100'),
  ('1,000 positions of a run, in order',
   'select * from rank_changes where run = 1 and position between 200001 and 201000 order by position'),
  ('22 years of a metric, by days', 'select * from metric_days_narrow where subject = 1 and metric = 1'),
  ('22 years of a metric, by months', 'select * from metric_months where subject = 1 and metric = 1')
) reads (read, statement);
rollback;
