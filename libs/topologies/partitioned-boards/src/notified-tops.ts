import { tableExists } from '@laurel/database';
import type { SqlReader } from '@laurel/kernel';
import { repeat, type CancelTimer, type Clock } from '@laurel/ports';
import { deleteNotifiedTops } from '@laurel/leaderboards';
import { OUTCOME_CURSORS } from '@laurel/outgoing';
import { SCHEMAS } from '@laurel/processes';

const EVERY_MS = 60_000;
const CURSORS = `${SCHEMAS.outgoing}.${OUTCOME_CURSORS}`;

/**
 * Deletes every minute the top ranks of runs about which an outgoing service has notified. All of them stay until an outgoing service has
 * started.
 * @param sql of the schema of the boards
 */
export function deleteNotifiedRegularly(
  sql: SqlReader,
  clock: Pick<Clock, 'after'>,
  onFailure: (error: unknown) => void,
): CancelTimer {
  let isOver = false;
  const cancel = repeat(clock, EVERY_MS, () => deleteNotified(sql, () => !isOver), onFailure);
  return () => {
    isOver = true;
    cancel();
  };
}

/** @returns the number of deleted rows */
export async function deleteNotified(sql: SqlReader, goesOn: () => boolean): Promise<number> {
  return (await tableExists(sql, CURSORS)) ? deleteNotifiedTops(sql, CURSORS, goesOn) : 0;
}
