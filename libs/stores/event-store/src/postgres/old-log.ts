import { userKey, type NewRecord, type SqlReader } from '@laurel/kernel';
import type { Directory } from '@laurel/ports';
import { liftRecords, type FirstFormRecord } from '../first-form/upcast-records.ts';
import { bringsPersonalFields, keyOf, keysToSeal, type KeysByUser } from '../personal-fields.ts';
import type { Json } from '../stored-event-data.ts';
import { eventRow } from './log-statements.ts';

/** The table with the log of release 0.1, as the migration renames it. */
const OLD_LOG = 'events_of_0_1';

/** The log has the format of release 0.1: nothing may be recorded before `laurel upgrade` has converted it. */
export class OldLogError extends Error {
  override readonly name = 'OldLogError';

  constructor() {
    super('the event log has the form of release 0.1; stop the service, back the data up, then run: laurel upgrade');
  }
}

/** Whether there is a log of release 0.1 that is not yet completely converted. */
export async function holdsOldLog(sql: SqlReader): Promise<boolean> {
  const [found] = await sql.query<{ aside: boolean; in_place: boolean }>(
    `select to_regclass('${OLD_LOG}') is not null as aside, exists (
       select from information_schema.columns
       where table_schema = current_schema() and table_name = 'events' and column_name = 'user_id'
     ) as in_place`,
    [],
  );
  if (found?.aside) return true;
  return found?.in_place === true && (await sql.query('select from events limit 1', [])).length > 0;
}

/** Call it before the schema is migrated, so that the former release can still be started. @throws OldLogError */
export async function refuseOldLog(sql: SqlReader): Promise<void> {
  if (await holdsOldLog(sql)) throw new OldLogError();
}

interface OldRow {
  readonly position: string;
  readonly account: string;
  readonly event_id: string;
  readonly type: string;
  readonly schema_version: number;
  readonly configuration_version: number;
  readonly user_id: string | null;
  readonly metric: string | null;
  readonly idempotency_key: string | null;
  readonly occurred_at: Date;
  readonly recorded_at: Date;
  readonly data: Json;
}

const ROWS_AT_A_TIME = 1_000;

const NEXT_ROWS = `
select * from ${OLD_LOG} where position > (select coalesce(max(position), 0) from events) order by position limit $1`;

const INSERT = 'insert into events select * from json_populate_recordset(null::events, $1::json)';

/**
 * Converts a log of release 0.1: subjects in place of ids, personal fields sealed, keys as hashes; positions, event ids and instants stay. It
 * converts atomic chunks and continues after an interruption.
 */
export async function moveOldLog(
  sql: SqlReader,
  directory: Directory,
  onProgress: (moved: number, last: number) => void = () => undefined,
): Promise<void> {
  const [end] = await sql.query<{ last: string | null }>(`select max(position) as last from ${OLD_LOG}`, []);
  for (;;) {
    const rows = await sql.query<OldRow>(NEXT_ROWS, [ROWS_AT_A_TIME]);
    const last = rows.at(-1);
    if (last === undefined) return;
    const records = await liftRecords(rows.map(firstFormOf), directory);
    const keys = await keysToSeal(records, directory);
    for (const record of records) requireKey(record, keys);
    const moved = records.map((record, index) =>
      eventRow({ ...record, position: Number(rows[index]?.position) }, keys),
    );
    await sql.query(INSERT, [JSON.stringify(moved)]);
    onProgress(Number(last.position), Number(end?.last ?? 0));
  }
}

/** Drops the old log, once everything was rebuilt from the new one. */
export async function dropOldLog(sql: SqlReader): Promise<void> {
  await sql.query(`drop table if exists ${OLD_LOG}`, []);
}

/** @throws Error if personal fields would be lost */
function requireKey({ account, fact }: NewRecord, keys: KeysByUser): void {
  if (bringsPersonalFields(fact) && keyOf(keys, account, fact.subject) === null)
    throw new Error(`the directory has no data key for ${userKey({ account, subject: fact.subject })}`);
}

const firstFormOf = (row: OldRow): FirstFormRecord => ({
  eventId: row.event_id,
  account: row.account,
  configurationVersion: row.configuration_version,
  occurredAt: row.occurred_at.getTime(),
  recordedAt: row.recorded_at.getTime(),
  fact: {
    type: row.type,
    schemaVersion: row.schema_version,
    userId: row.user_id,
    metric: row.metric,
    idempotencyKey: row.idempotency_key,
    data: row.data,
  },
});
