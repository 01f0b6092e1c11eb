import type { SqlReader } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import { ProblemError, problemOf } from '@laurel/schemas';
import { COPIED_LOG, LOG, PostgresLogReader, type LogTables } from '@laurel/event-store';

/** Seconds after which a refused caller may ask again. */
const RETRY_AFTER = '5';

/** The leader copies each event before it publishes it. Events that an earlier release published are copied once a gateway of this one leads. */
const IS_COMPLETE = `
select complete and c.position >= (select position from relay_checkpoint) as is_complete from copied_head c`;

/** The tables that hold the log. @param eventStoreUrl of EventStoreDB, whose log is copied to Postgres; null if the log is in Postgres */
export const logTables = (eventStoreUrl: string | null): LogTables => (eventStoreUrl === null ? LOG : COPIED_LOG);

/**
 * Reads the log, or the copy of one in EventStoreDB.
 * @param sql of the ingestion gateways' schema
 * @returns a reader that answers 503 while the copy lacks events that services may have applied
 */
export const readLog = (tables: LogTables, sql: SqlReader, dataKeys: DataKeys): PostgresLogReader =>
  new PostgresLogReader(tables === COPIED_LOG ? onceComplete(sql) : sql, dataKeys, tables);

/** Reads only while the copy is complete. */
export const onceComplete = (sql: SqlReader): SqlReader => ({
  query: async (text, values) => {
    await assertComplete(sql);
    return sql.query(text, values);
  },
});

/** @param sql of the ingestion gateways' schema. @throws ProblemError 503 while the copy lacks events */
export async function assertComplete(sql: SqlReader): Promise<void> {
  const [copy] = await sql.query<{ is_complete: boolean }>(IS_COMPLETE, []);
  if (!copy?.is_complete) throw new ProblemError(INCOMPLETE, { 'retry-after': RETRY_AFTER });
}

const INCOMPLETE = problemOf('unavailable', 'The log in EventStoreDB is being copied to Postgres; ask again later.');
