import type { Migration } from '@laurel/contracts';

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
];
