import { storedRows, type AreaTable, type Counter, type Row, type RowMerge, type SqlReader } from '@laurel/kernel';
import { shownValue } from './differences.ts';
import { MOST_OF_ONE } from './findings.ts';
import type { Hearer } from './table-of-users.ts';

/** Counts what folds add to a table of counters. Holds one row for each key in memory. */
export class RecountedTable {
  readonly table: AreaTable;
  readonly #rows = new Map<string, Row>();

  constructor(table: AreaTable) {
    this.table = table;
  }

  add(rows: readonly Row[]): void {
    const { keyOf, combine } = this.table.merge as RowMerge;
    for (const row of rows) {
      // Partitions are added up.
      const added = { ...row, partition: 0 };
      const key = keyOf(added);
      const earlier = this.#rows.get(key);
      this.#rows.set(key, earlier === undefined ? added : combine(earlier, added));
    }
  }

  rows(): readonly Row[] {
    return storedRows(this.table, [...this.#rows.values()]);
  }
}

interface CounterRow {
  readonly key: Row;
  readonly stored: readonly string[];
  readonly expected: readonly string[];
}

/** Compares the stored counters, added up over the partitions, with the recounted ones. A row that says 0 may be missing. */
export async function compareCounters(
  sql: SqlReader,
  recounted: RecountedTable,
  { onFinding, onMore }: Hearer,
): Promise<void> {
  const { name, counter } = recounted.table;
  const { key, numbers } = counter as Counter;
  const values = (of: string): string =>
    `array[${numbers.map((n) => `trim_scale(coalesce(${of}.${n}, 0)::numeric)::text`).join(', ')}]`;
  const sums = numbers.map((number) => `sum(${number}) as ${number}`).join(', ');
  const shown = key.filter((column) => column !== 'account');
  const rows = await sql.query<CounterRow>(
    `select jsonb_build_object(${shown.map((column) => `'${column}', ${column}`).join(', ')}) as key,
       ${values('s')} as stored, ${values('x')} as expected
     from (select ${key.join(', ')}, ${sums} from ${name} group by ${key.join(', ')}) s
     full join (select ${key.join(', ')}, ${sums} from jsonb_populate_recordset(null::${name}, $1::jsonb) group by ${key.join(', ')}) x
       using (${key.join(', ')})
     where ${values('s')} is distinct from ${values('x')}
     order by ${key.join(', ')} limit ${MOST_OF_ONE + 1}`,
    [JSON.stringify(recounted.rows())],
  );
  if (rows.length > MOST_OF_ONE) onMore();
  for (const row of rows.slice(0, MOST_OF_ONE))
    for (const [place, number] of numbers.entries()) {
      const [stored, expected] = [row.stored[place] as string, row.expected[place] as string];
      if (stored === expected) continue;
      const of = Object.entries(row.key).map(([column, value]) => `${column} ${shownValue(value) ?? ''}`);
      const what = [number, ...(of.length > 0 ? [`of ${of.join(', ')}`] : [])].join(' ');
      onFinding({ subject: null, position: null, what, stored, expected });
    }
}
