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
  type RecordedEvent as EsdbEvent,
} from '@eventstore/db-client';
import type { Clock } from '@laurel/ports';
import { accessErrorOf, asksForNewConnection, isUndiscovered } from './append-errors.ts';
import { Connection, urlOfOneNode } from './connection.ts';
import { FilteredCursor } from './filtered-cursor.ts';
import { collect, type Reading } from './reading.ts';
import { placeOf, sameEvent, type ProposedEvent } from './stored-event.ts';

/** The server's answer to an append. `place` is the position, or null if the server does not tell it. */
export type AppendAnswer =
  { readonly kind: 'appended'; readonly place: number | null } | { readonly kind: 'wrong-revision' };

/** The number of the newest event of a stream; null if there is none. */
export type Revision = bigint | null;

/** Longer than any pause of a live server, so that a silently lost connection is noticed. */
const READ_LIMIT_MS = 5_000;

/** No stream has this revision. The server checks the right to append first. */
const NO_SUCH_REVISION = BigInt(Number.MAX_SAFE_INTEGER);

/** Events of a stream that one call reads. */
const STREAM_PAGE = 500;

/** The limit of a whole read that makes progress. */
const WHOLE_READ_LIMIT_MS = 60_000;

/** The distance of two checkpoints of a filtered subscription, in search windows of the server (32 events). */
const CHECKPOINT_INTERVAL = 64;

/** Listens to a subscription. `onEnd`: it has ended or failed, or its connection was replaced. */
export interface SubscriptionListener {
  readonly onHint: () => void;
  readonly onEnd: () => void;
}

/** A cursor or a subscription. */
interface EndlessCall {
  /** Called when the connection is replaced: the call ends after the reading in progress. */
  readonly retire: () => void;
  readonly end: () => void;
}

/**
 * The client of EventStoreDB as this adapter uses it: every call goes to the leader and has a time limit.
 *
 * Appends are single calls. The client's batch append keeps its callers in a map of the whole process: an error of one connection rejects
 * the appends of all others, and a later answer to one of those throws an error that nobody can catch. It also waits for ever for a server
 * that has closed the stream silently.
 *
 * A call without an answer in time replaces the connection for later calls, because the client looks for the leader again only after an
 * error that a frozen leader never sends.
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
   * @throws Error if the URL is invalid
   */
  constructor(url: string, prefix: string, clock: Clock) {
    this.#url = url;
    this.#clock = clock;
    this.#prefix = prefix;
    this.#connection = new Connection(url, clock);
  }

  /**
   * Appends after the event with this revision, or, for null, to a new stream. A repeated append of the same event returns its position and
   * appends nothing.
   */
  append(stream: string, after: Revision, event: ProposedEvent, limitMs: number): Promise<AppendAnswer> {
    return this.#call(`append to streams ${this.#prefix}*`, limitMs, async (client) => {
      try {
        const { success, position } = await client.appendToStream(stream, event, {
          expectedRevision: after ?? NO_STREAM,
          deadline: limitMs,
          requiresLeader: true,
        });
        // With throwOnAppendFailure=false in the URL, a refusal is no exception.
        return success ? { kind: 'appended', place: placeOf(position) } : { kind: 'wrong-revision' };
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) return { kind: 'wrong-revision' };
        throw error;
      }
    });
  }

  /**
   * Checks that this process may read and append, without changing anything.
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

  /** The events of a stream from a revision on; empty if there is no such stream. */
  readStream(stream: string, from: bigint, maxCount: number): Promise<readonly EsdbEvent[]> {
    return this.#read<EsdbEvent>(this.#streamRight, (client) =>
      client.readStream(stream, { fromRevision: from, maxCount, requiresLeader: true }),
    ).catch(noneIfNotFound);
  }

  /** All events of a stream from a revision on, page by page. */
  async *streamPages(stream: string, from: bigint): AsyncGenerator<readonly EsdbEvent[]> {
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
    const reading = this.#read<EsdbEvent>(this.#streamRight, (client) => client.readStream(stream, options));
    const [last] = await reading.catch(noneIfNotFound);
    return last?.revision ?? null;
  }

  /** Reads `$all` forwards from a position, inclusive, or from the beginning for null. */
  readForwards(from: Position | null, maxCount: number): Promise<readonly AllStreamRecordedEvent[]> {
    const fromPosition = from ?? START;
    return this.#read(ALL_RIGHT, (client) =>
      client.readAll({ direction: FORWARDS, fromPosition, maxCount, requiresLeader: true }),
    );
  }

  /** Reads `$all` backwards before a position, or from the end for null; newest first. */
  readBackwards(before: Position | null, maxCount: number): Promise<readonly AllStreamRecordedEvent[]> {
    const fromPosition = before ?? END;
    return this.#read(ALL_RIGHT, (client) =>
      client.readAll({ direction: BACKWARDS, fromPosition, maxCount, requiresLeader: true }),
    );
  }

  /** Reads the streams of this log after a position (null: from the beginning) until it has caught up, past all other streams. */
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

  /** Handles the failure of a cursor like that of any other call. */
  async watch<T>(reading: Promise<T>): Promise<T> {
    const connection = this.#connection;
    return reading.catch((error: unknown) => this.#failed(connection, error, ALL_RIGHT));
  }

  /** The position of an event that was read from its stream. Older servers tell it only when the event is appended again. */
  async placeOfRead(event: EsdbEvent): Promise<number> {
    const told = placeOf(event.position);
    if (told !== null) return told;
    const before = event.revision === 0n ? null : event.revision - 1n;
    const answer = await this.append(event.streamId, before, sameEvent(event), READ_LIMIT_MS);
    if (answer.kind === 'appended' && answer.place !== null) return answer.place;
    throw new Error(`the server does not tell the position of the event ${event.id}`);
  }

  /** Listens for appends to streams of this log. @returns a function that ends the subscription */
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

  /** The search for the leader hides why no node answers, so one node is called directly. */
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

  /** Many calls of one connection fail together; only the first replaces it. */
  #replace(given: Connection): void {
    if (given !== this.#connection) return;
    this.#connection = new Connection(this.#url, this.#clock);
    for (const { retire } of [...this.#endless]) retire();
    given.retire();
  }
}

const ALL_RIGHT = 'read $all';

function noneIfNotFound(error: unknown): readonly EsdbEvent[] {
  if (error instanceof StreamNotFoundError) return [];
  throw error;
}
