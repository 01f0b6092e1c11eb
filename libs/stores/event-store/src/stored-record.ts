import type { Instant } from '@laurel/calendar';
import type { KeyHash, RecordedEvent, Subject } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import { sealedOf, keysToSeal, type KeysByUser } from './personal-fields.ts';
import { encodeEvent } from './record-codec.ts';
import type { Json } from './stored-event-data.ts';

/** A record as it is stored, with sealed personal fields. */
export interface StoredRecord {
  readonly position: number;
  readonly subject: Subject | null;
  readonly occurredAt: Instant;
  readonly recordedAt: Instant;
  readonly eventId: string;
  readonly keyHash: KeyHash | null;
  readonly configurationVersion: number;
  readonly schemaVersion: number;
  readonly type: string;
  readonly imported: boolean;
  readonly account: string;
  readonly metric: string | null;
  /** A decimal number. */
  readonly value: string | null;
  readonly zone: string | null;
  readonly data: Json | null;
  /** See `seal`; null if the record has none. */
  readonly personal: Uint8Array | null;
}

/** The stored records, for hashing. */
export interface StoredLog {
  /** Records after `after`, in order, at most `limit`; fewer only if there are no more at present. */
  readStored(after: number, limit: number): Promise<readonly StoredRecord[]>;
}

/**
 * Lists every field, because this runs for every record and spreading objects takes several times as long.
 * @param keys from `keysToSeal`; personal fields of a user without a key are not stored
 */
export function storedRecordOf(record: RecordedEvent, keys: KeysByUser): StoredRecord {
  const fact = encodeEvent(record.fact);
  return {
    position: record.position,
    subject: fact.subject,
    occurredAt: record.occurredAt,
    recordedAt: record.recordedAt,
    eventId: record.eventId,
    keyHash: fact.keyHash,
    configurationVersion: record.configurationVersion,
    schemaVersion: fact.schemaVersion,
    type: fact.type,
    imported: fact.imported,
    account: record.account,
    metric: fact.metric,
    value: fact.value,
    zone: fact.zone,
    data: fact.data,
    personal: sealedOf(record, fact, keys),
  };
}

/** Encodes records as the log would store them. */
export async function storedRecordsOf(records: readonly RecordedEvent[], dataKeys: DataKeys): Promise<StoredRecord[]> {
  const keys = await keysToSeal(records, dataKeys);
  return records.map((record) => storedRecordOf(record, keys));
}

/**
 * The text that the hash of a record covers (specification, "The hash of the log"): a JSON array of all stored fields in the form of RFC 8785,
 * with instants as milliseconds of Unix time, and sealed personal fields in base64. It contains no name, and erasing a user does not change
 * it.
 */
export const textOfRecord = (record: StoredRecord): string => {
  const head = JSON.stringify([
    record.position,
    record.eventId,
    record.type,
    record.schemaVersion,
    record.account,
    record.subject,
    record.occurredAt,
    record.recordedAt,
    record.configurationVersion,
    record.keyHash,
    record.metric,
    record.value,
    record.zone,
    record.imported,
  ]);
  const personal = record.personal === null ? null : Buffer.from(record.personal).toString('base64');
  return `${head.slice(0, -1)},${record.data === null ? 'null' : canonical(record.data)},${JSON.stringify(personal)}]`;
};

/** Sorted by key, because jsonb does not keep the order. It builds text, because an object would put numeric keys first. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonical(one ?? null)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`);
  return `{${members.join(',')}}`;
}
