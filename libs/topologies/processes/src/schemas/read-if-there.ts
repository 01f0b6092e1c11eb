import type { SqlReader } from '@laurel/kernel';

/** The schema or the table does not exist: the process that owns it has never been started. */
const NO_TABLE = ['3F000', '42P01'];
/** The process that owns the table has last been started in an older release. */
const NO_COLUMN = '42703';

/** Reads rows of another process; none while the table does not exist. */
export async function readIfPresent<R extends object>(
  sql: SqlReader,
  text: string,
  values: readonly unknown[] = [],
  missing: readonly string[] = NO_TABLE,
): Promise<R[]> {
  try {
    return await sql.query<R>(text, values);
  } catch (error) {
    if (missing.includes((error as { readonly code?: string }).code ?? '')) return [];
    throw error;
  }
}

/** The same for columns that an older release lacks: no rows while a column does not exist. */
export const readIfColumnsExist = <R extends object>(sql: SqlReader, text: string): Promise<R[]> =>
  readIfPresent<R>(sql, text, [], [...NO_TABLE, NO_COLUMN]);
