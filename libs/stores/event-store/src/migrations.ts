import type { Migration } from '@laurel/kernel';

export const eventStoreMigrations: readonly Migration[] = [
  {
    name: '0001-event-log',
    sql: `
create table log_head (
  one      boolean primary key default true check (one),
  epoch    bigint not null,
  position bigint not null
);
insert into log_head (epoch, position) values (0, 0);

create table events (
  position              bigint primary key,
  account               text collate "C" not null,
  event_id              uuid not null,
  type                  text collate "C" not null,
  schema_version        smallint not null,
  configuration_version integer not null,
  user_id               text collate "C",
  metric                text collate "C",
  idempotency_key       text collate "C",
  occurred_at           timestamptz(3) not null,
  recorded_at           timestamptz(3) not null,
  data                  jsonb not null
);

-- The infinite duplicate-detection window: a key counts once per account, user and metric, whatever comes later.
create unique index events_idempotency on events (account, user_id, metric, idempotency_key) where idempotency_key is not null;

-- Configurations, imports and sweeps: few, and read whole at start.
create index events_of_account on events (account, position) where user_id is null;
`,
  },
  {
    name: '0002-recorded-at-never-goes-back',
    sql: `
-- Of the newest event: what is recorded later is recorded at or after it, whatever the clocks say.
alter table log_head add column recorded_at timestamptz(3) not null default '-infinity';
update log_head set recorded_at = coalesce((select recorded_at from events order by position desc limit 1), '-infinity');
`,
  },
  {
    name: '0003-subjects',
    sql: `
-- The log as it was, until \`laurel upgrade\` has moved it.
alter table events rename to events_of_0_1;
alter index events_pkey rename to events_of_0_1_pkey;
drop index events_idempotency;
drop index events_of_account;

create table events (
  position              bigint primary key,
  subject               bigint,
  occurred_at           timestamptz(3) not null,
  recorded_at           timestamptz(3) not null,
  event_id              uuid not null,
  key_hash              uuid,
  configuration_version integer not null,
  schema_version        smallint not null,
  type                  smallint not null,
  imported              boolean not null,
  account               text collate "C" not null,
  metric                text collate "C",
  value                 numeric,
  zone                  text collate "C",
  data                  jsonb,
  personal              bytea
);

-- The infinite duplicate-detection window: a key counts once per account, user and metric, whatever comes later.
create unique index events_key_hash on events (key_hash) where key_hash is not null;

-- Configurations, imports and sweeps: few, and read whole at start.
create index events_of_account on events (account, position) where subject is null;

do $$ begin
  if not exists (select from events_of_0_1) then drop table events_of_0_1; end if;
end $$;
`,
  },
  {
    name: '0004-administrative-events',
    sql: `
-- What has an actor (types from ImportOpened on), to be read newest first: a handful among all events.
create index events_administrative on events (account, position) where type >= 5;
`,
  },
  {
    name: '0005-log-hash',
    sql: `
-- The hash of the log as far as it is hashed: a Merkle tree of RFC 6962, by the roots of its complete subtrees.
create table log_chain (
  one      boolean primary key default true check (one),
  position bigint not null,
  size     bigint not null,
  frontier bytea not null
) with (fillfactor = 50);
insert into log_chain (position, size, frontier) values (0, 0, '');

-- At each 1,024th record: the roots of the subtrees that it completed.
create table log_checkpoints (
  size     bigint primary key,
  position bigint not null unique,
  nodes    bytea not null
);

-- The beginning of the record's hash, so that a record that was changed can be named.
alter table events add column hash_prefix integer;
`,
  },
  {
    name: '0006-events-by-id',
    sql: `
-- By the first 40 bits of an id, which begins with its instant: events of a quarter of a second share an entry, where there are so many. It
-- takes 7 to 20 bytes for an event; an index of whole ids takes 40.
create index events_id on events (substr(uuid_send(event_id), 1, 5));
`,
  },
  {
    name: '0007-corrections',
    sql: `
-- The corrections of a user (type CorrectionRecorded): a handful among all events.
create index events_corrections on events (subject, position) where type = 11;
`,
  },
  {
    name: '0008-erasures',
    sql: `
-- The position of the newest erasure that was appended beside other processes: who does not know of it appends nothing.
alter table log_head add column erased_to bigint not null default 0;
`,
  },
  {
    name: '0009-erasures-by-position',
    sql: `
-- Who was erased (type UserErased) since a position: each process that remembers users asks for it.
create index events_erasures on events (position) where type = 12;
`,
  },
  {
    name: '0010-imports-of-account',
    sql: `
-- The brackets of imports (types ImportOpened and ImportClosed): a handful among all events.
create index events_imports on events (account, position) where type in (5, 6);

-- Whether an import is open, by the log. An erasure asks within its statement, once it has the head of the log: being volatile, it sees what
-- was committed while the statement waited for that.
create function import_is_open(of_account text) returns boolean language plpgsql volatile as $body$
begin
  return coalesce(
    (select type = 5 from events where account = of_account and type in (5, 6) order by position desc limit 1),
    false
  );
end
$body$;
`,
  },
  {
    name: '0011-event-positions',
    sql: `
-- Where each event of a log in EventStoreDB stands, which finds none by its id: kept with the hash of the log, by the same beginnings of
-- ids as events_id. Empty if the log is in Postgres.
create table event_positions (
  position bigint primary key,
  event_id uuid not null,
  account  text collate "C" not null
);
create index event_positions_id on event_positions (substr(uuid_send(event_id), 1, 5));
`,
  },
  {
    name: '0012-copied-events',
    sql: `
-- A log in EventStoreDB, copied before it is published: that store finds no event by its position, its type or its id. The indexes are those of
-- events by which people read; keys are looked for in EventStoreDB. Empty if the log is in Postgres.
drop table event_positions;
create table copied_events (like events, primary key (position));
create index copied_events_of_account on copied_events (account, position) where subject is null;
create index copied_events_administrative on copied_events (account, position) where type >= 5;
create index copied_events_corrections on copied_events (subject, position) where type = 11;
create index copied_events_id on copied_events (substr(uuid_send(event_id), 1, 5));

-- How far the log is copied, and whether that was once the end of the log: before, something may be published that is not copied.
create table copied_head (
  one      boolean primary key default true check (one),
  position bigint not null,
  complete boolean not null default false
) with (fillfactor = 50);
insert into copied_head (position) values (0);
`,
  },
  {
    name: '0013-requests',
    sql: `
-- Requests for points (types SpendRequested and RefundRequested), and the events that decide them (RequestDecided), which the log finds by its
-- index of keys and the copy by one of its own.
create index events_requests on events (position) where type in (0, -1);
create index copied_events_requests on copied_events (position) where type in (0, -1);
create index copied_events_decisions on copied_events (key_hash) where type = -2;

-- The position up to which the log says how each request was decided.
create table decided_requests (
  one      boolean primary key default true check (one),
  position bigint not null
) with (fillfactor = 50);
insert into decided_requests (position) values (0);
`,
  },
];
