import {
  BACKWARDS,
  END,
  EventStoreDBClient,
  FORWARDS,
  NO_STREAM,
  START,
  StreamNotFoundError,
  WrongExpectedVersionError,
  streamNameFilter,
  type AllStreamRecordedEvent,
  type Position,
  type RecordedEvent,
} from '@eventstore/db-client';
import type { Clock } from '@laurel/contracts';
import { placeOf, sameEvent, type ProposedEvent } from './stored-event.ts';

/** What a server said to an append. `place` is null if it told none. */
export type AppendAnswer =
  { readonly kind: 'appended'; readonly place: number | null } | { readonly kind: 'wrong-revision' };

/** Of a stream: its newest event's number, or null if there is none. */
export type Revision = bigint | null;

/** Longer than a server that lives takes; a connection that has silently gone is noticed by it. */
const READ_LIMIT_MS = 5_000;

/** A read as the client gives it. */
interface Reading {
  on(event: 'data', listener: (item: { readonly event?: unknown }) => void): this;
  on(event: 'end', listener: () => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  cancel(): Promise<void>;
}

/**
 * The client of EventStoreDB as this adapter uses it: everything at the leader, everything within a limit of time.
 *
 * Appends are single calls. The client's own way, one stream of batches, keeps its callers in a map of the whole process: an error
 * of one connection rejects the appends of all others, and the answer that then comes for one of those is thrown where nobody
 * catches it. It also waits for ever for a server that has ended the stream without a word.
 */
export class EventStoreDbClient {
  readonly #client: EventStoreDBClient;
  readonly #clock: Clock;

  /** @param url as `esdb://host:2113?tls=false`. @throws Error if it is none. */
  constructor(url: string, clock: Clock) {
    this.#client = EventStoreDBClient.connectionString(url);
    // Says of every server that it takes no batches.
    Object.assign(this.#client, { supports: () => Promise.resolve(false) });
    this.#clock = clock;
  }

  /**
   * Appends behind the event with this number, or, for null, to a stream that must be new. Asked again with the same event, the
   * server answers with its place and appends nothing.
   */
  async append(stream: string, after: Revision, event: ProposedEvent, limitMs: number): Promise<AppendAnswer> {
    try {
      const { success, position } = await this.#client.appendToStream(stream, event, {
        expectedRevision: after ?? NO_STREAM,
        deadline: limitMs,
        requiresLeader: true,
      });
      // A URL with throwOnAppendFailure=false makes a refusal look like an answer.
      return success ? { kind: 'appended', place: placeOf(position) } : { kind: 'wrong-revision' };
    } catch (error) {
      if (error instanceof WrongExpectedVersionError) return { kind: 'wrong-revision' };
      throw error;
    }
  }

  /** The events of a stream from a number on; none if there is no such stream. */
  async readStream(stream: string, from: bigint, maxCount: number): Promise<readonly RecordedEvent[]> {
    const read = this.#client.readStream(stream, { fromRevision: from, maxCount, requiresLeader: true });
    return this.#collect<RecordedEvent>(read as unknown as Reading).catch(noneIfNotFound);
  }

  async lastRevision(stream: string): Promise<Revision> {
    const read = this.#client.readStream(stream, {
      direction: BACKWARDS,
      fromRevision: END,
      maxCount: 1,
      requiresLeader: true,
    });
    const [last] = await this.#collect<RecordedEvent>(read as unknown as Reading).catch(noneIfNotFound);
    return last?.revision ?? null;
  }

  /** Whatever the server holds, from a position on (which may come again); null: from the beginning. */
  readForwards(from: Position | null, maxCount: number): Promise<readonly AllStreamRecordedEvent[]> {
    const fromPosition = from ?? START;
    const read = this.#client.readAll({ direction: FORWARDS, fromPosition, maxCount, requiresLeader: true });
    return this.#collect(read as unknown as Reading);
  }

  /** Whatever the server holds before a position, newest first; null: from the end. */
  readBackwards(before: Position | null, maxCount: number): Promise<readonly AllStreamRecordedEvent[]> {
    const fromPosition = before ?? END;
    const read = this.#client.readAll({ direction: BACKWARDS, fromPosition, maxCount, requiresLeader: true });
    return this.#collect(read as unknown as Reading);
  }

  /** The place of an event read from its stream, with which older servers tell none: they do when it is appended once more. */
  async placeOfRead(event: RecordedEvent): Promise<number> {
    const told = placeOf(event.position);
    if (told !== null) return told;
    const before = event.revision === 0n ? null : event.revision - 1n;
    const answer = await this.append(event.streamId, before, sameEvent(event), READ_LIMIT_MS);
    if (answer.kind === 'appended' && answer.place !== null) return answer.place;
    throw new Error(`the server does not tell the position of the event ${event.id}`);
  }

  /** What is appended from now on to streams whose names begin so, until it ends or fails. */
  subscribe(prefix: string): ReturnType<EventStoreDBClient['subscribeToAll']> {
    return this.#client.subscribeToAll({
      fromPosition: END,
      filter: streamNameFilter({ prefixes: [prefix] }),
    });
  }

  async close(): Promise<void> {
    await this.#client.dispose();
  }

  /** A read has no limit of its own in the client, and one that is cancelled there neither ends nor fails. */
  #collect<E>(read: Reading): Promise<readonly E[]> {
    return new Promise((resolve, reject) => {
      const events: E[] = [];
      const cancelTimer = this.#clock.after(READ_LIMIT_MS, () => {
        reject(new Error(`the event store has not answered a read within ${READ_LIMIT_MS} ms`));
        read.cancel().catch(() => undefined);
      });
      read.on('data', ({ event }) => {
        if (event !== undefined) events.push(event as E);
      });
      read.on('end', () => {
        cancelTimer();
        resolve(events);
      });
      read.on('error', (error) => {
        cancelTimer();
        reject(error);
      });
    });
  }
}

function noneIfNotFound(error: unknown): readonly RecordedEvent[] {
  if (error instanceof StreamNotFoundError) return [];
  throw error;
}
