-- Of both SQL baselines. Amounts are millionths, days are counted from 1970-01-01, metrics, systems and boards are places of product.mjs.
create table users (
  id bigint generated always as identity primary key,
  external_id text collate "C" not null unique,
  name text,
  email text,
  tz text not null default 'UTC',
  attributes jsonb not null default '{}',
  created timestamptz not null,
  updated timestamptz not null
) with (fillfactor = 80);

create table events (
  position bigint generated always as identity primary key,
  event_id uuid not null,
  user_id bigint not null,
  metric smallint not null,
  value bigint not null,
  occurred_at timestamptz not null,
  day integer not null,
  idempotency_key text collate "C"
);
create unique index on events (user_id, metric, idempotency_key) where idempotency_key is not null;
-- What a user did, by time: the summaries of their metrics.
create index on events (user_id, metric, occurred_at);

create table user_metrics (
  user_id bigint, metric smallint, total bigint not null, highest bigint not null, primary key (user_id, metric)
) with (fillfactor = 80);

create table streaks (
  user_id bigint primary key,
  length integer not null,
  started integer,
  last integer,
  day integer not null,
  progress bigint[] not null
) with (fillfactor = 80);
create table streak_days (user_id bigint, day integer, length integer not null, primary key (user_id, day));

create table user_achievements (
  user_id bigint, achievement smallint, achieved_at timestamptz not null, primary key (user_id, achievement)
);

create table user_points (
  user_id bigint, system smallint, total bigint not null, primary key (user_id, system)
) with (fillfactor = 80);
create table point_awards (
  user_id bigint, system smallint, position bigint, trigger smallint,
  id uuid not null, awarded integer not null, total bigint not null, awarded_at timestamptz not null,
  primary key (user_id, system, position, trigger)
);

-- score is the negative value: row comparison then follows the index, and counting those ahead reads the index alone.
create table board_entries (
  board smallint, run integer, user_id bigint, score bigint not null, reached_at timestamptz not null, position bigint not null,
  primary key (board, run, user_id)
) with (fillfactor = 80);
create index board_order on board_entries (board, run, score, reached_at, position) where score < 0;
create table rank_changes (
  user_id bigint, board smallint, run integer, position bigint,
  changed_at timestamptz not null, previous_rank integer, rank integer, previous_value bigint, value bigint not null,
  primary key (user_id, board, run, position)
);
