import { formatAmount, parseAmount } from '@laurel/amounts';
import type { DatedChanges, DateRange, LocalDate } from '@laurel/calendar';
import type { AreaTable, Row, SqlReader, Subject } from '@laurel/contracts';

/** Changes by day of the month, `1` to `31`, as decimals. */
type Days = Readonly<Record<string, string>>;

/**
 * What a user's metric changed by on each date of their clock: a row for each month that has a change, so that a summary reads few
 * rows however often the user was active. A late import just adds to its date. `trim_scale`: without it 0.5 + 0.5 is 1.0 if it is
 * added up here and 1 if it came in one batch, and a digest of the table would tell batches apart.
 */
export const METRIC_MONTHS: AreaTable = {
  name: 'metric_months',
  onConflict: `on conflict (account, subject, metric, month) do update set days = metric_months.days || (
      select jsonb_object_agg(day, trim_scale(change::numeric + coalesce(metric_months.days ->> day, '0')::numeric)::text)
      from jsonb_each_text(excluded.days) as added (day, change)
    )`,
  merge: {
    keyOf: ({ account, subject, metric, month }) =>
      `${String(account)}\0${String(subject)}\0${String(metric)}\0${String(month)}`,
    combine: (earlier, later) => ({ ...later, days: summed(daysOf(earlier), daysOf(later)) }),
  },
  digest: `
    select row(account, subject, metric, month + (day::integer - 1), change::numeric)::text as value
    from metric_months cross join jsonb_each_text(days) as changes (day, change)
    where account = $1`,
};

/** The row of one change. */
export function monthRow(key: Pick<Row, 'account' | 'subject' | 'metric'>, date: LocalDate, change: string): Row {
  return { ...key, month: `${date.slice(0, -2)}01`, days: { [Number(date.slice(-2))]: change } };
}

const daysOf = (row: Row) => row['days'] as Days;

function summed(earlier: Days, later: Days): Days {
  const sums = Object.entries(later).map(([day, change]) => [day, sumOf(earlier[day] ?? '0', change)]);
  return { ...earlier, ...Object.fromEntries(sums) };
}

const sumOf = (one: string, other: string) => formatAmount(parseAmount(one) + parseAmount(other));

interface ChangeRow {
  /** null: all dates before the range. */
  readonly date: LocalDate | null;
  readonly change: string;
}

const CHANGES = `
  select changes.date::text as date, changes.change
  from (
    select case when date >= $4::date then date end as date, sum(change::numeric) as change
    from metric_months
    cross join jsonb_each_text(days) as added (day, change)
    cross join lateral (select month + (day::integer - 1) as date) dated
    where account = $1 and subject = $2 and metric = $3 and month <= $5::date and date <= $5::date
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
