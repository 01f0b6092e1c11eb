import { parseAmount } from '@laurel/amounts';
import type { DateRange } from '@laurel/calendar';
import type { SqlReader } from '@laurel/kernel';
import { counterTable, readDays, type MetricDayCounts, type UserDayCounts } from '@laurel/ports';

/** The events and total of a metric on each day, by the date of each event on its user's clock. */
export const METRIC_DAY_COUNTS = counterTable({
  name: 'metric_day_counts',
  key: ['account', 'metric', 'date'],
  counts: ['events'],
  sums: ['total'],
});

/** New and active users of each day, by the date on the user's clock. */
export const USER_DAY_COUNTS = counterTable({
  name: 'user_day_counts',
  key: ['account', 'date'],
  counts: ['new_users', 'active_users'],
});

export async function metricDayCounts(
  sql: SqlReader,
  account: string,
  metrics: readonly string[],
  range: DateRange,
): Promise<readonly MetricDayCounts[]> {
  const of = { key: 'metric', values: metrics } as const;
  const columns = ['events', 'total'] as const;
  const days = await readDays(sql, { table: METRIC_DAY_COUNTS.name, account, of, columns, range });
  return days.map(({ metric, date, events, total }) => ({
    metric,
    date,
    events: Number(events),
    total: parseAmount(total),
  }));
}

export async function userDayCounts(
  sql: SqlReader,
  account: string,
  range: DateRange,
): Promise<readonly UserDayCounts[]> {
  const columns = ['new_users', 'active_users'] as const;
  const days = await readDays(sql, { table: USER_DAY_COUNTS.name, account, of: null, columns, range });
  return days.map((day) => ({
    date: day.date,
    newUsers: Number(day.new_users),
    activeUsers: Number(day.active_users),
  }));
}
