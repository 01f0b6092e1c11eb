import { encodeStreamed, headersOf } from '../protocol.ts';
import { sealed } from '../sealed-records.ts';
import type { RecordedEvent } from '@laurel/kernel';
import { errorCode, TOPICS, type Clock, type DataKeys, type Streamed } from '@laurel/ports';
import { keysToSeal, type EventStore, type KeysByUser } from '@laurel/event-store';
import type { OutgoingMessage, StreamProducer } from '@laurel/event-stream';
import { routeRecord } from './route-record.ts';
import type { RelayCheckpoint, RelayStore } from './relay-store.ts';

export interface RelayDependencies {
  readonly log: Pick<EventStore, 'read' | 'onAppend'>;
  readonly producer: Pick<StreamProducer, 'send'>;
  readonly store: RelayStore;
  /** Keys to seal personal fields before they leave the log. */
  readonly dataKeys: DataKeys;
  readonly partitions: number;
  readonly clock: Clock;
  /** Called with an error; publishing is retried after a pause. */
  readonly onTrouble: (error: unknown) => void;
  /** Positions of those of these records that are never published. Default: none. */
  readonly withheld?: (records: readonly RecordedEvent[]) => Promise<ReadonlySet<number>>;
}

/** A chunk read from the log, with the data keys to seal its personal fields. */
interface Chunk {
  /** The chunk begins after this position. */
  readonly after: number;
  readonly content: Promise<ChunkContent>;
}

interface ChunkContent {
  readonly records: readonly RecordedEvent[];
  readonly withheld: ReadonlySet<number>;
  readonly keys: KeysByUser;
}

/** The log counts as a single source partition. */
const SOURCE = 0;
const RECORDS_AT_A_TIME = 500;
const MESSAGES_AT_A_TIME = 2_000;
/** Interval of polling, in case a hint of an append is missed, for example while a connection is lost. */
const POLL_MS = 1_000;
const PAUSE_MS = 1_000;
/** Small chunks save the checkpoint at most once in this time, and at the latest this long after the last chunk. */
const SAVED_WITHIN_MS = 200;
const BATCHING_MS_PER_RECORD = 3;
const BATCHING_AT_MOST_MS = 50;

/**
 * Publishes every record of the log, in order, to the first topic of the chain. The checkpoint is saved some time after
 * the broker has acknowledged. A crash in between publishes the same messages again with the same numbers, and the
 * receivers drop them. Two relays at once are therefore harmless but waste work. While one chunk is sent and its
 * checkpoint saved, the next one is read.
 *
 * Each chunk has a fixed cost for the services behind it. So under load the relay lets records gather: the more records
 * the last chunk had, the longer the next one waits, at most 50 ms (docs/architecture/topics.md). It does not wait
 * after a single record, or while there is a backlog.
 */
export class Relay {
  readonly counts = { records: 0, sent: 0 };
  readonly #dependencies: RelayDependencies;
  #checkpoint: RelayCheckpoint | null = null;
  /**
   * The stored checkpoint, and since when (the clock's `elapsedMs`) it is behind what was sent. null if everything sent
   * is stored.
   */
  #recorded: { readonly checkpoint: RelayCheckpoint; readonly sinceMs: number } | null = null;
  /** The next chunk, read while the present one is sent; null if none is. */
  #ahead: Chunk | null = null;
  #running: Promise<void> | null = null;
  #ended = false;
  #wake: () => void = () => undefined;
  #heedsHints = true;
  #hinted = false;
  #trouble: string | null = null;

  constructor(dependencies: RelayDependencies) {
    this.#dependencies = dependencies;
  }

  /** Position of the last record that was published, as far as this process knows. */
  get position(): number {
    return this.#checkpoint?.position ?? 0;
  }

  /** The code of the error that keeps the relay from publishing, or null if there is none. */
  get trouble(): string | null {
    return this.#trouble;
  }

  start(): void {
    this.#ended = false;
    this.#running ??= this.#run();
  }

  /** Stops after the running chunk. */
  async stop(): Promise<void> {
    this.#ended = true;
    this.#wake();
    await this.#running;
    await this.#ahead?.content.catch(() => undefined);
    await this.#save().catch((error: unknown) => this.#dependencies.onTrouble(error));
    this.#running = null;
    this.#forget();
    this.#ahead = null;
  }

  #forget(): void {
    this.#checkpoint = null;
    this.#recorded = null;
  }

  async #run(): Promise<void> {
    const stopHints = this.#dependencies.log.onAppend(() => {
      this.#hinted = true;
      if (this.#heedsHints) this.#wake();
    });
    while (!this.#ended) {
      try {
        const began = { ms: this.#dependencies.clock.elapsedMs(), records: this.counts.records };
        const more = await this.#send();
        if (more || this.#unsavedMs >= SAVED_WITHIN_MS) await this.#save();
        this.#trouble = null;
        if (!more) await this.#waitForMore(began.ms + batchingMs(this.counts.records - began.records));
        if (!more && !this.#hinted) await this.#pause(this.#recorded === null ? POLL_MS : SAVED_WITHIN_MS);
      } catch (error) {
        this.#forget();
        this.#trouble = errorCode(error) ?? 'it could not be published';
        this.#dependencies.onTrouble(error);
        await this.#pause(PAUSE_MS);
      }
    }
    stopHints();
  }

  /** Publishes the next records, and saves the checkpoint. Returns whether there may be more. */
  async publish(): Promise<boolean> {
    const more = await this.#send();
    await this.#save();
    return more;
  }

  async #send(): Promise<boolean> {
    const { producer, store, clock } = this.#dependencies;
    const before = (this.#checkpoint ??= await store.read());
    const content = await this.#chunkBehind(before.position).content;
    const { records } = content;
    const { messages, sent, published } = this.#number(before, content);
    const last = records[published - 1];
    if (last === undefined) return false;
    const more = records.length === RECORDS_AT_A_TIME || published < records.length;
    const sending = messages.length > 0 ? producer.send(messages) : Promise.resolve();
    if (more) this.#ahead = this.#read(last.position);
    await sending;
    this.#recorded ??= { checkpoint: before, sinceMs: clock.elapsedMs() };
    this.#checkpoint = { position: last.position, sent };
    this.counts.records += published;
    this.counts.sent += messages.length;
    return more;
  }

  get #unsavedMs(): number {
    return this.#recorded === null ? 0 : this.#dependencies.clock.elapsedMs() - this.#recorded.sinceMs;
  }

  /** @throws StaleRelayError */
  async #save(): Promise<void> {
    if (this.#recorded === null || this.#checkpoint === null) return;
    const { checkpoint } = this.#recorded;
    try {
      await this.#dependencies.store.save(checkpoint, this.#checkpoint);
      this.#recorded = null;
    } catch (error) {
      this.#forget();
      throw error;
    }
  }

  /** A chunk that was read ahead can be used only if it directly follows the published position. */
  #chunkBehind(position: number): Chunk {
    const ahead = this.#ahead;
    this.#ahead = null;
    return ahead?.after === position ? ahead : this.#read(position);
  }

  #read(after: number): Chunk {
    // Records appended from here on may be missing in this chunk.
    this.#hinted = false;
    const content = this.#readContent(after);
    // The chunk may never be used, so its error must not count as unhandled.
    content.catch(() => undefined);
    return { after, content };
  }

  async #readContent(after: number): Promise<ChunkContent> {
    const { log, dataKeys, withheld } = this.#dependencies;
    const records = await log.read(after, RECORDS_AT_A_TIME);
    const keys = await keysToSeal(records, dataKeys);
    return { records, keys, withheld: (await withheld?.(records)) ?? NONE };
  }

  /** The messages of as many records as one send should hold: a sweep is one record, but hundreds of messages. */
  #number({ sent: before }: RelayCheckpoint, { records, withheld, keys }: ChunkContent) {
    const sent = new Map(before);
    const messages: OutgoingMessage[] = [];
    let published = 0;
    for (const record of records) {
      if (messages.length >= MESSAGES_AT_A_TIME) break;
      const routed = withheld.has(record.position) ? [] : routeRecord(record, this.#dependencies.partitions);
      for (const { partition, key, streamed } of routed) {
        const sequence = (sent.get(partition) ?? 0) + 1;
        sent.set(partition, sequence);
        const headers = headersOf({ source: SOURCE, sequence });
        messages.push({ topic: TOPICS.log, partition, key, value: encodeStreamed(toSend(streamed, keys)), headers });
      }
      published++;
    }
    return { messages, sent, published };
  }

  /** Waits until `untilMs` (the clock's `elapsedMs`), even if something is appended meanwhile. */
  async #waitForMore(untilMs: number): Promise<void> {
    const leftMs = untilMs - this.#dependencies.clock.elapsedMs();
    if (leftMs <= 0) return;
    this.#heedsHints = false;
    await this.#pause(leftMs);
    this.#heedsHints = true;
  }

  #pause(ms: number): Promise<void> {
    if (this.#ended) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = this.#dependencies.clock.after(ms, resolve);
      this.#wake = () => {
        cancel();
        resolve();
      };
    });
  }
}

const NONE: ReadonlySet<number> = new Set();

/** The shortest time from the beginning of a chunk with this many records to the beginning of the next one. */
const batchingMs = (records: number): number =>
  records > 1 ? Math.min(BATCHING_MS_PER_RECORD * records, BATCHING_AT_MOST_MS) : 0;

const toSend = (streamed: Streamed, keys: KeysByUser): Streamed =>
  streamed.kind === 'record' ? sealed(streamed, keys) : streamed;
