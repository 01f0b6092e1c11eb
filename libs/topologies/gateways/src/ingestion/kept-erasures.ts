import { formatInstant } from '@laurel/calendar';
import { userKey, type RecordedEvent, type NewRecord, type SqlReader, type UserErased } from '@laurel/kernel';
import { decodeEvent, encodeEvent, type AppendOutcome, type Json } from '@laurel/event-store';

/**
 * Deletes the user's row of the directory with the data key, and enters the erasure. Other processes poll `log_head.erased_to`, which counts
 * erasures here; its row assigns numbers in the order of commits. $1 account, $2 subject, $3 event id, $4 configuration version, $5 the
 * instant, $6 schema version, $7 data. Returns whether an import is open, and whether the erasure was entered; neither if there is no user.
 */
const ENTER = `
with bracket as (
  select exists (select from imports where account = $1 and open) as is_open
), head as (
  update log_head h set erased_to = h.erased_to + 1 from bracket b
  where not b.is_open and exists (select from subjects where account = $1 and subject = $2::bigint) returning h.erased_to
), forgotten as (
  delete from subjects s using head where s.account = $1 and s.subject = $2::bigint returning s.subject
), entered as (
  insert into erasures (number, account, subject, event_id, configuration_version, at, schema_version, data)
  select head.erased_to, $1, forgotten.subject, $3::uuid, $4, $5::timestamptz, $6, $7::jsonb from head, forgotten
  returning number
)
select b.is_open, e.number is not null as is_entered from bracket b left join entered e on true`;

/** @returns null if the erasure was entered and cannot be undone. @throws StoreUnavailableError if it may or may not be entered */
export async function enterErasure(sql: SqlReader, record: NewRecord<UserErased>): Promise<AppendOutcome | null> {
  const { account, eventId, configurationVersion, recordedAt, fact } = record;
  const { schemaVersion, data } = encodeEvent(fact);
  const parameters = [account, fact.subject, eventId, configurationVersion, formatInstant(recordedAt), schemaVersion];
  const [row] = await sql.query<{ is_open: boolean; is_entered: boolean }>(ENTER, [
    ...parameters,
    JSON.stringify(data),
  ]);
  if (row?.is_open)
    return {
      kind: 'failed',
      recorded: 'nothing',
      error: new Error('an import is open, so the erasure was not recorded'),
    };
  return row?.is_entered ? null : { kind: 'erased' };
}

interface ErasureRow {
  readonly account: string;
  readonly subject: string;
  readonly event_id: string;
  readonly configuration_version: number;
  readonly at: Date;
  readonly schema_version: number;
  readonly data: Json;
}

/** Entered erasures that are not known to be in the log, the oldest first, at most 1,000. @throws StoreUnavailableError */
export async function findUnrecorded(sql: SqlReader): Promise<readonly NewRecord<UserErased>[]> {
  const rows = await sql.query<ErasureRow>(
    'select * from erasures where position is null order by number limit 1000',
    [],
  );
  return rows.map(recordOf);
}

function recordOf(row: ErasureRow): NewRecord<UserErased> {
  const at = row.at.getTime();
  const fact = decodeEvent({
    type: 'UserErased',
    schemaVersion: row.schema_version,
    subject: Number(row.subject),
    data: row.data,
    metric: null,
    keyHash: null,
    value: null,
    zone: null,
    imported: false,
    personal: null,
  }) as UserErased;
  const { account, event_id: eventId, configuration_version: configurationVersion } = row;
  return { account, eventId, configurationVersion, occurredAt: at, recordedAt: at, fact };
}

/** Notes the positions of erasures that are in the log. @throws StoreUnavailableError */
export async function noteRecorded(sql: SqlReader, erasures: readonly RecordedEvent[]): Promise<void> {
  await sql.query(
    `update erasures e set position = r.position from unnest($1::uuid[], $2::bigint[]) as r (event_id, position)
     where e.event_id = r.event_id and e.position is null`,
    [erasures.map(({ eventId }) => eventId), erasures.map(({ position }) => position)],
  );
}

/**
 * Positions of late records: a process appended them after the erasure of their user because it did not know of the
 * erasure yet. No service receives them, even if the log is published again.
 * @param records of the log, in order, without a gap between calls
 * @throws StoreUnavailableError
 */
export async function lateRecords(sql: SqlReader, records: readonly RecordedEvent[]): Promise<ReadonlySet<number>> {
  const erasing = records.filter(({ fact }) => fact.type === 'UserErased');
  if (erasing.length > 0) await noteRecorded(sql, erasing);
  return knownLateRecords(sql, records);
}

/**
 * Late records for a reader of the log: only those after erasures whose positions are stored. @throws
 * StoreUnavailableError
 */
export async function knownLateRecords(
  sql: SqlReader,
  records: readonly RecordedEvent[],
): Promise<ReadonlySet<number>> {
  const own = records.flatMap(({ account, position, fact }) =>
    'subject' in fact ? [{ account, subject: fact.subject, position }] : [],
  );
  if (own.length === 0) return NONE;
  const users = [...new Map(own.map((one) => [userKey(one), one])).values()];
  const rows = await sql.query<{ account: string; subject: string; position: string }>(
    `select e.account, e.subject, e.position from unnest($1::text[], $2::bigint[]) as u (account, subject)
     join erasures e using (account, subject) where e.position is not null`,
    [users.map(({ account }) => account), users.map(({ subject }) => subject)],
  );
  if (rows.length === 0) return NONE;
  const erasedAt = new Map(
    rows.map(({ account, subject, position }) => [userKey({ account, subject: Number(subject) }), Number(position)]),
  );
  return new Set(
    own.filter((one) => one.position > (erasedAt.get(userKey(one)) ?? Infinity)).map(({ position }) => position),
  );
}

const NONE: ReadonlySet<number> = new Set();
