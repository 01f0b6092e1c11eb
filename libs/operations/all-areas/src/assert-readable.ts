import type { AreaName, SqlReader } from '@laurel/kernel';
import { leaderboardReadableRows } from '@laurel/leaderboards';
import { USER_AREAS } from './user-areas.ts';

const AREAS: readonly { readonly name: AreaName; readonly readableRows: readonly string[] }[] = [
  ...USER_AREAS,
  { name: 'leaderboards', readableRows: leaderboardReadableRows },
];

const DATE = /^\d{4}-\d{2}-\d{2}$/;

interface Row {
  readonly date?: unknown;
  readonly instant?: unknown;
}

/**
 * Reads stored rows of each area, if it has any.
 * @param sqlOf where the tables of an area are
 * @throws Error if they cannot be read, or what is read is not what answers are made of
 */
export async function assertReadable(sqlOf: (area: AreaName) => SqlReader): Promise<void> {
  for (const { name, readableRows } of AREAS)
    for (const statement of readableRows)
      for (const { date = null, instant = null } of await sqlOf(name).query<Row>(statement, []))
        if (!isDate(date) || !isInstant(instant)) throw new Error(`a stored row of ${name} cannot be read`);
}

const isDate = (value: unknown): boolean => value === null || (typeof value === 'string' && DATE.test(value));

const isInstant = (value: unknown): boolean =>
  value === null || (value instanceof Date && !Number.isNaN(value.getTime()));
