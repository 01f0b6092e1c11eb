import type { Migration } from '@laurel/contracts';
import { configurationFilesMigrations } from '@laurel/database';
import { directoryMigrations } from '@laurel/directory';
import { eventStoreMigrations } from '@laurel/event-store';
import { relayMigrations } from '@laurel/engine';
import { partitionOwnersMigrations } from '../owners/index.ts';

/** What the ingestion gateways share: the log (unless EventStoreDB holds it), the directory of subjects, the relay's place, publications, imports. */
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
  // Which gateway publishes the log.
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
    name: '0212-outgoing-imports',
    sql: `
-- Whether it was opened so that its events make outcomes.
alter table imports add column outgoing boolean not null default false;
`,
  },
];
