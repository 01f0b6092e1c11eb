import type { AllStreamRecordedEvent, Position, RecordedEvent as EsdbEvent } from '@eventstore/db-client';
import type { AccountEvent, KeyHash, RecordedEvent } from '@laurel/kernel';
import type { CancelTimer, Clock, DataKeys } from '@laurel/ports';
import type { StoredLog, StoredRecord } from '../stored-record.ts';
import { keyHashIn, subjectIn, type EventLog, type UsedKey } from '../event-store.ts';
import { NO_KEYS } from '../personal-fields.ts';
import type { EventStoreDbClient } from './event-store-db-client.ts';
import type { FilteredCursor } from './filtered-cursor.ts';
import type { HeadFinder } from './head-finder.ts';
import type { Slots } from './slots.ts';
import { openedRecord, openedRecords } from '../opened-records.ts';
import { placeInLog, positionAt, storedOf, type PlacedEvent } from './stored-event.ts';
import type { StreamNames } from './stream-names.ts';

/** Events in a page at least: some of them may belong to other streams. */
const SMALLEST_PAGE = 100;

/** A cursor that is not used within this time is closed. */
const KEEP_CURSOR_MS = 10_000;

/** The calls of the client that it uses. */
export type ReadingClient = Pick<
  EventStoreDbClient,
  'openCursor' | 'placeOfRead' | 'readBackwards' | 'readForwards' | 'readStream' | 'streamPages' | 'watch'
>;

export interface LogReaderDependencies {
  readonly names: StreamNames;
  readonly slots: Slots;
  readonly clock: Clock;
  readonly dataKeys: DataKeys;
  /** Shared by all readers of a client, so that each position is looked for only once. */
  readonly head: HeadFinder;
}

/** A read of one or more steps. */
interface Read {
  readonly after: number;
  readonly limit: number;
  /** Events read so far; fewer than the limit. */
  readonly found: readonly PlacedEvent[];
}

/**
 * The read half of the log in EventStoreDB. Recently appended events come from one page of `$all`. A longer distance is read through a
 * filtered subscription, which events of other applications do not slow down; it is kept open for a reader that continues where it stopped.
 */
export class EventStoreDbLogReader implements EventLog, StoredLog {
  readonly #client: ReadingClient;
  readonly #dependencies: LogReaderDependencies;
  /** A range after a read position that holds no event of this log. */
  #emptyStretch: { readonly after: number; readonly upTo: Position } | null = null;
  /** The end of the last read that reached its limit, after which there may be many more events. */
  #fullUpTo = 0;
  #kept: { readonly after: number; readonly cursor: FilteredCursor } | null = null;
  #cancelExpiry: CancelTimer = () => undefined;
  #closed = false;

  constructor(client: ReadingClient, dependencies: LogReaderDependencies) {
    this.#client = client;
    this.#dependencies = dependencies;
  }

  async read(after: number, limit: number): Promise<readonly RecordedEvent[]> {
    return openedRecords(await this.readStored(after, limit), this.#dependencies.dataKeys);
  }

  async readStored(after: number, limit: number): Promise<readonly StoredRecord[]> {
    return (await this.#find(after, limit)).map(storedOf);
  }

  async #find(after: number, limit: number): Promise<readonly PlacedEvent[]> {
    const kept = this.#takeKept(after);
    if (kept !== null) return this.#readKept(kept, after, limit);
    if (after > 0 && after === this.#fullUpTo) return this.#readCursor(positionAt(after), { after, limit, found: [] });
    const from = this.#emptyStretch?.after === after ? this.#emptyStretch.upTo : after === 0 ? null : positionAt(after);
    return this.#readPage(from, { after, limit, found: [] });
  }

  async readAccountEvents(account: string, types?: readonly AccountEvent['type'][]): Promise<readonly RecordedEvent[]> {
    const placed: PlacedEvent[] = [];
    const wanted = (type: string): boolean => types === undefined || types.some((one) => one === type);
    for await (const page of this.#client.streamPages(this.#dependencies.names.ofAccount(account), 0n)) {
      const events = page.filter(({ type }) => wanted(type));
      placed.push(
        ...(await Promise.all(events.map((event) => this.#dependencies.slots.run(() => this.#place(event))))),
      );
    }
    return openedRecords(placed.map(storedOf), this.#dependencies.dataKeys);
  }

  async findKeys(keys: readonly KeyHash[]): Promise<readonly UsedKey[]> {
    const found = await Promise.all(keys.map((key) => this.#dependencies.slots.run(() => this.#findKey(key))));
    return found.flat();
  }

  head(): Promise<number> {
    return this.#dependencies.head.find();
  }

  close(): void {
    this.#closed = true;
    this.#dropCursor();
  }

  /** Called when a record at this position is known. */
  reached(place: number): void {
    this.#dependencies.head.reached(place);
  }

  /** The open cursor that continues after the position. */
  #takeKept(after: number): FilteredCursor | null {
    const kept = this.#kept;
    if (kept?.after !== after || kept.cursor.isOver) this.#dropCursor();
    this.#cancelExpiry();
    const usable = this.#kept;
    this.#kept = null;
    return usable?.cursor ?? null;
  }

  async #readPage(from: Position | null, read: Read): Promise<readonly PlacedEvent[]> {
    const asked = Math.max(read.limit - read.found.length + 1, SMALLEST_PAGE);
    const page = await this.#client.readForwards(from, asked);
    const found = this.#withOursOf(page, read);
    if (found.length === read.limit) return this.#full(found);
    const last = page.at(-1)?.position ?? from;
    if (page.length < asked) return this.#caughtUp(found, read.after, last);
    return this.#readCursor(last, { ...read, found });
  }

  async #readCursor(from: Position | null, read: Read): Promise<readonly PlacedEvent[]> {
    const { found, passed, caughtUp } = await this.#take(this.#client.openCursor(from), from, read);
    return caughtUp ? this.#caughtUp(found, read.after, passed) : this.#full(found);
  }

  /** Reads from the kept cursor. It may have caught up long ago, so one page shows the newest events. */
  async #readKept(cursor: FilteredCursor, after: number, limit: number): Promise<readonly PlacedEvent[]> {
    const { found, passed, caughtUp } = await this.#take(cursor, positionAt(after), { after, limit, found: [] });
    return caughtUp ? this.#readPage(passed, { after, limit, found }) : this.#full(found);
  }

  /** Adds the events of the cursor, which is kept if there may be more. */
  async #take(cursor: FilteredCursor, from: Position | null, read: Read) {
    try {
      const { events, passed, caughtUp } = await this.#client.watch(cursor.take(read.limit - read.found.length));
      const found = this.#withOursOf(events, read);
      if (caughtUp) cursor.close();
      else this.#keep(found.at(-1)?.position ?? read.after, cursor);
      return { found, caughtUp, passed: latest(from, passed, events.at(-1)?.position ?? null) };
    } catch (error) {
      cursor.close();
      throw error;
    }
  }

  #keep(after: number, cursor: FilteredCursor): void {
    this.#dropCursor();
    if (this.#closed) return cursor.close();
    this.#kept = { after, cursor };
    this.#cancelExpiry = this.#dependencies.clock.after(KEEP_CURSOR_MS, () => this.#dropCursor());
  }

  #dropCursor(): void {
    this.#cancelExpiry();
    this.#kept?.cursor.close();
    this.#kept = null;
  }

  /** Adds the events of this log among these, up to the limit. */
  #withOursOf(events: readonly AllStreamRecordedEvent[], { after, limit, found }: Read): readonly PlacedEvent[] {
    const behind = found.at(-1)?.position ?? after;
    const ours = events.filter(
      ({ streamId, position }) => this.#dependencies.names.isOurs(streamId) && position.commit > behind,
    );
    const more = ours.slice(0, limit - found.length).map((event) => {
      const position = placeInLog(event);
      this.reached(position);
      return { event, position };
    });
    return [...found, ...more];
  }

  #full(found: readonly PlacedEvent[]): readonly PlacedEvent[] {
    this.#fullUpTo = found.at(-1)?.position ?? 0;
    return found;
  }

  #caughtUp(found: readonly PlacedEvent[], after: number, upTo: Position | null): readonly PlacedEvent[] {
    if (upTo === null) return found;
    const last = found.at(-1)?.position ?? after;
    this.#emptyStretch = { after: last, upTo };
    this.#dependencies.head.nothingBetween(last, upTo);
    return found;
  }

  async #place(event: EsdbEvent): Promise<PlacedEvent> {
    return { event, position: await this.#client.placeOfRead(event) };
  }

  async #findKey(keyHash: KeyHash): Promise<readonly UsedKey[]> {
    const [event] = await this.#client.readStream(this.#dependencies.names.ofKey(keyHash), 0n, 1);
    if (!event) return [];
    const record = openedRecord(storedOf(await this.#place(event)), NO_KEYS);
    const { account, fact, eventId, position, occurredAt } = record;
    if (keyHashIn(record) !== keyHash) return [];
    return [{ account, subject: subjectIn(fact), keyHash, eventId, position, occurredAt }];
  }
}

const latest = (...positions: readonly (Position | null)[]): Position | null =>
  positions.reduce((last, one) => (one !== null && (last === null || one.commit > last.commit) ? one : last), null);
