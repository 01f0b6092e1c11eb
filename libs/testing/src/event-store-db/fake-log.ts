import { closeSync, existsSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';

/** An event as a client proposes it. */
export interface ProposedEvent {
  readonly id: string;
  /** `type` and `content-type`. */
  readonly metadata: readonly (readonly [string, string])[];
  readonly data: Uint8Array;
  readonly customMetadata: Uint8Array;
}

/** An event with its places in the log. */
export interface KeptEvent extends ProposedEvent {
  readonly stream: string;
  readonly revision: bigint;
  /** Commit and prepare position, which are equal for all events that present clients write. */
  readonly position: bigint;
}

export type ExpectedRevision = 'any' | 'no_stream' | 'stream_exists' | bigint;

export type FakeAppendResult =
  | { readonly kind: 'appended'; readonly revision: bigint; readonly position: bigint }
  /** `current` is null if there is no such stream. */
  | { readonly kind: 'wrong-revision'; readonly current: bigint | null }
  /** A repetition of an event that is not replicated yet: the server drops it without an answer. */
  | { readonly kind: 'dropped' };

export interface FakeLogOptions {
  /** The file that keeps the log after the process, or null to keep it in memory only. */
  readonly file: string | null;
  readonly firstPosition: bigint;
}

/** The number of last events among which a repetition with the revision "any" is detected; an estimate. */
const REMEMBERED_FOR_ANY = 20;
/** The server also writes its own events, one after this many. */
const SYSTEM_EVENT_EVERY = 5;

/**
 * The log of EventStoreDB with its documented rules. Appending the same events again after the same revision returns
 * their position each time; an append after another revision than expected is refused. With the revision "any",
 * repetitions are detected only for a while. Positions increase and have gaps, and the server's own events stand
 * between those of clients.
 */
export class FakeLog {
  readonly all: KeptEvent[] = [];
  readonly #streams = new Map<string, KeptEvent[]>();
  readonly #listeners = new Set<() => void>();
  #file: number | null;
  #next: bigint;
  #appends = 0;
  /** How many events of `all` every node has; only these can be read. */
  #replicated = 0;

  constructor({ file, firstPosition }: FakeLogOptions) {
    this.#next = firstPosition;
    if (file !== null && existsSync(file)) this.#load(file);
    this.#file = file === null ? null : openSync(file, 'a');
    if (this.all.length === 0) for (const stream of ['$users', '$$$settings']) this.#systemEvent(stream);
    this.#replicated = this.all.length;
  }

  stream(name: string): readonly KeptEvent[] {
    return this.#streams.get(name) ?? [];
  }

  /** All readable events. */
  get readable(): readonly KeptEvent[] {
    return this.#replicated === this.all.length ? this.all : this.all.slice(0, this.#replicated);
  }

  /** The readable events of a stream. */
  readableStream(name: string): readonly KeptEvent[] {
    return this.stream(name).filter((event) => this.#isReplicated(event));
  }

  /**
   * @param replicated if false, only the leader writes the event: nobody can read it, and repetitions are dropped. A
   * later replicated append replicates it as well, or an election loses it.
   */
  append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
    replicated = true,
  ): FakeAppendResult {
    const kept = this.stream(stream);
    const current = kept.at(-1)?.revision ?? null;
    const repeated = this.#repetitionOf(kept, expected, events);
    if (repeated && !this.#isReplicated(repeated)) return { kind: 'dropped' };
    if (repeated) return { kind: 'appended', revision: repeated.revision, position: repeated.position };
    if (!isMet(expected, current)) return { kind: 'wrong-revision', current };
    if (this.#appends++ % SYSTEM_EVENT_EVERY === 0) this.#systemEvent('$stats-127.0.0.1:2113');
    for (const event of events) this.#keep(stream, event);
    if (replicated) this.replicate();
    const last = this.all.at(-1) as KeptEvent;
    return { kind: 'appended', revision: last.revision, position: last.position };
  }

  /** Replicates everything written so far. */
  replicate(): void {
    this.#replicated = this.all.length;
    for (const listener of [...this.#listeners]) listener();
  }

  /**
   * An election whose new leader has only replicated events: the others are lost, and their positions are assigned
   * again.
   */
  loseUnreplicated(): void {
    for (const lost of this.all.splice(this.#replicated)) {
      this.#streams.get(lost.stream)?.pop();
      if (this.stream(lost.stream).length === 0) this.#streams.delete(lost.stream);
      if (lost.position < this.#next) this.#next = lost.position;
    }
  }

  /**
   * Adds events of another application. @param stream for example `$ce-laurel`, to which a system projection writes
   * links to our events
   */
  addForeign(count: number, stream: string, type = 'other'): void {
    const metadata = [
      ['type', type],
      ['content-type', 'application/json'],
    ] as const;
    const [data, customMetadata] = [Buffer.from('{}'), Buffer.alloc(0)];
    for (let n = 0; n < count; n++)
      this.#keep(stream, { id: foreignId(this.all.length), metadata, data, customMetadata });
    this.replicate();
  }

  /** The position after an event, where the next one begins. */
  behind({ position, stream, data, customMetadata }: KeptEvent): bigint {
    return position + BigInt(120 + stream.length + data.length + customMetadata.length);
  }

  /** Calls the listener after every append. Returns a function that removes it. */
  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  /** The last of the events, if all are already in the place where they would be written, recognized by their ids. */
  #repetitionOf(
    kept: readonly KeptEvent[],
    expected: ExpectedRevision,
    events: readonly ProposedEvent[],
  ): KeptEvent | null {
    const first = this.#firstPlace(kept, expected, events);
    if (first === null || events.length === 0) return null;
    const there = kept.slice(first, first + events.length);
    return there.length === events.length && there.every(({ id }, index) => id === events[index]?.id)
      ? (there.at(-1) ?? null)
      : null;
  }

  #firstPlace(kept: readonly KeptEvent[], expected: ExpectedRevision, events: readonly ProposedEvent[]): number | null {
    if (expected === 'no_stream') return 0;
    if (typeof expected === 'bigint') return Number(expected) + 1;
    const recent = this.all.slice(-REMEMBERED_FOR_ANY);
    const found = recent.find(({ id, stream }) => id === events[0]?.id && stream === kept[0]?.stream);
    return found ? Number(found.revision) : null;
  }

  #isReplicated(event: KeptEvent): boolean {
    const first = this.all[this.#replicated];
    return first === undefined || event.position < first.position;
  }

  #systemEvent(stream: string): void {
    this.#keep(stream, {
      id: foreignId(this.all.length),
      metadata: [
        ['type', '$statsCollected'],
        ['content-type', 'application/json'],
      ],
      data: Buffer.from('{"proc-mem":1}'),
      customMetadata: Buffer.alloc(0),
    });
  }

  #keep(stream: string, event: ProposedEvent): void {
    const kept: KeptEvent = {
      ...event,
      stream,
      revision: BigInt(this.stream(stream).length),
      position: this.#next,
    };
    this.#add(kept);
    if (this.#file !== null) writeSync(this.#file, `${encode(kept)}\n`);
  }

  #add(event: KeptEvent): void {
    this.all.push(event);
    const stream = this.#streams.get(event.stream);
    if (stream) stream.push(event);
    else this.#streams.set(event.stream, [event]);
    this.#next = this.behind(event);
  }

  #load(file: string): void {
    const text = readFileSync(file, 'utf8');
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    // A killed process may have left half a line, after which nothing could be read.
    if (whole !== text) writeFileSync(file, whole);
    for (const line of whole.split('\n').slice(0, -1)) this.#add(decode(line));
  }
}

const foreignId = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

function isMet(expected: ExpectedRevision, current: bigint | null): boolean {
  switch (expected) {
    case 'any':
      return true;
    case 'no_stream':
      return current === null;
    case 'stream_exists':
      return current !== null;
    default:
      return expected === current;
  }
}

const encode = ({ data, customMetadata, revision, position, ...rest }: KeptEvent): string =>
  JSON.stringify({
    ...rest,
    revision: String(revision),
    position: String(position),
    data: Buffer.from(data).toString('base64'),
    customMetadata: Buffer.from(customMetadata).toString('base64'),
  });

function decode(line: string): KeptEvent {
  const kept = JSON.parse(line) as Omit<KeptEvent, 'revision' | 'position' | 'data' | 'customMetadata'> &
    Record<'revision' | 'position' | 'data' | 'customMetadata', string>;
  return {
    ...kept,
    revision: BigInt(kept.revision),
    position: BigInt(kept.position),
    data: Buffer.from(kept.data, 'base64'),
    customMetadata: Buffer.from(kept.customMetadata, 'base64'),
  };
}
