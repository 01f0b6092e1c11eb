import pg from 'pg';
import type { Topology } from './topology.ts';

/** Every table of every schema, row by row, as text. */
export async function databaseTexts({ postgres }: Pick<Topology, 'postgres'>): Promise<readonly string[]> {
  const database = new pg.Client(postgres.connection);
  await database.connect();
  try {
    const { rows: tables } = await database.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const texts: string[] = [];
    for (const { name } of tables)
      for (const { row } of (await database.query<{ row: string }>(`select t::text as row from ${name} t`)).rows)
        texts.push(row);
    if (tables.length <= 30) throw new Error(`only ${tables.length} tables were found`);
    return texts;
  } finally {
    await database.end();
  }
}
