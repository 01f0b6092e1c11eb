import { formatAmount, parseAmount } from '@laurel/amounts';
import type { DatedChanges, DateRange, LocalDate } from '@laurel/calendar';
import type { AreaTable, Row, SqlReader, Subject } from '@laurel/contracts';

/**
 * What a user's metric changed by on each date of their clock. Values are added as they come, so a late import just adds to
 * its date. `trim_scale`: without it 0.5 + 0.5 is 1.0 if it is added up here and 1 if it came in one batch, and a digest of
 * the table would tell batches apart.
 */
export const METRIC_DAYS: AreaTable = {
  name: 'metric_days',
  onConflict: `on conflict (account, subject, metric, date) do update
    set change = trim_scale(metric_days.change + excluded.change)`,
  merge: {
    keyOf: ({ account, subject, metric, date }) =>
      `${String(account)}\0${String(subject)}\0${String(metric)}\0${String(date)}`,
    combine: (earlier, later) => ({ ...later, change: formatAmount(changeOf(earlier) + changeOf(later)) }),
  },
};

const changeOf = (row: Row) => parseAmount(String(row['change']));

interface ChangeRow {
  /** null: all dates before the range. */
  readonly date: LocalDate | null;
  readonly change: string;
}

const CHANGES = `
  select changes.date::text as date, changes.change
  from (
    select case when date >= $4::date then date end as date, sum(change) as change
    from metric_days
    where account = $1 and subject = $2 and metric = $3 and date <= $5::date
    group by 1
  ) changes`;

/** How a user's metric changed around a range of dates. */
export async function metricChanges(
  sql: SqlReader,
  account: string,
  subject: Subject,
  metric: string,
  range: DateRange,
): Promise<DatedChanges> {
  const rows = await sql.query<ChangeRow>(CHANGES, [account, subject, metric, range.from, range.to]);
  const byDate = new Map<LocalDate, bigint>();
  let before = 0n;
  for (const { date, change } of rows) {
    if (date === null) before = parseAmount(change);
    else byDate.set(date, parseAmount(change));
  }
  return { before, byDate };
}
