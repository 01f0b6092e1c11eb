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
 * Reads some stored rows of each area.
 * @param sqlOf finds the reader for the tables of an area
 * @throws Error if a row cannot be read, or its dates and instants have another type than answers need
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
