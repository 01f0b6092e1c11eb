import { formatInstant } from '@laurel/calendar';
import type { Attribution, RecordedEvent, Subject } from '@laurel/kernel';
import type { Directory } from '@laurel/ports';
import { SHOWN_CORRECTED_EVENTS, type AuditEntry } from '@laurel/schemas';
import { encodeEvent, type Json } from '@laurel/event-store';

/**
 * The answer's entries for administrative events, in the order of the events. One statement reads the ids of all users
 * concerned.
 */
export async function auditEntries(
  account: string,
  records: readonly RecordedEvent[],
  directory: Pick<Directory, 'idsOf'>,
): Promise<AuditEntry[]> {
  const subjects = new Set(records.map(subjectOf).filter((subject) => subject !== null));
  const ids = await directory.idsOf(account, [...subjects]);
  return records.map((record) => auditEntry(record, ids));
}

function auditEntry(record: RecordedEvent, ids: ReadonlyMap<Subject, string>): AuditEntry {
  const { eventId: id, recordedAt, fact } = record;
  const { by = null, reason = null } = fact as Attribution;
  const subject = subjectOf(record);
  return {
    id,
    type: fact.type,
    at: formatInstant(recordedAt),
    by,
    reason,
    userId: subject === null ? null : (ids.get(subject) ?? null),
    details: detailsOf(record),
  };
}

/**
 * The stored event: plain JSON without secrets or personal fields. Documents are left out because they have a separate
 * route.
 */
function detailsOf({ fact }: RecordedEvent): Json {
  const { data, value } = encodeEvent(fact);
  const { by: _by, reason: _reason, document: _document, ...details } = data ?? {};
  const { corrections } = details;
  if (Array.isArray(corrections))
    return { ...details, corrections: corrections.slice(0, SHOWN_CORRECTED_EVENTS), count: corrections.length };
  return { ...details, ...(value !== null && { value }) };
}

const subjectOf = ({ fact }: RecordedEvent): Subject | null => ('subject' in fact ? fact.subject : null);
