import type { LogRecord } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import type { StoredRecord } from './stored-record.ts';
import { keysToOpen, openedOf, type KeysByUser } from './personal-fields.ts';
import { decodeFactAt } from './record-codec.ts';
import type { StoredFact } from './stored-fact.ts';

/** Decodes records, with the personal fields for which there are keys. @throws UnreadableRecordError */
export async function openedRecords(
  records: readonly StoredRecord[],
  dataKeys: DataKeys,
): Promise<readonly LogRecord[]> {
  const keys = await keysToOpen(records, dataKeys);
  return records.map((record) => openedRecord(record, keys));
}

/** @param keys from `keysToOpen`; without the key of its user, the record has no personal fields. @throws UnreadableRecordError */
export function openedRecord(record: StoredRecord, keys: KeysByUser): LogRecord {
  const { position, account, eventId, configurationVersion, occurredAt, recordedAt, type } = record;
  return {
    position,
    account,
    eventId,
    configurationVersion,
    occurredAt,
    recordedAt,
    fact: decodeFactAt(position, eventId, type, () => openedFact(record, keys)),
  };
}

/** Lists every field, because this runs for every record and spreading objects takes several times as long. */
function openedFact(record: StoredRecord, keys: KeysByUser): StoredFact {
  const { type, schemaVersion, subject, metric, keyHash, value, zone, imported, data } = record;
  const personal = openedOf(record, record, keys);
  return { type, schemaVersion, subject, metric, keyHash, value, zone, imported, data, personal };
}
