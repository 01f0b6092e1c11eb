import type { SqlReader } from '@laurel/kernel';
import { repeat, type CancelTimer, type Clock } from '@laurel/ports';
import { deleteToldTops } from '@laurel/leaderboards';
import { OUTCOME_CURSORS } from '@laurel/outgoing';
import { SCHEMAS } from '@laurel/processes';

const EVERY_MS = 60_000;
const CURSORS = `${SCHEMAS.outgoing}.${OUTCOME_CURSORS}`;

/**
 * Deletes the first of runs of which an outgoing service has told, every minute. Until one has begun to, all of them stay.
 * @param sql of the schema of the boards
 */
export function deleteToldRegularly(
  sql: SqlReader,
  clock: Pick<Clock, 'after'>,
  onFailure: (error: unknown) => void,
): CancelTimer {
  let isOver = false;
  const cancel = repeat(clock, EVERY_MS, () => deleteTold(sql, () => !isOver), onFailure);
  return () => {
    isOver = true;
    cancel();
  };
}

/** @returns how many rows */
export async function deleteTold(sql: SqlReader, goesOn: () => boolean): Promise<number> {
  const [found] = await sql.query<{ isThere: boolean }>('select to_regclass($1) is not null as "isThere"', [CURSORS]);
  return found?.isThere ? deleteToldTops(sql, CURSORS, goesOn) : 0;
}
