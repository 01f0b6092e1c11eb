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
];
