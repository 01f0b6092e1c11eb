import type { Migration } from '@laurel/contracts';

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
