import type { NewRecord, Subject } from '@laurel/kernel';
import type { Directory } from '@laurel/ports';
import { keyHashOf } from '../key-hash.ts';
import { decodeEvent } from '../record-codec.ts';
import type { Json, StoredEventData } from '../stored-event-data.ts';

/** An event as release 0.1 stored it, with schema version 1. */
export interface FirstFormEvent {
  readonly type: string;
  readonly schemaVersion: number;
  readonly userId: string | null;
  readonly metric: string | null;
  readonly idempotencyKey: string | null;
  readonly data: Json;
}

/** A record of a log of 0.1. */
export interface FirstFormRecord extends Omit<NewRecord, 'fact'> {
  readonly fact: FirstFormEvent;
}

const FIRST_FORM = 1;

/** The first schema version that names users by subjects; other events are unchanged. */
const WITH_SUBJECTS = 2;

/**
 * Converts records of release 0.1, in their order. Users without a subject get one.
 * @throws Error that names a record with another schema version
 */
export async function liftRecords(
  records: readonly FirstFormRecord[],
  directory: Pick<Directory, 'assignAll'>,
): Promise<readonly NewRecord[]> {
  const subjects = new Map<string, ReadonlyMap<string, Subject>>();
  for (const [account, ids] of idsByAccount(records))
    subjects.set(account, await directory.assignAll(account, [...ids]));
  return records.map((record) => {
    const { account, eventId, fact } = record;
    if (fact.schemaVersion !== FIRST_FORM)
      throw new Error(`the event ${eventId} is of schema version ${fact.schemaVersion}, not of the form of 0.1`);
    const subjectOf = (userId: string): Subject => subjects.get(account)?.get(userId) as Subject;
    return { ...record, fact: decodeEvent(upcast(account, fact, subjectOf)) };
  });
}

function idsByAccount(records: readonly FirstFormRecord[]): ReadonlyMap<string, ReadonlySet<string>> {
  const all = new Map<string, Set<string>>();
  for (const { account, fact } of records) {
    const ids = all.get(account) ?? new Set();
    for (const id of idsIn(fact)) ids.add(id);
    all.set(account, ids);
  }
  return all;
}

const idsIn = ({ type, userId, data }: FirstFormEvent): readonly string[] =>
  userId !== null ? [userId] : type === 'UsersSwept' ? (data['userIds'] as string[]) : [];

function upcast(account: string, fact: FirstFormEvent, subjectOf: (userId: string) => Subject): StoredEventData {
  const { type, userId, metric, idempotencyKey: key } = fact;
  const { user = {}, value = null, imported, userIds, ...data } = fact.data;
  const { tz, ...personal } = user as Json;
  const subject = userId === null ? null : subjectOf(userId);
  const swept = userIds === undefined ? {} : { subjects: (userIds as string[]).map(subjectOf) };
  return {
    type,
    schemaVersion: userId !== null || userIds !== undefined ? WITH_SUBJECTS : FIRST_FORM,
    subject,
    metric,
    keyHash: key === null || subject === null ? null : keyHashOf({ account, subject, metric: metric ?? '', key }),
    value: value === null ? null : String(value),
    zone: tz === undefined ? null : String(tz ?? ''),
    imported: imported === true,
    data: { ...data, ...swept },
    personal,
  };
}
