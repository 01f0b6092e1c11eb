import type { RecordedEvent } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import type { StoredRecord } from './stored-record.ts';
import { keysToOpen, openedOf, type KeysByUser } from './personal-fields.ts';
import { decodeEventAt } from './record-codec.ts';
import type { StoredEventData } from './stored-event-data.ts';

/** Decodes records, with the personal fields for which there are keys. @throws UnreadableRecordError */
export async function openedRecords(
  records: readonly StoredRecord[],
  dataKeys: DataKeys,
): Promise<readonly RecordedEvent[]> {
  const keys = await keysToOpen(records, dataKeys);
  return records.map((record) => openedRecord(record, keys));
}

/** @param keys from `keysToOpen`; without the key of its user, the record has no personal fields. @throws UnreadableRecordError */
export function openedRecord(record: StoredRecord, keys: KeysByUser): RecordedEvent {
  const { position, account, eventId, configurationVersion, occurredAt, recordedAt, type } = record;
  return {
    position,
    account,
    eventId,
    configurationVersion,
    occurredAt,
    recordedAt,
    fact: decodeEventAt(position, eventId, type, () => openedEvent(record, keys)),
  };
}

/** Lists every field, because this runs for every record and spreading objects takes several times as long. */
function openedEvent(record: StoredRecord, keys: KeysByUser): StoredEventData {
  const { type, schemaVersion, subject, metric, keyHash, value, zone, imported, data } = record;
  const personal = openedOf(record, record, keys);
  return { type, schemaVersion, subject, metric, keyHash, value, zone, imported, data, personal };
}
