import type { LogRecord } from '@laurel/kernel';
import type { DataKeys } from '@laurel/ports';
import type { StoredRecord } from '../stored-record.ts';
import { keysToOpen, openedOf, type KeysByUser } from '../personal-fields.ts';
import { decodeFactAt } from '../record-codec.ts';

/** The records with their personal fields, as far as there are keys. @throws UnreadableRecordError */
export async function openedRecords(
  records: readonly StoredRecord[],
  dataKeys: DataKeys,
): Promise<readonly LogRecord[]> {
  const keys = await keysToOpen(records, dataKeys);
  return records.map((record) => openedRecord(record, keys));
}

/** @param keys those of `keysToOpen`; without its user's key the record has no personal fields. @throws UnreadableRecordError */
export function openedRecord(record: StoredRecord, keys: KeysByUser): LogRecord {
  const { position, account, eventId, configurationVersion, occurredAt, recordedAt, type } = record;
  const { schemaVersion, subject, metric, keyHash, value, zone, imported, data } = record;
  const stored = { type, schemaVersion, subject, metric, keyHash, value, zone, imported, data };
  return {
    ...{ position, account, eventId, configurationVersion, occurredAt, recordedAt },
    fact: decodeFactAt(position, eventId, type, () => ({
      ...stored,
      personal: openedOf({ account, eventId }, record, keys),
    })),
  };
}
