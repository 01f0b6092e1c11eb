import { mergedRows, type ChainMessage, type Configuration, type Row, type SqlReader } from '@laurel/kernel';
import type { LeaderboardsArea } from '../leaderboards-area.ts';
import { tables } from '../tables.ts';
import { applyLoaded } from './boards.ts';

/** Writes rows as the engine does: merged by key, one insert per table. */
export async function writeRows(sql: SqlReader, rows: ReadonlyMap<string, readonly Row[]>): Promise<void> {
  for (const table of tables) {
    const merged = JSON.stringify(mergedRows(table, rows.get(table.name) ?? []));
    const source = `select * from json_populate_recordset(null::${table.name}, $1::json)`;
    await sql.query(`insert into ${table.name} ${source} ${table.onConflict}`, [merged]);
  }
}

/** Applies the messages as one batch, writes its rows and publishes it. */
export async function commitBatch(
  area: LeaderboardsArea,
  sql: SqlReader,
  messages: readonly ChainMessage[],
  configuration: Configuration,
): Promise<void> {
  const layer = area.openLayer(null);
  const rows = new Map<string, Row[]>(tables.map(({ name }) => [name, []]));
  for (const message of messages) {
    const applied = await applyLoaded(area, layer, message, configuration);
    for (const [table, added] of applied.rows) rows.get(table)?.push(...added);
  }
  await writeRows(sql, rows);
  layer.publish();
}
