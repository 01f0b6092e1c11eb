import { MIGRATIONS } from '@laurel/all-areas';
import { dataSourceOf, migrate, type ConnectionOptions } from '@laurel/database';
import type { Migration, SqlReader } from '@laurel/kernel';

/** A record as release 0.1 stored it. */
export interface OldRecord {
  readonly position: number;
  readonly type: string;
  readonly data: object;
  readonly user?: string;
  readonly key?: string;
}

const numberOf = ({ name }: Migration): number => Number.parseInt(name, 10);

/** Creates the schema of release 0.1 in an empty database. */
export async function createOldSchema(connection: ConnectionOptions): Promise<void> {
  // Leaves out the migration to subjects, and later ones in the same hundred of numbers.
  const subjects = MIGRATIONS.filter(({ name }) => name.endsWith('-subjects')).map(numberOf);
  const hundredOf = (number: number) => Math.floor(number / 100);
  const isOlder = (migration: Migration) => {
    const number = numberOf(migration);
    return subjects.every((from) => hundredOf(from) !== hundredOf(number) || number < from);
  };
  const dataSource = await dataSourceOf(connection, MIGRATIONS.filter(isOlder)).initialize();
  await migrate(dataSource, connection);
  await dataSource.destroy();
}

/**
 * Inserts a record. Metric events are of the metric `lessons`. The instants are 2026-03-05 12:00 UTC plus one second
 * per position.
 */
export const insertOldRecord = (sql: SqlReader, { position, type, data, user, key }: OldRecord): Promise<unknown> =>
  sql.query(
    `insert into events values ($1, 'default', md5('record ' || $1::bigint)::uuid, $2, 1, 1, $3, $4, $5,
       timestamptz '2026-03-05T12:00:00Z' + $1 * interval '1 second', timestamptz '2026-03-05T12:00:00Z' + $1 * interval '1 second', $6)`,
    [
      position,
      type,
      user ?? null,
      type === 'MetricEventRecorded' ? 'lessons' : null,
      key ?? null,
      JSON.stringify(data),
    ],
  );
