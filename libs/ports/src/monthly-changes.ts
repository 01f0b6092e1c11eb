import { add, formatMillionths, negate, type Exact } from '@laurel/amounts';
import { formatDay, periodStart, type DatedChanges, type DateRange, type Day, type LocalDate } from '@laurel/calendar';
import { mergedRows, type AreaTable, type Row, type SqlReader, type Subject } from '@laurel/kernel';

/** Identifies one of a user's totals. */
export interface TotalKey {
  readonly subject: Subject;
  /** The number of the metric or the points system. */
  readonly number: number;
}

/** The change of a total on a date. */
interface DatedChange extends TotalKey {
  readonly day: Day;
  /** In millionths. */
  readonly change: Exact;
}

/** The changes of one total in one month. */
interface MonthRow extends Row {
  readonly subject: Subject;
  /** The first day of the month. */
  readonly month: Day;
  /** Pairs: a day of the month, `1` to `31`, and the change on it in millionths. */
  readonly days: readonly Exact[];
}

export interface ChangeRow {
  /** null for all dates before the range. */
  readonly date: LocalDate | null;
  readonly change: string;
}

/**
 * A table of the changes of users' totals on each date of their clock. It has a row for each month with a change, so that a summary reads
 * few rows however often the user was active. A late import adds to its date.
 */
export class MonthlyChanges {
  readonly table: AreaTable;
  readonly #column: string;
  /** SQL that selects {@link ChangeRow}s: $1 the subject, $2 the number, $3 and $4 the first and the last date. */
  readonly changes: string;

  /** @param column holds the number of the metric or the points system */
  constructor(name: string, column: string, kind: 'metrics' | 'systems') {
    this.#column = column;
    this.table = {
      name,
      // Without `trim_scale`, 0.5 + 0.5 would be 1.0 if the database adds it, and 1 if a batch does. Spaces in jsonb
      // are removed for the same reason.
      onConflict: `on conflict (subject, ${column}, month) do update set days = replace((${name}.days::jsonb || (
          select jsonb_object_agg(day, trim_scale(change::numeric + coalesce(${name}.days ->> day, '0')::numeric)::text)
          from json_each_text(excluded.days) as added (day, change)
        ))::text, ' ', '')::json`,
      merge: {
        keyOf: (row) => `${row['subject'] as number} ${row[column] as number} ${row['month'] as number}`,
        combine: (earlier, later) => {
          const days = [...(earlier as MonthRow).days];
          addDays(days, (later as MonthRow).days);
          return { ...later, days };
        },
        absorb: (earlier, later) => addDays((earlier as MonthRow).days as Exact[], (later as MonthRow).days),
        bytesOf: (row) => (row as MonthRow).days.length * BYTES_OF_NUMBER,
      },
      negated: (row) => ({
        ...row,
        days: (row as MonthRow).days.map((number, place) => (place % 2 === 0 ? number : negate(number))),
      }),
      stored: (row) => ({
        ...row,
        month: formatDay((row as MonthRow).month),
        days: decimalsOf((row as MonthRow).days),
      }),
      digest: (sql) => `
        select row($1::text, user_id, ${sql.name(kind, `t.${column}`)}, month + (day::integer - 1), change::numeric)::text as value
        from ${name} t cross join json_each_text(days) as changes (day, change) ${sql.ofUsers}`,
    };
    this.changes = `
      select changes.date::text as date, changes.change::text as change
      from (
        select case when date >= $3::date then date end as date, sum(change::numeric) as change
        from ${name}
        cross join json_each_text(days) as added (day, change)
        cross join lateral (select month + (day::integer - 1) as date) dated
        where subject = $1 and ${column} = $2 and month <= $4::date and date <= $4::date
        group by 1
      ) changes`;
  }

  /** The rows for one event's changes, one for each total and month. */
  rows(changes: readonly DatedChange[]): readonly Row[] {
    const dated = changes.map(({ subject, number, day, change }) => {
      const month = periodStart(day, MONTHS);
      return { subject, [this.#column]: number, month, days: [day - month + 1, change] };
    });
    return mergedRows(this.table, dated);
  }

  /** The changes in rows of this table, added up by number and day. */
  changesIn(rows: readonly Row[]): readonly Omit<DatedChange, 'subject'>[] {
    return mergedRows(this.table, rows).flatMap((row) => {
      const { month, days } = row as MonthRow;
      return days.flatMap((day, place) => {
        const dated = {
          number: row[this.#column] as number,
          day: month + Number(day) - 1,
          change: days[place + 1] as Exact,
        };
        return place % 2 === 0 && dated.change !== 0 ? [dated] : [];
      });
    });
  }

  /** How a total changed around a range of dates. @param parse reads a decimal */
  async read(
    sql: SqlReader,
    { subject, number }: TotalKey,
    range: DateRange,
    parse: (decimal: string) => bigint,
  ): Promise<DatedChanges> {
    return datedChanges(await sql.query<ChangeRow>(this.changes, [subject, number, range.from, range.to]), parse);
  }
}

const BYTES_OF_NUMBER = 16;
const MONTHS = { frequency: 'monthly', weekStart: 'monday' } as const;

/** @param parse reads a decimal */
export function datedChanges(rows: readonly ChangeRow[], parse: (decimal: string) => bigint): DatedChanges {
  const byDate = new Map<LocalDate, bigint>();
  let before = 0n;
  for (const { date, change } of rows) {
    if (date === null) before = parse(change);
    else byDate.set(date, parse(change));
  }
  return { before, byDate };
}

/** Merges pairs into pairs, adding changes on the same day. Usually that is the last day. */
function addDays(sums: Exact[], later: readonly Exact[]): void {
  for (let place = 0; place < later.length; place += 2) {
    let found = sums.length - 2;
    while (found >= 0 && sums[found] !== later[place]) found -= 2;
    const change = later[place + 1] as Exact;
    if (found < 0) sums.push(later[place] as Exact, change);
    else sums[found + 1] = add(sums[found + 1] as Exact, change);
  }
}

/** Decimals by day of the month. */
function decimalsOf(days: readonly Exact[]): Readonly<Record<string, string>> {
  const decimals: Record<string, string> = {};
  for (let place = 0; place < days.length; place += 2)
    decimals[String(days[place])] = formatMillionths(days[place + 1] as Exact);
  return decimals;
}
