import { formatInstant } from '@laurel/calendar';
import { userKey, type Directory, type SqlReader, type Subject } from '@laurel/contracts';
import { keyHashOf } from '../key-hash.ts';
import { keyOf, seal, type KeysByUser } from '../personal-fields.ts';
import type { Json } from '../record-codec.ts';

/** The log in the form of release 0.1, under the name that the migration gives it. */
const OLD_LOG = 'events_of_0_1';

/** The log has the form of release 0.1: nothing may be recorded before `laurel upgrade` has moved it. */
export class OldLogError extends Error {
  override readonly name = 'OldLogError';

  constructor() {
    super('the event log has the form of release 0.1; stop the service, back the data up, then run: laurel upgrade');
  }
}

/** Whether a log of release 0.1 waits to be moved, or has been moved in part. */
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

/** @throws OldLogError. To be asked before the schema is brought up to date: the former release can then still be started. */
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
 * Moves a log of release 0.1 into the present form: subjects in place of ids, personal fields sealed, keys as hashes; positions, event
 * ids and instants stay. Piece by piece, each whole or not at all: it goes on where it was broken off.
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
    const subjects = await assignSubjects(rows, directory);
    const keys = await directory.dataKeys(
      rows.filter(({ data }) => 'user' in data).map((row) => ({ account: row.account, subject: subjects(row) })),
    );
    await sql.query(INSERT, [JSON.stringify(rows.map((row) => movedRow(row, subjects, keys)))]);
    onProgress(Number(last.position), Number(end?.last ?? 0));
  }
}

/** Once everything was made again from the present form. */
export async function dropOldLog(sql: SqlReader): Promise<void> {
  await sql.query(`drop table if exists ${OLD_LOG}`, []);
}

type SubjectOf = (row: Pick<OldRow, 'account' | 'user_id'>) => Subject;

async function assignSubjects(rows: readonly OldRow[], directory: Directory): Promise<SubjectOf> {
  const byAccount = new Map<string, Set<string>>();
  for (const { account, user_id, data } of rows) {
    const ids = byAccount.get(account) ?? new Set();
    byAccount.set(account, ids);
    if (user_id !== null) ids.add(user_id);
    for (const id of sweptIn(data)) ids.add(id);
  }
  const assigned = new Map<string, ReadonlyMap<string, Subject>>();
  for (const [account, ids] of byAccount) assigned.set(account, await directory.assignAll(account, [...ids]));
  return ({ account, user_id }) => assigned.get(account)?.get(user_id ?? '') as Subject;
}

const sweptIn = (data: Json): readonly string[] => (data['userIds'] ?? []) as readonly string[];

/** The version of what users have caused in the present form; records of other types have kept theirs. */
const SCHEMA_VERSION = 2;

function movedRow(row: OldRow, subjects: SubjectOf, keys: KeysByUser): Json {
  const common = {
    position: row.position,
    occurred_at: formatInstant(row.occurred_at.getTime()),
    recorded_at: formatInstant(row.recorded_at.getTime()),
    event_id: row.event_id,
    configuration_version: row.configuration_version,
    schema_version: row.schema_version,
    account: row.account,
    type: row.type,
  };
  if (row.user_id !== null) return { ...common, ...movedUserFields(row, subjects(row), keys) };
  if (row.type !== 'UsersSwept') return { ...common, data: unlessEmpty(row.data) };
  const { account } = row;
  const swept = sweptIn(row.data).map((user_id) => subjects({ account, user_id }));
  return { ...common, schema_version: SCHEMA_VERSION, data: { subjects: swept } };
}

function movedUserFields(row: OldRow, subject: Subject, keys: KeysByUser): Json {
  const { account, metric, idempotency_key: key, event_id: eventId } = row;
  const { user, value, ...data } = row.data;
  const { tz, ...personal } = (user ?? {}) as Json;
  const dataKey = keyOf(keys, account, subject);
  if (unlessEmpty(personal) !== null && dataKey === null)
    throw new Error(`the directory has no data key for ${userKey({ account, subject })}`);
  return {
    schema_version: SCHEMA_VERSION,
    subject,
    metric,
    key_hash: key === null || metric === null ? null : keyHashOf({ account, subject, metric, key }),
    value: value ?? null,
    zone: tz === undefined ? null : (tz ?? ''),
    data: unlessEmpty(data),
    personal:
      unlessEmpty(personal) === null || dataKey === null
        ? null
        : `\\x${seal(personal, dataKey, { subject, eventId }).toString('hex')}`,
  };
}

const unlessEmpty = (data: Json): Json | null => (Object.keys(data).length === 0 ? null : data);
