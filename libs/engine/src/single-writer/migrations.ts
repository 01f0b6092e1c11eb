import type { Migration } from '@laurel/kernel';
import { effectsMigration } from '@laurel/ports';
import { statesBySubject } from '../storage/postgres-tables.ts';

export const projectionMigrations: readonly Migration[] = [
  {
    name: '0101-projections',
    sql: `
-- One row per user, one column per area; an area reads and writes only its own column. The column holds only what the
-- next event needs. Room on the page keeps updates in place (the one index on a column that changes is on due_at, which few events move).
create table user_states (
  account      text collate "C" not null,
  user_id      text collate "C" not null,
  users        jsonb,
  streaks      jsonb,
  achievements jsonb,
  points       jsonb,
  due_at       timestamptz(3),
  primary key (account, user_id)
) with (fillfactor = 70);

-- Users for whom something falls due by itself, for the sweep.
create index user_states_due on user_states (account, due_at) where due_at is not null;

create table area_checkpoints (
  area          text collate "C" primary key,
  position      bigint not null,
  state_version integer not null,
  failure       text
) with (fillfactor = 50);

-- What waits for an area that has stopped: the messages that it has not seen, in their order.
create table area_inbox (
  area     text collate "C" not null,
  sequence bigint not null,
  message  text not null,
  primary key (area, sequence)
);
`,
  },
  {
    name: '0102-due-marks',
    sql: `
-- The configuration version for which everybody's due_at was last reset.
create table due_marks (
  account               text collate "C" primary key,
  configuration_version integer not null
);
`,
  },
  {
    name: '0103-due-order',
    sql: `
-- Many fall due at one midnight: a step of the sweep begins behind the last user of the step before.
drop index user_states_due;
create index user_states_due on user_states (account, due_at, user_id) where due_at is not null;
`,
  },
  {
    name: '0104-subjects',
    sql: `
-- Made anew from the log, by subject.
drop table user_states;
delete from area_checkpoints;
delete from area_inbox;
delete from due_marks;

create table user_states (
  account      text collate "C" not null,
  subject      bigint not null,
  users        jsonb,
  streaks      jsonb,
  achievements jsonb,
  points       jsonb,
  due_at       timestamptz(3),
  primary key (account, subject)
) with (fillfactor = 70);

-- Users for whom something falls due by itself, for the sweep: a step of it begins behind the last user of the step before.
create index user_states_due on user_states (account, due_at, subject) where due_at is not null;
`,
  },
  effectsMigration,
  statesBySubject('0106-states-by-subject'),
];
