import type { Migration } from '@laurel/kernel';

/** The table of owners, for the schema of each service whose partitions are called. */
export const partitionOwnersMigrations: readonly Migration[] = [
  {
    name: '0301-partition-owners',
    sql: `
-- Which instance works on a partition. The epoch counts how often it was taken over.
create table partition_owners (
  topic     text collate "C" not null,
  partition integer not null,
  address   text not null,
  epoch     bigint not null,
  primary key (topic, partition)
) with (fillfactor = 50);
`,
  },
];
