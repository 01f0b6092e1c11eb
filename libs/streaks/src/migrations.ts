import type { Migration } from '@laurel/contracts';

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
];
