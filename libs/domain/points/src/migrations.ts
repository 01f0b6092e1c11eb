import type { Migration } from '@laurel/kernel';

export const pointsMigrations: readonly Migration[] = [
  {
    name: '4001-point-awards',
    sql: `
      create table point_awards (
        account text collate "C" not null,
        user_id text collate "C" not null,
        system text collate "C" not null,
        position bigint not null,
        ordinal integer not null,
        id uuid not null,
        trigger_id uuid not null,
        awarded numeric not null,
        total numeric not null,
        awarded_at timestamptz not null,
        date date not null,
        primary key (account, user_id, system, position, ordinal)
      )`,
  },
  {
    name: '4002-subjects',
    sql: `
-- Made anew from the log, by subject.
drop table point_awards;

-- No id: a due time award's follows from what it is and from the user's id, which is not here.
create table point_awards (
  account text collate "C" not null,
  subject bigint not null,
  system text collate "C" not null,
  position bigint not null,
  ordinal integer not null,
  id uuid,
  trigger_id uuid not null,
  awarded numeric not null,
  total numeric not null,
  awarded_at timestamptz not null,
  date date not null,
  primary key (account, subject, system, position, ordinal)
);
`,
  },
  {
    // Counts of earlier awards need a rebuild.
    name: '4002-point-day-counts',
    sql: `
      create table point_day_counts (
        account text collate "C" not null,
        system text collate "C" not null,
        date date not null,
        partition integer not null,
        awarded numeric not null,
        consumed numeric not null,
        primary key (account, system, date, partition)
      ) with (fillfactor = 80)`,
  },
  {
    // Counts of earlier totals need a rebuild.
    name: '4003-point-total-counts',
    sql: `
      create table point_total_counts (
        account text collate "C" not null,
        system text collate "C" not null,
        mark numeric not null,
        partition integer not null,
        users bigint not null,
        primary key (account, system, mark, partition)
      ) with (fillfactor = 80)`,
  },
  {
    name: '4004-months-and-effects',
    sql: `
-- Made anew from the log: awards are effects of their events.
drop table point_awards;

-- Rows are updated while a month lasts: room on the page keeps them in place.
create table points_months (
  subject bigint not null,
  month   date not null,
  system  integer not null,
  days    json not null,
  primary key (subject, system, month)
) with (fillfactor = 80);
`,
  },
  {
    name: '4005-levels',
    sql: `
-- Made anew from the log. null: below all levels.
create table points_levels (
  subject    bigint not null,
  position   bigint not null,
  reached_at timestamptz(3) not null,
  system     integer not null,
  level      text collate "C",
  primary key (subject, system)
);

-- Who is on a level, newest first.
create index points_levels_newest on points_levels (system, level, reached_at, subject);
`,
  },
];
