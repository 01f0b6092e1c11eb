import type { Migration } from '@laurel/kernel';
import { effectsMigration } from '@laurel/ports';
import { statesBySubject } from '../storage/postgres-tables.ts';

/**
 * The tables that the engine of a service needs in the service's schema. @param columns one for each user area of the
 * service
 */
export const chainServiceMigrations = (columns: readonly string[]): readonly Migration[] => [
  {
    name: '0201-chain-service',
    sql: `${OF_EVERY_SERVICE}${columns.length === 0 ? '' : userStates(columns)}`,
  },
  ...(columns.length === 0 ? [] : [DUE_ORDER]),
  {
    name: '0204-subjects',
    sql: `
-- Users are named by subjects from here on, in topics of their own: everything is made again from the beginning of these.
truncate input_partitions, area_versions, publications;
${columns.length === 0 ? '' : STATES_BY_SUBJECT}`,
  },
  ...(columns.length === 0 ? [] : [{ ...effectsMigration, name: '0205-effects' }]),
  {
    name: '0206-revisions',
    sql: `
-- Every commit draws its own: by it, and not by all sequences, a checkpoint is known again.
alter table input_partitions add column revision text not null default '';
`,
  },
  {
    name: '0207-publications',
    sql: `
-- The documents are read from the table of the ingestion gateways.
drop table publications;
`,
  },
  {
    name: '0208-steps',
    sql: `
-- The areas that are applied in one step with this one, in the order of the chain; null: those of its service. And whether the
-- input of the area's service lacks records that were applied when there was no such topic.
alter table area_versions add column step text collate "C", add column input_gap boolean not null default false;
`,
  },
  ...(columns.length === 0 ? [] : [statesBySubject('0209-states-by-subject')]),
];

const OF_EVERY_SERVICE = `
-- How far the service is in each partition of its input: what was received of each source, and what was sent to each target.
create table input_partitions (
  partition   integer primary key,
  next_offset bigint not null default 0,
  position    bigint not null default 0,
  generation  bigint not null default 0,
  received    jsonb not null default '{}',
  sent        jsonb not null default '{}',
  failure     jsonb
) with (fillfactor = 50);

-- The version of the form in which each area's state and tables are stored.
create table area_versions (
  area          text collate "C" primary key,
  state_version integer not null
);

create table publications (
  account      text collate "C" not null,
  version      integer not null,
  document     jsonb not null,
  published_at timestamptz(3) not null,
  primary key (account, version, published_at)
);
`;

/** Many fall due at one midnight: a step of the sweep begins behind the last user of the step before. */
const DUE_ORDER: Migration = {
  name: '0202-due-order',
  sql: `
drop index user_states_due;
create index user_states_due on user_states (account, due_at, user_id) where due_at is not null;
`,
};

const STATES_BY_SUBJECT = `
truncate user_states, due_reviews;
drop index user_states_due;
alter table user_states drop constraint user_states_pkey;
alter table user_states drop column user_id;
alter table user_states add column subject bigint not null;
alter table user_states add primary key (account, subject);
create index user_states_due on user_states (account, due_at, subject) where due_at is not null;
`;

const userStates = (columns: readonly string[]): string => `
-- One row per user, one column per area of this service; only what the next event needs.
create table user_states (
  account   text collate "C" not null,
  user_id   text collate "C" not null,
  partition integer not null,
  ${columns.map((name) => `${name} jsonb,`).join('\n  ')}
  due_at    timestamptz(3),
  primary key (account, user_id)
) with (fillfactor = 70);

-- Users for whom something falls due by itself, for the sweep.
create index user_states_due on user_states (account, due_at) where due_at is not null;

-- The configuration version for which the due instants of a partition's users were last worked out anew.
create table due_reviews (
  account   text collate "C" not null,
  partition integer not null,
  version   integer not null,
  primary key (account, partition)
);
`;
