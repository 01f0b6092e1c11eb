import { add, formatMillionths, negate, type Exact } from '@laurel/amounts';
import type { DateRange, LocalDate } from '@laurel/calendar';
import type { AreaTable, Row, SqlReader } from '@laurel/kernel';

interface Counters {
  readonly name: string;
  /** The columns that identify a counter, `account` first. `partition` is part of the key as well. */
  readonly key: readonly string[];
  /** Columns of integers. */
  readonly counts?: readonly string[];
  /** Columns of exact decimals. Rows hold millionths. */
  readonly sums?: readonly string[];
}

/**
 * A table of counters: a row adds its numbers to the row with the same key. Reads and the digest add up the partitions. The digest leaves
 * out counters of 0, because whether such a row exists depends on the cut of events into batches.
 */
export function counterTable({ name, key, counts = [], sums = [] }: Counters): AreaTable {
  const primaryKey = [...key, 'partition'];
  const added = [
    ...counts.map((column) => `${column} = ${name}.${column} + excluded.${column}`),
    // Without `trim_scale`, 0.5 + 0.5 would be 1.0 if the table adds them, but 1 if a batch does.
    ...sums.map((column) => `${column} = trim_scale(${name}.${column} + excluded.${column})`),
  ];
  const totals = [...counts.map((column) => `sum(${column})`), ...sums.map((column) => `trim_scale(sum(${column}))`)];
  const absorb = (row: Record<string, unknown>, later: Row): void => {
    for (const column of counts) row[column] = (row[column] as number) + (later[column] as number);
    for (const column of sums) row[column] = add(row[column] as Exact, later[column] as Exact);
  };
  const shown = (key.length > 1 ? key.slice(1) : key).join(', ');
  return {
    name,
    ...(sums.length > 0 && { stored: (row) => withDecimals(row, sums) }),
    onConflict: `on conflict (${primaryKey.join(', ')}) do update set ${added.join(', ')}`,
    merge: {
      keyOf: (row) => {
        let text = '';
        for (const column of primaryKey) text += `${row[column] as string}\0`;
        return text;
      },
      combine: (earlier, later) => {
        const row = { ...earlier };
        absorb(row, later);
        return row;
      },
      absorb,
    },
    counter: { key, numbers: [...counts, ...sums] },
    negated: (row) => {
      const negative: Record<string, unknown> = { ...row };
      for (const column of counts) negative[column] = -(row[column] as number);
      for (const column of sums) negative[column] = negate(row[column] as Exact);
      return negative;
    },
    digest: () => `
      select row(${[shown, ...totals].join(', ')})::text as value from ${name}
      where account = $1 group by ${shown} having ${totals.map((total) => `${total} <> 0`).join(' or ')}`,
  };
}

/** Asks for the counters of a range of dates, in a table with a date in its key. */
interface DayQuery<Key extends string, Column extends string> {
  readonly table: string;
  readonly account: string;
  /** The third column of the key, and its requested values; null if the key is account and date only. */
  readonly of: { readonly key: Key; readonly values: readonly string[] } | null;
  readonly columns: readonly Column[];
  readonly range: DateRange;
}

/** The sums of all partitions by date ascending, as Postgres writes numbers; a day without a row is absent. */
export function readDays<Column extends string, Key extends string = never>(
  sql: SqlReader,
  { table, account, of, columns, range: { from, to } }: DayQuery<Key, Column>,
): Promise<readonly ({ readonly date: LocalDate } & Readonly<Record<Key | Column, string>>)[]> {
  const sums = columns.map((column) => `sum(${column})::text as ${column}`);
  const keys = of === null ? [] : [`${table}.${of.key}`];
  const those = keys.map((key) => ` and ${key} = any($4::text[])`);
  const groups = [`${table}.date`, ...keys].join(', ');
  return sql.query(
    `select ${[`date::text as date`, ...keys, ...sums].join(', ')} from ${table}
     where account = $1 and date between $2 and $3${those.join('')} group by ${groups} order by ${groups}`,
    [account, from, to, ...(of === null ? [] : [of.values])],
  );
}

function withDecimals(row: Row, sums: readonly string[]): Row {
  const stored: Record<string, unknown> = { ...row };
  for (const column of sums) stored[column] = formatMillionths(row[column] as Exact);
  return stored;
}
