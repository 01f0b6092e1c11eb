import type { SqlReader } from '@laurel/kernel';

/** Some tables are there in one topology only, or if something is switched on. */
export async function tableExists(sql: SqlReader, table: string): Promise<boolean> {
  const [found] = await sql.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  return found?.there ?? false;
}
