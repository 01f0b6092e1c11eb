-- The second baseline: everything that an event causes, in one call. Its answer names places of product.mjs and millionths.
create function board_move(p_board smallint, p_run integer, p_user bigint, p_change bigint, p_position bigint, p_now timestamptz)
returns jsonb language plpgsql as $$
declare
  e board_entries;
  v_score bigint;
  v_before bigint;
  v_after bigint;
begin
  select * into e from board_entries where board = p_board and run = p_run and user_id = p_user;
  v_score := coalesce(e.score, 0) - p_change;
  if e.score < 0 then
    select 1 + count(*) into v_before from board_entries o
    where o.board = p_board and o.run = p_run and o.score < 0
    and (o.score, o.reached_at, o.position) < (e.score, e.reached_at, e.position);
  end if;
  -- Who reaches a value now is behind all who have it. Only those between the old place and the new are counted.
  if v_score < 0 and v_before is null then
    select 1 + count(*) into v_after from board_entries o
    where o.board = p_board and o.run = p_run and o.score < 0 and o.score <= v_score;
  elsif v_score < e.score then
    select v_before - count(*) into v_after from board_entries o
    where o.board = p_board and o.run = p_run and o.score < 0 and o.score > v_score
    and (o.score, o.reached_at, o.position) < (e.score, e.reached_at, e.position);
  elsif v_score < 0 then
    select v_before + count(*) into v_after from board_entries o
    where o.board = p_board and o.run = p_run and o.score < 0 and o.score <= v_score
    and (o.score, o.reached_at, o.position) > (e.score, e.reached_at, e.position);
  end if;
  insert into board_entries values (p_board, p_run, p_user, v_score, p_now, p_position)
  on conflict (board, run, user_id) do update set
    score = excluded.score, reached_at = excluded.reached_at, position = excluded.position;
  insert into rank_changes values (p_user, p_board, p_run, p_position, p_now, v_before, v_after, -e.score, -v_score);
  return jsonb_build_object('board', p_board, 'run', p_run, 'previousRank', v_before, 'rank', v_after);
end $$;

create function award_points(
  p_user bigint, p_system smallint, p_cap bigint, p_before bigint, p_position bigint, p_now timestamptz,
  p_triggers smallint[], p_points integer[]
) returns jsonb language plpgsql as $$
declare
  v_total bigint := p_before;
  v_awarded integer;
  v_id uuid;
  v_awards jsonb := '[]';
begin
  for i in 1 .. cardinality(p_triggers) loop
    v_awarded := least(p_points[i], p_cap - v_total);
    continue when v_awarded = 0;
    v_total := v_total + v_awarded;
    v_id := gen_random_uuid();
    insert into point_awards values (p_user, p_system, p_position, p_triggers[i], v_id, v_awarded, v_total, p_now);
    v_awards := v_awards || jsonb_build_object('id', v_id, 'trigger', p_triggers[i], 'awarded', v_awarded, 'total', v_total);
  end loop;
  if v_total <> p_before then
    insert into user_points values (p_user, p_system, v_total) on conflict (user_id, system) do update set total = excluded.total;
  end if;
  return jsonb_build_object('system', p_system, 'before', p_before, 'total', v_total, 'awards', v_awards);
end $$;

create function replay_event(p_user bigint, p_metric smallint, p_original events, p_day integer)
returns jsonb language plpgsql as $$
declare
  s streaks;
  v_total bigint;
  v_boards smallint[] := case p_metric when 0 then '{0,1}' else '{1}' end;
  v_systems smallint[] := case p_metric when 0 then '{0}' else '{0,1}' end;
begin
  select * into s from streaks where user_id = p_user;
  select total into v_total from user_metrics where user_id = p_user and metric = p_metric;
  return jsonb_build_object(
    'eventId', p_original.event_id, 'replayed', true, 'total', v_total, 'achievements', '[]'::jsonb,
    'streak', jsonb_build_object(
      'length', case when s.last >= p_day - 1 then s.length else 0 end,
      'started', s.started, 'day', greatest(s.day, p_day), 'last', s.last, 'extended', false),
    'points', (
      select jsonb_agg(jsonb_build_object(
        'system', w, 'before', coalesce(p.total, 0), 'total', coalesce(p.total, 0), 'awards', '[]'::jsonb) order by w)
      from unnest(v_systems) w left join user_points p on p.user_id = p_user and p.system = w),
    'boards', (
      select jsonb_agg(jsonb_build_object('board', r.board, 'run', r.run, 'previousRank', r.rank, 'rank', r.rank) order by r.board)
      from (
        select b as board, r.run, case when e.score < 0 then 1 + (
          select count(*) from board_entries o where o.board = b and o.run = r.run and o.score < 0
          and (o.score, o.reached_at, o.position) < (e.score, e.reached_at, e.position)) end as rank
        from unnest(v_boards) b
        cross join lateral (select case b when 0 then 0 else floor((p_original.day - 18267) / 7.0)::integer end as run) r
        left join board_entries e on e.board = b and e.run = r.run and e.user_id = p_user
      ) r));
end $$;

create function record_event(
  p_id text, p_name text, p_email text, p_tz text, p_attributes jsonb,
  p_metric smallint, p_value bigint, p_key text, p_event uuid, p_now timestamptz
) returns jsonb language plpgsql as $$
declare
  u record;
  v_new boolean := false;
  original events;
  s streaks;
  v_position bigint;
  v_day integer;
  v_total bigint;
  v_highest bigint;
  v_reached bigint;
  v_alive boolean;
  v_extended boolean;
  v_known smallint[];
  v_completed smallint[] := '{}';
  v_triggers smallint[] := '{}';
  v_points integer[] := '{}';
  v_times integer;
  v_before bigint;
  v_awarded jsonb := '[]';
  v_xp jsonb;
  v_boards jsonb := '[]';
begin
  select id, tz into u from users where external_id = p_id for update;
  if not found then
    insert into users (external_id, name, email, tz, attributes, created, updated)
    values (p_id, p_name, p_email, coalesce(p_tz, 'UTC'), jsonb_strip_nulls(coalesce(p_attributes, '{}')), p_now, p_now)
    on conflict (external_id) do nothing returning id, tz into u;
    v_new := found;
    if not v_new then
      select id, tz into u from users where external_id = p_id for update;
    end if;
  end if;
  if p_key is not null and not v_new then
    select * into original from events where user_id = u.id and metric = p_metric and idempotency_key = p_key;
    if found then
      return replay_event(u.id, p_metric, original, (p_now at time zone u.tz)::date - date '1970-01-01');
    end if;
  end if;
  if not v_new then
    update users k set
      name = coalesce(p_name, k.name), email = coalesce(p_email, k.email), tz = coalesce(p_tz, k.tz),
      attributes = case when p_attributes is null then k.attributes else jsonb_strip_nulls(k.attributes || p_attributes) end,
      updated = p_now
    where k.id = u.id returning k.tz into u.tz;
  end if;
  v_day := (p_now at time zone u.tz)::date - date '1970-01-01';
  insert into events (event_id, user_id, metric, value, occurred_at, day, idempotency_key)
  values (p_event, u.id, p_metric, p_value, p_now, v_day, p_key) returning position into v_position;

  select total, highest into v_total, v_reached from user_metrics where user_id = u.id and metric = p_metric;
  v_total := coalesce(v_total, 0) + p_value;
  v_reached := coalesce(v_reached, 0);
  v_highest := greatest(v_reached, v_total);
  insert into user_metrics values (u.id, p_metric, v_total, v_highest)
  on conflict (user_id, metric) do update set total = excluded.total, highest = excluded.highest;

  select * into s from streaks where user_id = u.id;
  if s.day is null or s.day < v_day then
    s.day := v_day;
    s.progress := '{0,0}';
  end if;
  s.progress[p_metric + 1] := s.progress[p_metric + 1] + p_value;
  v_alive := coalesce(s.last >= v_day - 1, false);
  if not v_alive then
    s.length := 0;
    s.started := null;
  end if;
  v_extended := coalesce(s.last < v_day, true) and (s.progress[1] >= 1000000 or s.progress[2] >= 50000000);
  if v_extended then
    s.length := s.length + 1;
    s.started := coalesce(s.started, v_day);
    s.last := v_day;
    insert into streak_days values (u.id, v_day, s.length);
  end if;
  insert into streaks values (u.id, s.length, s.started, s.last, s.day, s.progress)
  on conflict (user_id) do update set
    length = excluded.length, started = excluded.started, last = excluded.last, day = excluded.day, progress = excluded.progress;

  v_known := array(select achievement from user_achievements where user_id = u.id);
  if p_metric = 0 and v_total >= 1000000 and not 0 = any (v_known) then v_completed := v_completed || 0::smallint; end if;
  if p_metric = 0 and v_total >= 10000000 and not 1 = any (v_known) then v_completed := v_completed || 1::smallint; end if;
  if p_metric = 1 and v_total >= 1000000000 and not 2 = any (v_known) then v_completed := v_completed || 2::smallint; end if;
  if v_extended and s.length >= 7 and not 3 = any (v_known) then v_completed := v_completed || 3::smallint; end if;
  if v_known || v_completed @> '{1,3}' and not 4 = any (v_known) then v_completed := v_completed || 4::smallint; end if;
  if v_completed <> '{}' then
    insert into user_achievements select u.id, unnest(v_completed), p_now;
  end if;

  if p_metric = 0 then
    v_times := v_highest / 1000000 - v_reached / 1000000;
    if v_times > 0 then v_triggers := v_triggers || 0::smallint; v_points := v_points || v_times * 10; end if;
  else
    v_times := v_highest / 100000000 - v_reached / 100000000;
    if v_times > 0 then v_triggers := v_triggers || 1::smallint; v_points := v_points || v_times * 5; end if;
  end if;
  if v_extended and s.length % 3 = 0 then v_triggers := v_triggers || 2::smallint; v_points := v_points || 30; end if;
  if 4 = any (v_completed) then v_triggers := v_triggers || 3::smallint; v_points := v_points || 500; end if;
  if v_triggers <> '{}' then
    select total into v_before from user_points where user_id = u.id and system = 0;
    v_xp := award_points(u.id, 0::smallint, 9007199254740991, coalesce(v_before, 0), v_position, p_now, v_triggers, v_points);
    v_awarded := v_awarded || v_xp;
  end if;

  v_triggers := '{}';
  v_points := '{}';
  if p_metric = 1 then
    v_times := v_highest / 200000000 - v_reached / 200000000;
    if v_times > 0 then v_triggers := v_triggers || 0::smallint; v_points := v_points || v_times * 5; end if;
  end if;
  if v_extended and s.length % 2 = 0 then v_triggers := v_triggers || 1::smallint; v_points := v_points || 2; end if;
  if v_triggers <> '{}' then
    v_before := null;
    select total into v_before from user_points where user_id = u.id and system = 1;
    v_awarded := v_awarded || award_points(u.id, 1::smallint, 12, coalesce(v_before, 0), v_position, p_now, v_triggers, v_points);
  end if;

  if p_metric = 0 and p_value <> 0 then
    v_boards := v_boards || board_move(0::smallint, 0, u.id, p_value, v_position, p_now);
  end if;
  if v_xp->'total' <> v_xp->'before' then
    v_boards := v_boards || board_move(
      1::smallint, floor((v_day - 18267) / 7.0)::integer, u.id,
      ((v_xp->>'total')::bigint - (v_xp->>'before')::bigint) * 1000000, v_position, p_now);
  end if;

  return jsonb_build_object(
    'eventId', p_event, 'replayed', false, 'total', v_total, 'achievements', to_jsonb(v_completed),
    'streak', jsonb_build_object(
      'length', s.length, 'started', s.started, 'day', s.day, 'last', s.last, 'extended', v_extended),
    'points', v_awarded, 'boards', v_boards);
end $$;
