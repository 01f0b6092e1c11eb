import type { SqlReader } from '@laurel/kernel';
import { HAS_ID } from '../postgres/log-statements.ts';
import { LOG, type LogTables } from '../postgres/log-tables.ts';

/** The position of the account's event with this id; null if the account has none. */
export async function findPosition(
  sql: SqlReader,
  account: string,
  eventId: string,
  { events }: LogTables = LOG,
): Promise<number | null> {
  const statement = `select position from ${events} where ${HAS_ID} and account = $2`;
  const [row] = await sql.query<{ position: string }>(statement, [eventId, account]);
  return row === undefined ? null : Number(row.position);
}
