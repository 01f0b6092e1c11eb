import type { Migration } from '@laurel/kernel';

/**
 * `board_standings`: each user's value in every run. `rank_changes`: a row for each change of a user's own value. One
 * index of each table serves all reads of a user; a second one would make every event more expensive.
 */
export const leaderboardsMigrations: readonly Migration[] = [
  {
    name: '5001-leaderboards',
    sql: `
create table board_standings (
  account text collate "C" not null,
  board text collate "C" not null,
  run_start date not null,
  user_id text collate "C" not null,
  value numeric not null,
  reached_at timestamptz not null,
  reached_position bigint not null,
  reached_ordinal integer not null,
  primary key (account, board, run_start, user_id)
);

create table board_rank_changes (
  account text collate "C" not null,
  board text collate "C" not null,
  run_start date not null,
  user_id text collate "C" not null,
  position bigint not null,
  ordinal integer not null,
  "timestamp" timestamptz not null,
  previous_rank integer,
  rank integer,
  previous_value numeric,
  value numeric not null,
  primary key (account, board, run_start, user_id, position, ordinal)
);`,
  },
  {
    name: '5002-subjects',
    sql: `
-- Made anew from the log, by subject.
drop table board_standings, board_rank_changes;

create table board_standings (
  account text collate "C" not null,
  board text collate "C" not null,
  run_start date not null,
  subject bigint not null,
  value numeric not null,
  reached_at timestamptz not null,
  reached_position bigint not null,
  reached_ordinal integer not null,
  primary key (account, board, run_start, subject)
);

create table board_rank_changes (
  account text collate "C" not null,
  board text collate "C" not null,
  run_start date not null,
  subject bigint not null,
  position bigint not null,
  ordinal integer not null,
  "timestamp" timestamptz not null,
  previous_rank integer,
  rank integer,
  previous_value numeric,
  value numeric not null,
  primary key (account, board, run_start, subject, position, ordinal)
);
`,
  },
  {
    name: '5003-narrow-keys',
    sql: `
-- Made anew from the log: boards are stored by their numbers, and the account of a rank change follows from the subject.
drop table board_standings, board_rank_changes;

create table board_standings (
  account          text collate "C" not null,
  subject          bigint not null,
  reached_at       timestamptz(3) not null,
  reached_position bigint not null,
  run_start        date not null,
  reached_ordinal  integer not null,
  board            smallint not null,
  value            numeric not null,
  primary key (account, board, run_start, subject)
);

-- Columns in the order in which no gaps come between them. Without nulls: a rank is 0 where the user is not ranked.
create table rank_changes (
  subject       bigint not null,
  position      bigint not null,
  "timestamp"   timestamptz(3) not null,
  run_start     date not null,
  previous_rank integer not null,
  rank          integer not null,
  ordinal       integer not null,
  board         smallint not null,
  value         numeric not null
);

-- A user's history in a run. By stretches of 1,024 positions, as changes that follow each other then share one entry: it takes a third
-- of what an entry for each position takes.
create index rank_changes_run on rank_changes (subject, board, run_start, (position >> 10));

-- A run in order of position, stretch by stretch: rows come in that order, so a summary of each 32 pages finds them.
create index rank_changes_position on rank_changes using brin (position) with (pages_per_range = 32, autosummarize = on);
`,
  },
  {
    name: '5004-run-counts',
    sql: `
-- How many users have a value above 0 in each run: nobody counts a million standings for a list of runs.
create table board_run_counts (
  account      text collate "C" not null,
  board        smallint not null,
  run_start    date not null,
  partition    integer not null,
  participants bigint not null,
  primary key (account, board, run_start, partition)
) with (fillfactor = 50);

insert into board_run_counts
select account, board, run_start, 0, count(*) from board_standings where value > 0 group by account, board, run_start;
`,
  },
  {
    name: '5005-run-tops',
    sql: `
-- Of each event that moved somebody among the first of a run, while that is made known: those first and the next one after it, as pairs
-- of subject and value, best first.
create table run_tops (
  subject   bigint not null,
  position  bigint not null,
  run_start date not null,
  board     smallint not null,
  top       jsonb not null,
  primary key (subject, position, board, run_start)
);
`,
  },
  {
    name: '5006-run-tops-position',
    sql: `
-- What was made known goes, by position.
create index run_tops_position on run_tops (position);
`,
  },
  {
    name: '5007-participants-of-rank-changes',
    sql: `
-- How many users had a value above 0 in the run directly after the change; null: stored before they were counted.
alter table rank_changes add column participants integer;
`,
  },
  {
    name: '5008-final-run-changes',
    sql: `
-- The newest change of each run that was recorded when the run was final. In milliseconds since 1970.
create table final_run_changes (
  account    text collate "C" not null,
  board      smallint not null,
  run_start  date not null,
  changed_at bigint not null,
  primary key (account, board, run_start)
) with (fillfactor = 50);
`,
  },
];
