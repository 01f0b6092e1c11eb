import type { SqlReader } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import { ProblemError, problemOf } from '@laurel/schemas';
import { COPIED_LOG, PostgresLogReader } from '@laurel/event-store';

/** Seconds after which whoever was refused may ask again. */
const RETRY_AFTER = '5';

/** Whoever publishes the log copies each event before. What an earlier release has published is copied when a gateway of this one leads. */
const IS_COMPLETE = `
select complete and c.position >= (select position from relay_checkpoint) as is_complete from copied_head c`;

/**
 * Reads the copy of a log in EventStoreDB.
 * @param sql of the ingestion gateways' schema
 * @returns a reader that answers 503 while events are missing in the copy that services may have applied
 */
export function readCopiedLog(sql: SqlReader, dataKeys: DataKeys): PostgresLogReader {
  return new PostgresLogReader(onceComplete(sql), dataKeys, COPIED_LOG);
}

/** Reads once the copy is complete. */
export const onceComplete = (sql: SqlReader): SqlReader => ({
  query: async (text, values) => {
    await assertComplete(sql);
    return sql.query(text, values);
  },
});

/** @param sql of the ingestion gateways' schema. @throws ProblemError 503 while events are missing in the copy */
export async function assertComplete(sql: SqlReader): Promise<void> {
  const [copy] = await sql.query<{ is_complete: boolean }>(IS_COMPLETE, []);
  if (!copy?.is_complete) throw new ProblemError(INCOMPLETE, { 'retry-after': RETRY_AFTER });
}

const INCOMPLETE = problemOf('unavailable', 'The log in EventStoreDB is being copied to Postgres; ask again later.');
