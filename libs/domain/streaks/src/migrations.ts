import type { Migration } from '@laurel/kernel';

export const streaksMigrations: readonly Migration[] = [
  {
    name: '2001-streak-periods',
    sql: `
      create table streak_periods (
        account      text collate "C" not null,
        user_id      text collate "C" not null,
        generation   integer          not null,
        period_start date             not null,
        length       integer          not null,
        used_freeze  boolean          not null,
        primary key (account, user_id, generation, period_start)
      )`,
  },
  {
    name: '2002-subjects',
    sql: `
-- Made anew from the log, by subject.
drop table streak_periods;

create table streak_periods (
  account      text collate "C" not null,
  subject      bigint           not null,
  generation   integer          not null,
  period_start date             not null,
  length       integer          not null,
  used_freeze  boolean          not null,
  primary key (account, subject, generation, period_start)
);
`,
  },
  {
    // Counts of earlier lengths and ends need a rebuild.
    name: '2002-streak-length-counts',
    sql: `
      create table streak_length_counts (
        account    text collate "C" not null,
        generation integer not null,
        length     integer not null,
        partition  integer not null,
        reached    bigint  not null,
        ended      bigint  not null,
        primary key (account, generation, length, partition)
      ) with (fillfactor = 50)`,
  },
  {
    name: '2003-narrow-keys',
    sql: `
-- Made anew from the log: the account follows from the subject.
drop table streak_periods;

create table streak_periods (
  subject      bigint  not null,
  generation   integer not null,
  period_start date    not null,
  length       integer not null,
  used_freeze  boolean not null,
  primary key (subject, generation, period_start)
);
`,
  },
  {
    // The new column is filled by the rebuild that the raised state version requires.
    name: '2004-periods-passed-over',
    sql: 'alter table streak_periods add column passed_over text',
  },
];
