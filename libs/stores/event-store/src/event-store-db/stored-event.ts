import {
  jsonEvent,
  type AllStreamRecordedEvent,
  type JSONRecordedEvent,
  type Position,
  type RecordedEvent as EsdbEvent,
} from '@eventstore/db-client';
import { formatInstant } from '@laurel/calendar';
import type { NewRecord } from '@laurel/kernel';
import { sealedOf, type KeysByUser } from '../personal-fields.ts';
import type { StoredRecord } from '../stored-record.ts';
import { encodeEvent } from '../record-codec.ts';
import type { StoredEventData } from '../stored-event-data.ts';

/** The body of an event of EventStoreDB: the recorded event without its type, which is the type of the event. */
interface Body extends Omit<StoredEventData, 'type' | 'schemaVersion' | 'personal'> {
  /** Sealed with the user's data key, in base64. */
  readonly personal: string | null;
}

/** The fields of a record beside the event itself. */
interface Metadata {
  readonly account: string;
  readonly schemaVersion: number;
  readonly configurationVersion: number;
  readonly occurredAt: string;
  readonly recordedAt: string;
}

/** The event in the form that the client appends. */
export type ProposedEvent = ReturnType<typeof jsonEvent>;

/** @param keys from `keysToSeal`; personal fields of a user without a key are not stored */
export function proposedEvent(record: NewRecord, keys: KeysByUser): ProposedEvent {
  const { account, eventId } = record;
  const { type, schemaVersion, personal, ...fact } = encodeEvent(record.fact);
  const sealed = sealedOf(record, { subject: fact.subject, personal }, keys);
  const body: Body = { ...fact, personal: sealed?.toString('base64') ?? null };
  const metadata: Metadata = {
    account,
    schemaVersion,
    configurationVersion: record.configurationVersion,
    occurredAt: formatInstant(record.occurredAt),
    recordedAt: formatInstant(record.recordedAt),
  };
  return jsonEvent({ id: eventId, type, data: { ...body }, metadata: { ...metadata } });
}

/** An event of this log with its position. */
export interface PlacedEvent {
  readonly event: EsdbEvent;
  readonly position: number;
}

/** The stored record, sealed. @throws Error if the event was not written by Laurel */
export function storedOf({ event, position }: PlacedEvent): StoredRecord {
  const { account, schemaVersion, configurationVersion, occurredAt, recordedAt, body } = partsOf(event);
  const { subject, metric, keyHash, value, zone, imported, data, personal } = body;
  return {
    position,
    account,
    schemaVersion,
    configurationVersion,
    eventId: event.id,
    type: event.type,
    occurredAt: Date.parse(occurredAt),
    recordedAt: Date.parse(recordedAt),
    subject,
    metric,
    keyHash,
    value,
    zone,
    imported,
    data,
    personal: bytesOf(personal),
  };
}

function partsOf(event: EsdbEvent): Metadata & { readonly body: Body } {
  if (!event.isJson || event.metadata === undefined)
    throw new Error(`the event ${event.id} in stream ${event.streamId} was not written by Laurel`);
  const { data, metadata } = event as JSONRecordedEvent;
  return { ...(metadata as unknown as Metadata), body: data as unknown as Body };
}

const bytesOf = (personal: string | null): Buffer | null =>
  personal === null ? null : Buffer.from(personal, 'base64');

/** The same event, to be appended once more. */
export const sameEvent = ({ id, type, data, metadata }: EsdbEvent): ProposedEvent =>
  jsonEvent({ id, type, data: data as never, metadata: metadata as never });

/** Servers that do not tell positions with the events of a stream send the largest number, signed or unsigned. */
const NO_POSITION = 2n ** 63n - 1n;

/**
 * The position of an event in the whole log; null if the server does not tell it. Commit and prepare position are equal for single appends.
 * @throws Error beyond 2^53, where a number would no longer be exact
 */
export function placeOf(position: Position | undefined): number | null {
  if (position === undefined || position.commit >= NO_POSITION || position.commit < 0n) return null;
  if (position.commit > BigInt(Number.MAX_SAFE_INTEGER))
    throw new Error(
      `the log has grown beyond the position 2^53 (${position.commit}), which this release cannot number`,
    );
  if (position.prepare !== position.commit)
    throw new Error(`an event at ${position.commit} belongs to a transaction that began at ${position.prepare}`);
  return Number(position.commit);
}

export const positionAt = (place: number): Position => ({ commit: BigInt(place), prepare: BigInt(place) });

/** The position of an event that was read from `$all`. @throws Error if the server does not tell it */
export function placeInLog(event: AllStreamRecordedEvent): number {
  const place = placeOf(event.position);
  if (place === null) throw new Error(`the server does not tell the position of the event ${event.id}`);
  return place;
}
