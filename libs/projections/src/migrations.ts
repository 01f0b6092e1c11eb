import type { Migration } from '@laurel/contracts';

export const projectionMigrations: readonly Migration[] = [
  {
    name: '0101-projections',
    sql: `
-- One row per user, one column per area; an area reads and writes only its own column. The column holds only what the
-- next event needs. Room on the page keeps updates in place (no index but the primary key, so they are HOT).
create table user_states (
  account      text collate "C" not null,
  user_id      text collate "C" not null,
  users        jsonb,
  streaks      jsonb,
  achievements jsonb,
  points       jsonb,
  primary key (account, user_id)
) with (fillfactor = 70);

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
];
