import type { SqlReader } from '@laurel/kernel';

export interface Column {
  readonly name: string;
  /** Whether the column holds JSON, where a text is a JSON string. */
  readonly isJson: boolean;
  /**
   * Whether its values, as texts, never contain quotes, backslashes, commas or brackets: numbers, instants, dates,
   * UUIDs.
   */
  readonly isPlain: boolean;
}

/** The columns of each table, in the order of its row type. @throws StoreUnavailableError */
export async function readColumns(
  sql: SqlReader,
  tables: readonly string[],
): Promise<ReadonlyMap<string, readonly Column[]>> {
  const rows = await sql.query<{ table: string; columns: readonly Column[] }>(COLUMNS, [tables]);
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

const COLUMNS = `
select t.name as "table", json_agg(json_build_object(
  'name', attname,
  'isJson', atttypid in ('json'::regtype, 'jsonb'::regtype),
  'isPlain', atttypid = any('{int2, int4, int8, numeric, bool, date, timestamptz, uuid}'::regtype[])
) order by attnum) as columns
from unnest($1::text[]) as t (name) join pg_attribute on attrelid = t.name::regclass
where attnum > 0 and not attisdropped group by t.name`;
