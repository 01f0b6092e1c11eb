import type { SqlReader } from '@laurel/kernel';

/** Some tables exist in one topology only, or only while a feature is on. */
export async function tableExists(sql: SqlReader, table: string): Promise<boolean> {
  const [found] = await sql.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  return found?.there ?? false;
}
