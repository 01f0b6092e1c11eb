import { unicodeFolding, type Folding } from './folding.ts';

/** Tables that are dropped when a rebuild replaces the states and, with them, the triggers. */
export const USER_SEARCH_TABLES = ['user_search', 'user_search_progress'];

/** The advisory lock of sessions that switch the index on or off. */
const LOCK = 7_036_001;

/** Most indexed words of a name. */
const MOST_WORDS = 8;

/** Most characters of an entry; longer names are found by their beginning. */
export const LONGEST_TERM = 100;

/** The version of the folding of names: an index with another version is rebuilt. */
const FORM = '2';

/** SQL for the version of the existing index, or null. The first version had no comment. */
const FORM_THERE = "obj_description(to_regclass('user_search_progress'), 'pg_class')";

/** Whether an index exists, and whether it has this version. */
export const EXISTS = `
  select to_regclass('user_search_progress') is not null as there, ${FORM_THERE} is not distinct from '${FORM}' as current`;

/** Whether all users are entered. A rebuild that replaces the states drops the triggers. */
export const IS_BUILT = `
  select is_built and exists (
    select from pg_trigger where tgrelid = 'user_states'::regclass and tgname = 'user_search_update'
  ) as is_built
  from user_search_progress`;

/**
 * Selects the entries of a user: `kind`, `term`, and `previous`, the entry of this kind before it.
 * @param users SQL for the state of the users area
 */
const entriesOf = (users: string): string => `
      select 'name' collate "C" as kind, term, lag(term) over (order by term) as previous
      from (
        select distinct left(array_to_string(words[place:], ' '), ${LONGEST_TERM}) collate "C" as term
        from string_to_array(user_search_term(${users} ->> 'name'), ' ') words,
          generate_series(1, least(cardinality(words), ${MOST_WORDS})) place
      ) terms where term <> ''
      union all
      select 'email', user_search_term(${users} ->> 'email'), null where user_search_term(${users} ->> 'email') <> ''`;

/** Selects all expected entries with their `subject`. $1: the account. */
export const EXPECTED_USER_SEARCH_ENTRIES = `
  select u.subject, e.kind, e.term, e.previous from user_states u cross join lateral (${entriesOf('u.users')}) e
  where u.account = $1::text`;

/** A condition on the row of `user_search_progress`: all users are entered, and a trigger on the same states enters changes. */
export const IS_READY = `is_built and exists (select from pg_trigger where tgrelid = states and tgname = 'user_search_update')`;

/** {@link IS_READY} as a condition for any statement. */
export const IS_KEPT = `exists (select from user_search_progress where ${IS_READY})`;

/** Drops an index of any version. */
const DROP = `
  drop trigger if exists user_search_insert on user_states;
  drop trigger if exists user_search_update on user_states;
  drop trigger if exists user_search_delete on user_states;
  drop function if exists user_search_keep(), user_search_build(integer), user_search_enter(text, bigint, jsonb);
  drop function if exists user_search_term(text);
  drop table if exists user_search, user_search_progress;`;

/** The characters of `\s` in JavaScript; in Postgres, `\s` depends on the collation. */
const BLANKS = String.raw`\u0009-\u000d\u0020\u00a0\ufeff\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`;

/**
 * Normalizes names and addresses for entries and searches: NFKD, without marks, with full case folding, one blank between words. Collation
 * "C" has only ASCII letters, so the result does not depend on the database's collation.
 */
const termFunction = ({ marks, from, to, expanding }: Folding): string => `
    create function user_search_term(value text) returns text language sql immutable
    begin atomic
      select btrim(regexp_replace(
        case when octet_length(plain) = length(plain) then plain else ${expanding.reduce(
          (folded, [letter, letters]) => `replace(${folded}, '${letter}', '${letters}')`,
          `translate(plain, '${from}', '${to}')`,
        )} end, '[${BLANKS}]+', ' ', 'g'))
      from (
        select lower(regexp_replace(normalize(value, nfkd) collate "C", '[${marks}]', '', 'g') collate "C") as plain
      ) names;
    end`;

const TABLES = `
  -- Prefixes are compared byte by byte.
  create table user_search (
    account  text collate "C" not null,
    kind     text collate "C" not null,
    term     text collate "C" not null,
    subject  bigint not null,
    -- The entry of this user before this one, by kind: of several with the same beginning the first stands for the user.
    previous text collate "C",
    primary key (account, kind, term, subject)
  );
  create index user_search_subject on user_search (account, subject);

  -- One row: how far everybody who was there before is entered, in the order of account and subject.
  create table user_search_progress (
    states   oid not null,
    account  text collate "C" not null,
    subject  bigint not null,
    users    bigint not null,
    is_built boolean not null
  );
  insert into user_search_progress values ('user_states'::regclass, '', 0, 0, false);
  comment on table user_search_progress is '${FORM}';
`;

const FUNCTIONS = `
  execute $ddl$
    create or replace function user_search_enter(account text, subject bigint, users jsonb) returns void
    language sql set search_path from current as $body$
      insert into user_search (account, kind, term, subject, previous)
      select $1, kind, term, $2, previous from (${entriesOf('$3')}) entries
      on conflict do nothing
    $body$
  $ddl$;

  execute $ddl$
    create or replace function user_search_keep() returns trigger language plpgsql set search_path from current as $body$
    begin
      if tg_op <> 'INSERT' then
        delete from user_search s where s.account = old.account and s.subject = old.subject;
      end if;
      if tg_op <> 'DELETE' then
        perform user_search_enter(new.account, new.subject, new.users);
      end if;
      return null;
    end
    $body$
  $ddl$;

  -- No user is written meanwhile, so nobody is entered as they were before. Writers queue behind whoever waits for the lock.
  execute $ddl$
    create or replace function user_search_build(most integer) returns table (looked_at bigint, is_whole boolean)
    language plpgsql set search_path from current set lock_timeout = '200ms' as $body$
    declare
      p user_search_progress;
      n integer := 0;
    begin
      lock table user_states in share row exclusive mode;
      select * into p from user_search_progress for update;
      if not found then return; end if;
      if not p.is_built then
        with next as materialized (
          select u.account, u.subject, u.users from user_states u
          where (u.account, u.subject) > (p.account, p.subject) order by u.account, u.subject limit most
        ), entered as (
          insert into user_search (account, kind, term, subject, previous)
          select u.account, e.kind, e.term, u.subject, e.previous from next u cross join lateral (${entriesOf('u.users')}) e
          on conflict do nothing
        )
        select u.account, u.subject, count(*) over () into p.account, p.subject, n
        from next u order by u.account desc, u.subject desc limit 1;
        update user_search_progress set account = coalesce(p.account, account), subject = coalesce(p.subject, subject),
          users = users + coalesce(n, 0), is_built = coalesce(n, 0) < most;
      end if;
      return query select users, is_built from user_search_progress;
    end
    $body$
  $ddl$;
`;

const TRIGGERS = `
  create trigger user_search_insert after insert on user_states for each row
    when (new.users ->> 'name' is not null or new.users ->> 'email' is not null) execute function user_search_keep();
  create trigger user_search_update after update on user_states for each row
    when (old.users ->> 'name' is distinct from new.users ->> 'name' or old.users ->> 'email' is distinct from new.users ->> 'email')
    execute function user_search_keep();
  create trigger user_search_delete after delete on user_states for each row execute function user_search_keep();
`;

/**
 * Creates the table with its functions and triggers, unless they exist. After a rebuild the states are in another table without triggers:
 * then the index is built again. The functions use the search path of the caller.
 */
export const switchOn = (): string => `
do $do$
begin
  perform set_config('lock_timeout', '5s', true);
  perform pg_advisory_xact_lock(${LOCK});
  if ${FORM_THERE} is not distinct from '${FORM}'
    and exists (select from pg_trigger where tgrelid = 'user_states'::regclass and tgname = 'user_search_update') then
    return;
  end if;
  ${DROP}
  ${TABLES}
  execute $ddl$${termFunction(unicodeFolding())}$ddl$;
  ${FUNCTIONS}
  ${TRIGGERS}
end
$do$`;

/** Drops everything that {@link switchOn} creates. */
export const SWITCH_OFF = `
do $do$
begin
  perform set_config('lock_timeout', '5s', true);
  perform pg_advisory_xact_lock(${LOCK});
  if to_regclass('user_search_progress') is null then
    return;
  end if;
  ${DROP}
end
$do$`;

/** $1: number of users. */
export const BUILD = 'select looked_at as users, is_whole as is_built from user_search_build($1::integer)';
