import { formatAmount, parseAmount } from '@laurel/amounts';
import type { DatedChanges, DateRange, LocalDate } from '@laurel/calendar';
import { mergedRows, type AreaTable, type Row, type RowMerge, type SqlReader } from './area.ts';
import type { Subject } from './subject.ts';

/** One of a user's totals. */
export interface TotalKey {
  readonly subject: Subject;
  /** Of the metric or the points system. */
  readonly number: number;
}

/** What a total changed by on a date. */
export interface DatedChange extends TotalKey {
  readonly date: LocalDate;
  /** A decimal. */
  readonly change: string;
}

/** Changes by day of the month, `1` to `31`, as decimals. */
type Days = Readonly<Record<string, string>>;

interface ChangeRow {
  /** null: all dates before the range. */
  readonly date: LocalDate | null;
  readonly change: string;
}

/**
 * A table of what users' totals changed by on each date of their clock: a row for each month that has a change, so that a summary
 * reads few rows however often the user was active. A late import just adds to its date.
 */
export class MonthlyChanges {
  readonly table: AreaTable;
  readonly #column: string;
  readonly #merge: RowMerge;
  readonly #changes: string;

  /** @param column says which total of the user it is, by its number among those of `kind` */
  constructor(name: string, column: string, kind: 'metrics' | 'systems') {
    this.#column = column;
    this.#merge = {
      keyOf: (row) => [row['subject'], row[column], row['month']].join('\0'),
      combine: (earlier, later) => ({ ...later, days: summed(daysOf(earlier), daysOf(later)) }),
    };
    this.table = {
      name,
      // `trim_scale`: without it 0.5 + 0.5 is 1.0 if it is added up here and 1 if it came in one batch. Likewise the spaces of jsonb.
      onConflict: `on conflict (subject, ${column}, month) do update set days = replace((${name}.days::jsonb || (
          select jsonb_object_agg(day, trim_scale(change::numeric + coalesce(${name}.days ->> day, '0')::numeric)::text)
          from json_each_text(excluded.days) as added (day, change)
        ))::text, ' ', '')::json`,
      merge: this.#merge,
      digest: (sql) => `
        select row($1::text, user_id, ${sql.name(kind, `t.${column}`)}, month + (day::integer - 1), change::numeric)::text as value
        from ${name} t cross join json_each_text(days) as changes (day, change) ${sql.ofUsers}`,
    };
    this.#changes = `
      select changes.date::text as date, changes.change
      from (
        select case when date >= $3::date then date end as date, sum(change::numeric) as change
        from ${name}
        cross join json_each_text(days) as added (day, change)
        cross join lateral (select month + (day::integer - 1) as date) dated
        where subject = $1 and ${column} = $2 and month <= $4::date and date <= $4::date
        group by 1
      ) changes`;
  }

  /** The rows of one event's changes, one for each total and month. */
  rows(changes: readonly DatedChange[]): readonly Row[] {
    const dated = changes.map(({ subject, number, date, change }) => ({
      ...{ subject, month: `${date.slice(0, -2)}01`, [this.#column]: number },
      days: { [Number(date.slice(-2))]: change },
    }));
    return mergedRows(this.#merge, dated);
  }

  /** How a total changed around a range of dates. @param parse reads a decimal */
  async read(
    sql: SqlReader,
    { subject, number }: TotalKey,
    range: DateRange,
    parse: (decimal: string) => bigint,
  ): Promise<DatedChanges> {
    const rows = await sql.query<ChangeRow>(this.#changes, [subject, number, range.from, range.to]);
    const byDate = new Map<LocalDate, bigint>();
    let before = 0n;
    for (const { date, change } of rows) {
      if (date === null) before = parse(change);
      else byDate.set(date, parse(change));
    }
    return { before, byDate };
  }
}

const daysOf = (row: Row) => row['days'] as Days;

function summed(earlier: Days, later: Days): Days {
  const sums = Object.entries(later).map(([day, change]) => [day, sumOf(earlier[day] ?? '0', change)]);
  return { ...earlier, ...Object.fromEntries(sums) };
}

const sumOf = (one: string, other: string) => formatAmount(parseAmount(one) + parseAmount(other));
