import type { Migration } from '@laurel/kernel';

export const achievementsMigrations: readonly Migration[] = [
  {
    name: '3001-achievements',
    sql: `
create table achievement_completions (
  account     text collate "C" not null,
  user_id     text collate "C" not null,
  achievement text collate "C" not null,
  achieved_at timestamptz(3) not null,
  position    bigint not null,
  primary key (account, user_id, achievement)
);

create table achievement_counts (
  account     text collate "C" not null,
  achievement text collate "C" not null,
  partition   integer not null,
  completions bigint not null,
  primary key (account, achievement, partition)
) with (fillfactor = 50);
`,
  },
  {
    name: '3002-subjects',
    sql: `
-- Made anew from the log, by subject.
drop table achievement_completions;
delete from achievement_counts;

create table achievement_completions (
  account     text collate "C" not null,
  subject     bigint not null,
  achievement text collate "C" not null,
  achieved_at timestamptz(3) not null,
  position    bigint not null,
  primary key (account, subject, achievement)
);
`,
  },
  {
    name: '3003-narrow-keys',
    sql: `
-- Made anew from the log: the account follows from the subject, and achievements are stored by their numbers.
drop table achievement_completions;

create table achievement_completions (
  subject     bigint not null,
  position    bigint not null,
  achieved_at timestamptz(3) not null,
  achievement integer not null,
  primary key (subject, achievement)
);
`,
  },
  {
    name: '3004-newest-completions',
    sql: `
-- Who completed an achievement, newest first.
create index achievement_completions_newest on achievement_completions (achievement, achieved_at, subject);
`,
  },
  {
    name: '3005-completions-taken-back',
    sql: `
-- null: it was taken back by the event at the position.
alter table achievement_completions alter column achieved_at drop not null;
`,
  },
];
