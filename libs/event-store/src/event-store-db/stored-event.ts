import {
  jsonEvent,
  type AllStreamRecordedEvent,
  type JSONRecordedEvent,
  type Position,
  type RecordedEvent,
} from '@eventstore/db-client';
import { formatInstant } from '@laurel/calendar';
import type { LogRecord, NewRecord } from '@laurel/contracts';
import { decodeFactAt, encodeFact, type StoredFact } from '../record-codec.ts';

/** The body of an event: the fact. Its type is the event's type. */
type Body = Omit<StoredFact, 'type' | 'schemaVersion'>;

/** What is recorded beside the fact. */
interface Metadata {
  readonly account: string;
  readonly schemaVersion: number;
  readonly configurationVersion: number;
  readonly occurredAt: string;
  readonly recordedAt: string;
}

/** As the client appends it. */
export type ProposedEvent = ReturnType<typeof jsonEvent>;

export function proposedEvent(record: NewRecord): ProposedEvent {
  const { type, schemaVersion, ...body } = encodeFact(record.fact);
  const metadata: Metadata = {
    account: record.account,
    schemaVersion,
    configurationVersion: record.configurationVersion,
    occurredAt: formatInstant(record.occurredAt),
    recordedAt: formatInstant(record.recordedAt),
  };
  return jsonEvent({ id: record.eventId, type, data: body, metadata: { ...metadata } });
}

/** @throws Error if the event is not one of ours; UnreadableRecordError. */
export function recordOf(event: RecordedEvent, position: number): LogRecord {
  if (!event.isJson || event.metadata === undefined)
    throw new Error(`the event ${event.id} in stream ${event.streamId} was not written by Laurel`);
  const { type, data, metadata } = event as JSONRecordedEvent;
  const { account, schemaVersion, configurationVersion, occurredAt, recordedAt } = metadata as unknown as Metadata;
  return {
    eventId: event.id,
    account,
    configurationVersion,
    occurredAt: Date.parse(occurredAt),
    recordedAt: Date.parse(recordedAt),
    fact: decodeFactAt(position, event.id, type, () => ({ type, schemaVersion, ...(data as unknown as Body) })),
    position,
  };
}

/** The same event, to be appended once more. */
export const sameEvent = ({ id, type, data, metadata }: RecordedEvent): ProposedEvent =>
  jsonEvent({ id, type, data: data as never, metadata: metadata as never });

/** What servers say that tell no position with the events of a stream: the largest number, signed or not. */
const NO_POSITION = 2n ** 63n - 1n;

/**
 * The place of an event in the whole log; null: not told. Both of its halves are the same for what was appended as ours is.
 * @throws Error beyond 2^53, where a number would no longer be exact.
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

/** Of an event read from everything that the server holds. @throws Error if the server does not tell it */
export function placeInLog(event: AllStreamRecordedEvent): number {
  const place = placeOf(event.position);
  if (place === null) throw new Error(`the server does not tell the position of the event ${event.id}`);
  return place;
}
