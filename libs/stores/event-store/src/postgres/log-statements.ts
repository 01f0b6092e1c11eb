import { formatInstant } from '@laurel/calendar';
import type { DomainEventType, RecordedEvent } from '@laurel/kernel';
import { storedRecordOf, type StoredRecord } from '../stored-record.ts';
import type { KeysByUser } from '../personal-fields.ts';
import type { Json } from '../stored-event-data.ts';
import { typeNumberOf, typeNumbered } from './type-numbers.ts';

/**
 * Moves the head of the log as a compare-and-set: only if this writer's epoch is still the newest and nobody else has appended. Everything in
 * the same statement is joined to `head`, so that a fenced writer writes nothing at all. $1 epoch, $2 expected position, $3 new position.
 * @param recordedAt the parameter with the instant of the newest record; its value is null if there is no new record
 */
export const moveHead = (recordedAt: string): string => `
head as (
  update log_head set position = $3, recorded_at = greatest(recorded_at, ${recordedAt}::timestamptz)
  where epoch = $1 and position = $2 returning position
)`;

/** Notifications on this channel tell the processes that share the log the position of its head. */
export const APPENDED_CHANNEL = 'laurel_appended';
const NOTIFY = `pg_notify('${APPENDED_CHANNEL}', (base + $2::bigint)::text)`;

/**
 * An append, without erasures, in a log that several processes share. The lock on the head's row lasts until the commit, so positions become
 * visible in their order. `recorded_at` never decreases.
 * $1: the epoch, $2: the number of records, $3: the records as rows of {@link eventRow}, numbered from 1 in place of positions,
 * $4: the latest instant at which one of them was received, $5: the position of the newest erasure that this process knows.
 * Returns the position before the first record. Returns no row, and writes nothing, if the writer is fenced or does not know the newest
 * erasure.
 */
export const APPEND_SHARED = appendStatement({
  condition: '',
  from: 'before',
  marks: '',
  deletion: '',
  answer: `select base, ${NOTIFY} from head`,
});

/**
 * Appends a single erasure; $6 and $7 are its account and subject. It deletes the user's row of the directory, with the
 * data key that opens sealed fields. It writes nothing while an import of the account is open: then the base of its row
 * is null. The log is read after the head is locked, so it is certain whether an import is open at this place of the
 * log.
 */
export const APPEND_ERASING = appendStatement({
  condition: `, allowed as (
  select * from before where not import_is_open($6)
)`,
  from: 'allowed',
  marks: ', erased_to = h.position + $2::bigint',
  deletion: `, forgotten as (
  delete from subjects s using head where s.account = $6 and s.subject = $7::bigint
)`,
  answer: `select base, case when base is not null then ${NOTIFY} end from before left join head on true`,
});

/** $1: the position after which to look. */
export const FIND_ERASED = `
select position, account, subject from events
where type = ${typeNumberOf('UserErased')} and position > $1::bigint order by position`;

interface AppendClauses {
  readonly condition: string;
  /** If it has no row, the head does not move, and nothing is written. */
  readonly from: 'before' | 'allowed';
  readonly marks: string;
  readonly deletion: string;
  readonly answer: string;
}

function appendStatement({ condition, from, marks, deletion, answer }: AppendClauses): string {
  return `
with before as (
  select recorded_at from log_head where epoch = $1 and erased_to = $5::bigint for update
)${condition}, head as (
  update log_head h
  set position = h.position + $2::bigint, recorded_at = greatest(${from}.recorded_at, $4::timestamptz)${marks}
  from ${from} where h.epoch = $1 returning h.position - $2::bigint as base, ${from}.recorded_at as before
), inserted as (
  insert into events (
    position, subject, occurred_at, recorded_at, event_id, key_hash, configuration_version, schema_version,
    type, imported, account, metric, value, zone, data, personal
  )
  select
    head.base + e.position, e.subject, e.occurred_at,
    greatest(head.before, max(e.recorded_at) over (order by e.position)),
    e.event_id, e.key_hash, e.configuration_version, e.schema_version,
    e.type, e.imported, e.account, e.metric, e.value, e.zone, e.data, e.personal
  from head, json_populate_recordset(null::events, $3::json) e
)${deletion}
${answer}`;
}

/**
 * A record as a row of `events`, by column name.
 * @param keys from `keysToSeal`; personal fields of a user without a key are not stored
 */
export const eventRow = (record: RecordedEvent, keys: KeysByUser): Readonly<Record<string, unknown>> =>
  rowOfStored(storedRecordOf(record, keys));

export const rowOfStored = (record: StoredRecord): Record<string, unknown> => ({
  position: record.position,
  subject: record.subject,
  occurred_at: formatInstant(record.occurredAt),
  recorded_at: formatInstant(record.recordedAt),
  event_id: record.eventId,
  key_hash: record.keyHash,
  configuration_version: record.configurationVersion,
  schema_version: record.schemaVersion,
  type: typeNumberOf(record.type as DomainEventType),
  imported: record.imported,
  account: record.account,
  metric: record.metric,
  value: record.value,
  zone: record.zone,
  data: record.data,
  personal: record.personal === null ? null : `\\x${Buffer.from(record.personal).toString('hex')}`,
});

/** A row of `events` as the driver reads it: bigint and numeric as strings, timestamptz as Date. */
export interface EventRow {
  readonly position: string;
  readonly subject: string | null;
  readonly occurred_at: Date;
  readonly recorded_at: Date;
  readonly event_id: string;
  readonly key_hash: string | null;
  readonly configuration_version: number;
  readonly schema_version: number;
  readonly type: number;
  readonly imported: boolean;
  readonly account: string;
  readonly metric: string | null;
  readonly value: string | null;
  readonly zone: string | null;
  readonly data: Json | null;
  readonly personal: Uint8Array | null;
  /** See `prefixOf`; null if an earlier release wrote the record, or if several processes share the log. */
  readonly hash_prefix: number | null;
}

export const storedOfRow = (row: EventRow): StoredRecord => ({
  position: Number(row.position),
  subject: row.subject === null ? null : Number(row.subject),
  occurredAt: row.occurred_at.getTime(),
  recordedAt: row.recorded_at.getTime(),
  eventId: row.event_id,
  keyHash: row.key_hash,
  configurationVersion: row.configuration_version,
  schemaVersion: row.schema_version,
  type: typeNumbered(row.type),
  imported: row.imported,
  account: row.account,
  metric: row.metric,
  value: row.value,
  zone: row.zone,
  data: row.data,
  personal: row.personal,
});

/** Whether Postgres reports that an idempotency key has been used. */
export const isDuplicateKey = (error: unknown): boolean => {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'events_key_hash';
};

/** Whether Postgres refuses the data itself (classes 21, 22, 23, a row too large for an index): a retry cannot succeed. */
export const isRefusedData = (error: unknown): boolean => {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && (/^(21|22|23)/.test(code) || code === '54000');
};

/** The condition that an event has the id $1, which uses the index of id prefixes. */
export const HAS_ID = 'substr(uuid_send(event_id), 1, 5) = substr(uuid_send($1::uuid), 1, 5) and event_id = $1::uuid';
