import type { Migration } from '@laurel/kernel';

/** Belongs to the schema of the event store, because the log is of little use without the directory. */
export const directoryMigrations: readonly Migration[] = [
  {
    name: '0301-subjects',
    sql: `
-- Which user a subject stands for. Nothing else holds the ids of users.
create table subjects (
  account  text collate "C" not null,
  subject  bigint not null check (subject > 0 and subject < 4503599627370496),
  user_id  text collate "C" not null,
  data_key bytea not null,
  primary key (account, subject),
  unique (account, user_id)
);
`,
  },
  {
    name: '0302-attribute-keys',
    sql: `
-- The secret under which the attributes of an account's events and users are hashed in the log. Losing it loses no number that is
-- recorded, but attributes that are recorded later no longer match those of earlier records.
create table attribute_keys (
  account text collate "C" primary key,
  secret  bytea not null
);
`,
  },
];
