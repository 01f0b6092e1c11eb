import type { SqlReader } from '@laurel/contracts';
import { HAS_ID } from '../postgres/log-statements.ts';

/**
 * The position of the account's event with this id; null: it has none.
 * @param table the log itself or, of one in EventStoreDB, what `catchUpIndexedChain` keeps
 */
export async function findPosition(
  sql: SqlReader,
  account: string,
  eventId: string,
  table: 'events' | 'event_positions' = 'events',
): Promise<number | null> {
  const statement = `select position from ${table} where ${HAS_ID} and account = $2`;
  const [row] = await sql.query<{ position: string }>(statement, [eventId, account]);
  return row === undefined ? null : Number(row.position);
}
