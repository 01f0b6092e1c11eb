import type { AreaName, SqlReader } from '@laurel/kernel';

/**
 * Rows of each area with their dates and instants, read as answers read them: dates as text, instants by the driver. Each is the first by
 * an index: a scan would read what was deleted before it comes to a row.
 */
const ROWS: Readonly<Record<AreaName, readonly string[]>> = {
  users: [
    'select month::text as date from metric_months order by subject limit 1',
    'select due_at as instant from user_states order by account limit 1',
  ],
  streaks: ['select period_start::text as date from streak_periods order by subject limit 1'],
  achievements: ['select achieved_at as instant from achievement_completions order by subject limit 1'],
  points: [
    'select month::text as date from points_months order by subject limit 1',
    'select reached_at as instant from points_levels order by subject limit 1',
  ],
  leaderboards: [
    'select run_start::text as date, reached_at as instant from board_standings order by account limit 1',
    'select run_start::text as date, "timestamp" as instant from rank_changes order by subject limit 1',
  ],
};

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
  for (const area of Object.keys(ROWS) as AreaName[])
    for (const statement of ROWS[area])
      for (const { date = null, instant = null } of await sqlOf(area).query<Row>(statement, []))
        if (!isDate(date) || !isInstant(instant)) throw new Error(`a stored row of ${area} cannot be read`);
}

const isDate = (value: unknown): boolean => value === null || (typeof value === 'string' && DATE.test(value));

const isInstant = (value: unknown): boolean =>
  value === null || (value instanceof Date && !Number.isNaN(value.getTime()));
