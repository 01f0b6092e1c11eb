import { storedRows, type AreaTable, type Counter, type Row, type RowMerge, type SqlReader } from '@laurel/kernel';
import { shownValue } from './differences.ts';

/** A counter that is not what is counted. */
export interface MiscountFinding {
  readonly what: string;
  readonly stored: string;
  readonly expected: string;
}

/** What folds count for a table of counters: a row for each key is in memory. */
export class RecountedTable {
  readonly table: AreaTable;
  readonly #rows = new Map<string, Row>();

  constructor(table: AreaTable) {
    this.table = table;
  }

  add(rows: readonly Row[]): void {
    const { keyOf, combine } = this.table.merge as RowMerge;
    for (const row of rows) {
      // Which partition counted it says nothing.
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

/** Of one table. */
const MOST_SHOWN = 10;

interface CounterRow {
  readonly key: Row;
  readonly stored: readonly string[];
  readonly expected: readonly string[];
}

/** Compares what is stored, the partitions added up, with what was counted again; a row that says 0 may be missing. */
export async function compareCounters(
  sql: SqlReader,
  recounted: RecountedTable,
  hearer: { readonly onFinding: (finding: MiscountFinding) => void; readonly onMore: () => void },
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
     order by ${key.join(', ')} limit ${MOST_SHOWN + 1}`,
    [JSON.stringify(recounted.rows())],
  );
  if (rows.length > MOST_SHOWN) hearer.onMore();
  for (const row of rows.slice(0, MOST_SHOWN))
    for (const [place, number] of numbers.entries()) {
      const [stored, expected] = [row.stored[place] as string, row.expected[place] as string];
      if (stored === expected) continue;
      const of = Object.entries(row.key).map(([column, value]) => `${column} ${shownValue(value) ?? ''}`);
      hearer.onFinding({
        what: [number, ...(of.length > 0 ? [`of ${of.join(', ')}`] : [])].join(' '),
        stored,
        expected,
      });
    }
}
