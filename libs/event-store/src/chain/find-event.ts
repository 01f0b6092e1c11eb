import type { SqlReader } from '@laurel/contracts';
import { HAS_ID } from '../postgres/log-statements.ts';

/** The position of the event with this id; null: there is none. */
export async function findPosition(sql: SqlReader, eventId: string): Promise<number | null> {
  const [row] = await sql.query<{ position: string }>(`select position from events where ${HAS_ID}`, [eventId]);
  return row === undefined ? null : Number(row.position);
}
