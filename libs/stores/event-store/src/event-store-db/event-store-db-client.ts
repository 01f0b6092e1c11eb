import {
  BACKWARDS,
  END,
  FORWARDS,
  NO_STREAM,
  START,
  StreamNotFoundError,
  WrongExpectedVersionError,
  jsonEvent,
  streamNameFilter,
  type AllStreamRecordedEvent,
  type EventStoreDBClient,
  type Position,
  type RecordedEvent,
} from '@eventstore/db-client';
import type { Clock } from '@laurel/ports';
import { accessErrorOf, asksForNewConnection, isUndiscovered } from './append-errors.ts';
import { Connection, urlOfOneNode } from './connection.ts';
import { FilteredCursor } from './filtered-cursor.ts';
import { collect, type Reading } from './reading.ts';
import { placeOf, sameEvent, type ProposedEvent } from './stored-event.ts';

/** What a server said to an append. `place` is null if it told none. */
export type AppendAnswer =
  { readonly kind: 'appended'; readonly place: number | null } | { readonly kind: 'wrong-revision' };

/** Of a stream: its newest event's number, or null if there is none. */
export type Revision = bigint | null;

/** Longer than a live server takes to go on: so a connection that is silently gone is noticed. */
const READ_LIMIT_MS = 5_000;

/** The server checks the right to append before it finds out that no stream has come so far. */
const NO_SUCH_REVISION = BigInt(Number.MAX_SAFE_INTEGER);

/** Events of a stream that are read at a time. */
const STREAM_PAGE = 500;

/** A read that goes on may take longer in all. */
const WHOLE_READ_LIMIT_MS = 60_000;

/** Events between two checkpoints of a filtered subscription, in search windows of the server (32 events). */
const CHECKPOINT_INTERVAL = 64;

/** What to hear of a subscription. `onEnd`: it has ended or failed, or its connection was given up. */
export interface SubscriptionListener {
  readonly onHint: () => void;
  readonly onEnd: () => void;
}

/** A call without an end. */
interface EndlessCall {
  /** Its connection was given up: it ends after what is under way. */
  readonly retire: () => void;
  readonly end: () => void;
}

/**
 * The client of EventStoreDB as this adapter uses it: everything at the leader, everything within a limit of time.
 *
 * Appends are single calls. The client's own way, one stream of batches, keeps its callers in a map of the whole process: an error
 * of one connection rejects the appends of all others, and the answer that then comes for one of those is thrown where nobody
 * catches it. It also waits for ever for a server that has ended the stream without a word.
 *
 * A call without an answer in time gives up the connection for all that follow: the client looks for the leader again only after
 * an error that a frozen leader never sends.
 */
export class EventStoreDbClient {
  readonly #url: string;
  readonly #clock: Clock;
  readonly #prefix: string;
  #connection: Connection;
  readonly #endless = new Set<EndlessCall>();

  /**
   * @param url as `esdb://host:2113?tls=false`
   * @param prefix of the streams that are ours
   * @throws Error if the URL is none
   */
  constructor(url: string, prefix: string, clock: Clock) {
    this.#url = url;
    this.#clock = clock;
    this.#prefix = prefix;
    this.#connection = new Connection(url, clock);
  }

  /**
   * Appends behind the event with this number, or, for null, to a stream that must be new. Asked again with the same event, the
   * server answers with its place and appends nothing.
   */
  append(stream: string, after: Revision, event: ProposedEvent, limitMs: number): Promise<AppendAnswer> {
    return this.#call(`append to streams ${this.#prefix}*`, limitMs, async (client) => {
      try {
        const { success, position } = await client.appendToStream(stream, event, {
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
    });
  }

  /**
   * Tries whether the server lets this process read everything and append, and changes nothing.
   * @param stream that never holds an event
   * @throws EventStoreAccessError if not; any other error if the server cannot be asked
   */
  async probe(stream: string): Promise<void> {
    const impossible = jsonEvent({ type: 'Probe', data: {} });
    try {
      await Promise.all([
        this.readBackwards(null, 1),
        this.append(stream, NO_SUCH_REVISION, impossible, READ_LIMIT_MS),
      ]);
    } catch (error) {
      if (isUndiscovered(error)) await this.#probeNode();
      throw error;
    }
  }

  /** The events of a stream from a number on; none if there is no such stream. */
  readStream(stream: string, from: bigint, maxCount: number): Promise<readonly RecordedEvent[]> {
    return this.#read<RecordedEvent>(this.#streamRight, (client) =>
      client.readStream(stream, { fromRevision: from, maxCount, requiresLeader: true }),
    ).catch(noneIfNotFound);
  }

  /** All events of a stream from a number on, some at a time. */
  async *streamPages(stream: string, from: bigint): AsyncGenerator<readonly RecordedEvent[]> {
    for (let next = from; ;) {
      const page = await this.readStream(stream, next, STREAM_PAGE);
      yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < STREAM_PAGE) return;
      next = last.revision + 1n;
    }
  }

  async lastRevision(stream: string): Promise<Revision> {
    const options = { direction: BACKWARDS, fromRevision: END, maxCount: 1, requiresLeader: true } as const;
    const reading = this.#read<RecordedEvent>(this.#streamRight, (client) => client.readStream(stream, options));
    const [last] = await reading.catch(noneIfNotFound);
    return last?.revision ?? null;
  }

  /** Whatever the server holds, from a position on (which may come again); null: from the beginning. */
  readForwards(from: Position | null, maxCount: number): Promise<readonly AllStreamRecordedEvent[]> {
    const fromPosition = from ?? START;
    return this.#read(ALL_RIGHT, (client) =>
      client.readAll({ direction: FORWARDS, fromPosition, maxCount, requiresLeader: true }),
    );
  }

  /** Whatever the server holds before a position, newest first; null: from the end. */
  readBackwards(before: Position | null, maxCount: number): Promise<readonly AllStreamRecordedEvent[]> {
    const fromPosition = before ?? END;
    return this.#read(ALL_RIGHT, (client) =>
      client.readAll({ direction: BACKWARDS, fromPosition, maxCount, requiresLeader: true }),
    );
  }

  /** Reads what is ours behind a position (null: from the beginning) until it has caught up, over whatever else the server holds. */
  openCursor(from: Position | null): FilteredCursor {
    const connection = this.#connection;
    const cursor = new FilteredCursor(
      (checkpointReached) =>
        connection.open((client) =>
          client.subscribeToAll({
            fromPosition: from ?? START,
            requiresLeader: true,
            filter: streamNameFilter({
              prefixes: [this.#prefix],
              checkpointInterval: CHECKPOINT_INTERVAL,
              checkpointReached: (_subscription, position) => checkpointReached(position),
            }),
          }),
        ),
      this.#clock,
      READ_LIMIT_MS,
      () => connection.hold(),
    );
    const call = { retire: () => cursor.retire(), end: () => cursor.close() };
    this.#endless.add(call);
    cursor.onClosed = () => void this.#endless.delete(call);
    return cursor;
  }

  /** Passes on what a call of a cursor failed with, as that of any other call. */
  async watch<T>(reading: Promise<T>): Promise<T> {
    const connection = this.#connection;
    return reading.catch((error: unknown) => this.#failed(connection, error, ALL_RIGHT));
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

  /** Hears of what is appended from now on to streams of ours. Answers what ends it. */
  subscribe({ onHint, onEnd }: SubscriptionListener): () => void {
    const subscription = this.#connection.open((client) =>
      client.subscribeToAll({ fromPosition: END, filter: streamNameFilter({ prefixes: [this.#prefix] }) }),
    );
    const end = (): void => {
      if (this.#endless.delete(call)) onEnd();
      subscription.unsubscribe().catch(() => undefined);
    };
    const call = { retire: end, end };
    this.#endless.add(call);
    subscription.on('confirmation', onHint).on('data', onHint);
    subscription.on('error', end).on('end', end).on('close', end);
    return () => {
      this.#endless.delete(call);
      end();
    };
  }

  async close(): Promise<void> {
    for (const { end } of [...this.#endless]) end();
    await this.#connection.close();
  }

  /** The search for the leader keeps to itself why no node answers: one node, asked by itself, says. */
  async #probeNode(): Promise<void> {
    const node = new Connection(urlOfOneNode(this.#url), this.#clock);
    const reading = node.run(READ_LIMIT_MS, (client) =>
      collect(client.readAll({ maxCount: 1 }) as unknown as Reading, this.#clock, READ_LIMIT_MS),
    );
    const failure: unknown = await reading.then(
      () => null,
      (error: unknown) => accessErrorOf(error, ALL_RIGHT),
    );
    node.retire();
    if (failure !== null) throw failure as Error;
  }

  get #streamRight(): string {
    return `read streams ${this.#prefix}*`;
  }

  #read<E>(right: string, start: (client: EventStoreDBClient) => unknown): Promise<readonly E[]> {
    return this.#call(right, WHOLE_READ_LIMIT_MS, (client) =>
      collect<E>(start(client) as Reading, this.#clock, READ_LIMIT_MS),
    );
  }

  async #call<T>(right: string, limitMs: number, call: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    const connection = this.#connection;
    return connection.run(limitMs, call).catch((error: unknown) => this.#failed(connection, error, right));
  }

  #failed(connection: Connection, error: unknown, right: string): never {
    if (asksForNewConnection(error)) this.#replace(connection);
    throw accessErrorOf(error, right) ?? error;
  }

  /** Many calls of one connection fail together; the first of them replaces it. */
  #replace(given: Connection): void {
    if (given !== this.#connection) return;
    this.#connection = new Connection(this.#url, this.#clock);
    for (const { retire } of [...this.#endless]) retire();
    given.retire();
  }
}

const ALL_RIGHT = 'read $all';

function noneIfNotFound(error: unknown): readonly RecordedEvent[] {
  if (error instanceof StreamNotFoundError) return [];
  throw error;
}
