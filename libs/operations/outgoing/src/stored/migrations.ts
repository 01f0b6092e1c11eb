import type { Migration, PersonalTable } from '@laurel/kernel';

/** These tables are not read models: a rebuild does not touch them. */
export const outgoingMigrations: readonly Migration[] = [
  {
    name: '6001-outcomes',
    sql: `
create table outcomes (
  account     text collate "C" not null,
  sequence    bigint not null,
  position    bigint not null,
  subject     bigint,
  occurred_at timestamptz(3) not null,
  written_at  timestamptz(3) not null,
  id          uuid not null,
  place       integer not null,
  ordinal     integer not null,
  type        text collate "C" not null,
  body        text not null,
  primary key (account, sequence)
);

-- For readers of some types, and for erasing.
create index outcomes_type on outcomes (account, type, sequence);
create index outcomes_subject on outcomes (subject) where subject is not null;

-- Up to which position of the log outcomes were made, the sequence assigned last, and up to which those were deleted for their age.
create table outcome_cursors (
  account    text collate "C" primary key,
  position   bigint not null,
  sequence   bigint not null,
  deleted_to bigint not null
) with (fillfactor = 50);
`,
  },
  {
    name: '6002-others',
    sql: `
-- Whom the body of an outcome names beside its user: it goes with any of them.
alter table outcomes add column others bigint[];
create index outcomes_others on outcomes using gin (others) where others is not null;
`,
  },
  {
    name: '6003-outcomes-vacuum',
    sql: `
-- Each row is written once, read about once and deleted. A vacuum for inserts alone would write every page a second time; only a reader
-- of several types that is far behind would gain by it. Deleted rows bring a vacuum as before.
alter table outcomes set (autovacuum_vacuum_insert_threshold = -1);
`,
  },
];

/** The `position` up to which outcomes were made, per account. */
export const OUTCOME_CURSORS = 'outcome_cursors';

/** The tables of {@link outgoingMigrations}. */
export const OUTGOING_TABLES: readonly string[] = ['outcomes', OUTCOME_CURSORS];

/**
 * Used where outcomes also go to a topic: the ids of outcomes that were deleted with an erased user, with their `account` and `subject`.
 */
export const ERASED_OUTCOMES = 'erased_outcomes';

/** Whether a row `t` of the outcomes belongs to one of these users or names one. @param subjects SQL for an array of subjects */
export const concerns = (subjects: string): string => `(t.subject = any(${subjects}) or t.others && ${subjects})`;

/** The tables whose rows are deleted with a user, and a condition for the rows `t` of some users. */
export const PERSONAL_OUTGOING_TABLES: readonly PersonalTable[] = [{ name: 'outcomes', concerns }];
