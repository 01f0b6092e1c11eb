import type { Migration } from '@laurel/kernel';

export const usersMigrations: readonly Migration[] = [
  {
    name: '1001-users',
    sql: `
create table user_counts (
  account   text collate "C" not null,
  partition integer not null,
  users     bigint not null,
  primary key (account, partition)
) with (fillfactor = 50);

create table user_zones (
  account  text collate "C" not null,
  user_id  text collate "C" not null,
  position bigint not null,
  zone     text collate "C" not null,
  primary key (account, user_id, position)
);
`,
  },
  {
    // Older databases need a rebuild, because the table lacks earlier events.
    name: '1002-metric-days',
    sql: `
create table metric_days (
  account text collate "C" not null,
  user_id text collate "C" not null,
  metric  text collate "C" not null,
  date    date not null,
  change  numeric not null,
  primary key (account, user_id, metric, date)
) with (fillfactor = 80);
`,
  },
  {
    name: '1003-subjects',
    sql: `
-- Made anew from the log, by subject.
drop table user_zones, metric_days;
delete from user_counts;

create table user_zones (
  account  text collate "C" not null,
  subject  bigint not null,
  position bigint not null,
  zone     text collate "C" not null,
  primary key (account, subject, position)
);

create table metric_days (
  account text collate "C" not null,
  subject bigint not null,
  metric  text collate "C" not null,
  date    date not null,
  change  numeric not null,
  primary key (account, subject, metric, date)
) with (fillfactor = 80);
`,
  },
  {
    // Counters of past days need a rebuild. Every batch updates the rows of the present day; free space on the pages
    // allows updates in place.
    name: '1003-day-counts',
    sql: `
create table metric_day_counts (
  account   text collate "C" not null,
  metric    text collate "C" not null,
  date      date not null,
  partition integer not null,
  events    bigint not null,
  total     numeric not null,
  primary key (account, metric, date, partition)
) with (fillfactor = 80);

create table user_day_counts (
  account      text collate "C" not null,
  date         date not null,
  partition    integer not null,
  new_users    bigint not null,
  active_users bigint not null,
  primary key (account, date, partition)
) with (fillfactor = 80);
`,
  },
  {
    name: '1004-narrow-keys',
    sql: `
-- Made anew from the log: the account follows from the subject, what has a name is stored by its number, and days by months.
drop table user_zones, metric_days;

create table user_zones (
  subject  bigint not null,
  position bigint not null,
  zone     text collate "C" not null,
  primary key (subject, position)
);

-- Rows are updated while a month lasts: room on the page keeps them in place.
create table metric_months (
  subject bigint not null,
  month   date not null,
  metric  integer not null,
  days    json not null,
  primary key (subject, metric, month)
) with (fillfactor = 80);
`,
  },
];
