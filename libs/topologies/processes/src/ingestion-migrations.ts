import type { Migration } from '@laurel/kernel';
import { configurationFilesMigrations } from '@laurel/database';
import { directoryMigrations } from '@laurel/directory';
import { eventStoreMigrations } from '@laurel/event-store';
import { relayMigrations } from '@laurel/engine';
import { partitionOwnersMigrations } from './owners/index.ts';

/** The tables that the ingestion gateways share: the log (unless it is in EventStoreDB), the directory, the relay's checkpoint, publications, imports. */
export const INGESTION_MIGRATIONS: readonly Migration[] = [
  ...eventStoreMigrations,
  ...directoryMigrations,
  ...relayMigrations,
  {
    name: '0203-gateway',
    sql: `
-- What was published, as the log has it: here so that every gateway knows of it without reading the log.
create table publications (
  account      text collate "C" not null,
  version      integer not null,
  document     jsonb not null,
  published_at timestamptz(3) not null,
  primary key (account, version, published_at)
);

-- Whether an import is open, whichever gateway it came through; while one is, nothing is swept.
create table imports (
  account   text collate "C" primary key,
  open      boolean not null,
  last_at   timestamptz(3) not null
);
`,
  },
  ...configurationFilesMigrations,
  // The gateway that publishes the log.
  ...partitionOwnersMigrations,
  {
    name: '0205-who-published',
    sql: `
alter table publications
  add column published_by text collate "C",
  add column reason       text;
`,
  },
  {
    name: '0206-log-upgrade',
    sql: `
-- A log of 0.1 names users by their ids, wherever it is: until it is copied nothing may be recorded.
create table log_upgrade (
  one  boolean primary key default true check (one),
  done boolean not null
);
insert into log_upgrade (done) select not exists (select from publications);
`,
  },
  {
    name: '0207-opened-imports',
    sql: `
-- Who opened the import, when, and behind which record; unknown of one that is open already.
alter table imports
  add column opened_at timestamptz(3),
  add column position  bigint,
  add column opened_by text collate "C",
  add column reason    text;
`,
  },
  {
    name: '0208-kept-erasures',
    sql: `
-- Erasures of a log in EventStoreDB: an append to it cannot delete the user's row in subjects. The statement that does enters the erasure; the
-- event follows, and position says where it is. Empty if the log is in Postgres.
create table erasures (
  number                bigint primary key,
  account               text collate "C" not null,
  subject               bigint not null,
  event_id              uuid not null unique,
  configuration_version integer not null,
  schema_version        smallint not null,
  at                    timestamptz(3) not null,
  data                  jsonb not null,
  position              bigint,
  unique (account, subject)
);
create index erasures_unrecorded on erasures (number) where position is null;
`,
  },
  {
    name: '0212-outgoing-imports',
    sql: `
-- Whether it was opened so that its events make outcomes.
alter table imports add column outgoing boolean not null default false;
`,
  },
  {
    name: '0216-condition-hashes',
    sql: `
-- The hashes of the attributes that the document's conditions name; null if it has none.
alter table publications add column attribute_hashes jsonb;
`,
  },
];
