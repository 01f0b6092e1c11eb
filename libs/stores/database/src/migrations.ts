import type { Migration } from '@laurel/kernel';

/** The tables of API keys and of browser sessions. */
export const databaseMigrations: readonly Migration[] = [
  {
    name: '0201-api-keys',
    sql: `
create table api_keys (
  account    text collate "C" not null,
  id         uuid not null,
  hash       text collate "C" not null unique,
  label      text not null,
  scopes     text[] not null,
  created_at timestamptz(3) not null,
  primary key (account, id)
);
`,
  },
  {
    name: '0202-api-key-limits',
    sql: `
alter table api_keys
  add column expires_at          timestamptz(3),
  add column revoked_at          timestamptz(3),
  add column requests_per_minute integer;
`,
  },
  {
    name: '0206-api-key-events',
    sql: `
alter table api_keys
  add column created_by          text collate "C",
  add column creation_reason     text,
  add column revoked_by          text collate "C",
  add column revocation_reason   text,
  add column creation_recorded   boolean not null default false,
  add column revocation_recorded boolean not null default false;

-- The accounts of which the log says that a process was started with LAUREL_API_KEY.
create table environment_keys (
  account text collate "C" primary key
);
`,
  },
  {
    name: '0207-console-sessions',
    sql: `
create table console_sessions (
  account    text collate "C" not null,
  id         uuid not null,
  hash       text collate "C" not null unique,
  sealed_key text,
  by         text collate "C" not null,
  scopes     text[] not null,
  created_at timestamptz(3) not null,
  used_at    timestamptz(3) not null,
  primary key (account, id)
);

create table console_links (
  hash       text collate "C" primary key,
  account    text collate "C" not null,
  by         text collate "C" not null,
  scopes     text[] not null,
  sealed_key text,
  expires_at timestamptz(3) not null
);
`,
  },
];

/** The tables of webhooks, for the schema of the process that delivers. */
export const webhookMigrations: readonly Migration[] = [
  {
    name: '0209-webhooks',
    sql: `
create table webhook_endpoints (
  account          text collate "C" not null,
  id               uuid not null,
  url              text not null,
  description      text not null,
  types            text[],
  ordering         text not null,
  trophy_signature boolean not null,
  secrets          text not null,
  disabled_because text,
  state_since      timestamptz(3) not null,
  failing_since    timestamptz(3),
  last_success_at  timestamptz(3),
  taken            bigint not null,
  replayed         bigint,
  replay_to        bigint,
  replay_types     text[],
  created_at       timestamptz(3) not null,
  created_by       text collate "C" not null,
  primary key (account, id)
) with (fillfactor = 50);

-- Within a lane one delivery at a time is \`pending\` or \`failed\`; those behind it are \`waiting\`.
create table webhook_deliveries (
  id          bigint generated always as identity primary key,
  account     text collate "C" not null,
  endpoint    uuid not null,
  sequence    bigint not null,
  outcome     uuid not null,
  type        text collate "C" not null,
  outcome_at  timestamptz(3) not null,
  user_key    text collate "C",
  lane        text collate "C" not null,
  replay      boolean not null,
  state       text collate "C" not null,
  attempts    integer not null,
  next_at     timestamptz(3),
  status      integer,
  took_ms     integer,
  response    text,
  error       text,
  finished_at timestamptz(3),
  foreign key (account, endpoint) references webhook_endpoints on delete cascade
) with (fillfactor = 80);

create index webhook_deliveries_due on webhook_deliveries (endpoint, next_at, id) where state in ('pending', 'failed');
create index webhook_deliveries_lane on webhook_deliveries (endpoint, lane, id) where finished_at is null;
create index webhook_deliveries_state on webhook_deliveries (endpoint, state, id);
create index webhook_deliveries_user on webhook_deliveries (account, user_key) where user_key is not null;
`,
  },
  {
    name: '0210-coalescing',
    sql: `
-- In seconds; 0: nothing is coalesced.
alter table webhook_endpoints add column minimum_interval integer not null default 900;

-- The body, if it stands for several outcomes. What is still being coalesced is \`waiting\`, in a lane of its own, until \`next_at\`.
alter table webhook_deliveries add column body text;
create index webhook_deliveries_held on webhook_deliveries (endpoint, next_at) where state = 'waiting' and next_at is not null;
`,
  },
  {
    name: '0213-asked-deliveries',
    sql: `
-- When somebody asked for it: in a replay, or to be sent again.
alter table webhook_deliveries add column asked_at timestamptz(3);
`,
  },
  {
    name: '0214-others-of-deliveries',
    sql: `
-- Whom the body names beside its user, until one of them is erased: an answer may repeat it. Of what was answered before, nobody knows.
alter table webhook_deliveries add column others text[] collate "C";
create index webhook_deliveries_others on webhook_deliveries using gin (others) where others is not null;
update webhook_deliveries set response = null, error = null where type like 'leaderboard.%';
`,
  },
];
