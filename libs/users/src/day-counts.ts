import { parseAmount } from '@laurel/amounts';
import type { DateRange, LocalDate } from '@laurel/calendar';
import { counterTable, type MetricDayCounts, type SqlReader, type UserDayCounts } from '@laurel/contracts';

/** What each day brought of a metric, by the date of each event on its user's clock. */
export const METRIC_DAY_COUNTS = counterTable({
  name: 'metric_day_counts',
  key: ['account', 'metric', 'date'],
  counts: ['events'],
  sums: ['total'],
});

/** Users who were new on a day, and those who became active on it, by the date on the user's clock. */
export const USER_DAY_COUNTS = counterTable({
  name: 'user_day_counts',
  key: ['account', 'date'],
  counts: ['new_users', 'active_users'],
});

export async function metricDayCounts(
  sql: SqlReader,
  account: string,
  metric: string,
  { from, to }: DateRange,
): Promise<readonly MetricDayCounts[]> {
  const rows = await sql.query<{ date: LocalDate; events: string; total: string }>(
    `select date::text as date, sum(events) as events, sum(total) as total from metric_day_counts
      where account = $1 and metric = $2 and date between $3 and $4
      group by metric_day_counts.date order by metric_day_counts.date`,
    [account, metric, from, to],
  );
  return rows.map(({ date, events, total }) => ({ date, events: Number(events), total: parseAmount(total) }));
}

export async function userDayCounts(
  sql: SqlReader,
  account: string,
  { from, to }: DateRange,
): Promise<readonly UserDayCounts[]> {
  const rows = await sql.query<{ date: LocalDate; new_users: string; active_users: string }>(
    `select date::text as date, sum(new_users) as new_users, sum(active_users) as active_users from user_day_counts
      where account = $1 and date between $2 and $3
      group by user_day_counts.date order by user_day_counts.date`,
    [account, from, to],
  );
  return rows.map((row) => ({
    date: row.date,
    newUsers: Number(row.new_users),
    activeUsers: Number(row.active_users),
  }));
}
