import type { AllStreamRecordedEvent, Position, RecordedEvent } from '@eventstore/db-client';
import type { AccountFact, CancelTimer, Clock, LogRecord } from '@laurel/contracts';
import type { EventLog, IdempotencyScope, UsedKey } from '../event-store.ts';
import type { EventStoreDbClient } from './event-store-db-client.ts';
import type { FilteredCursor } from './filtered-cursor.ts';
import { HeadFinder } from './head-finder.ts';
import type { Slots } from './slots.ts';
import { placeInLog, positionAt, recordOf } from './stored-event.ts';
import type { StreamNames } from './stream-names.ts';

/** Events asked for at a time: there may be some between ours that are not. */
const SMALLEST_PAGE = 100;

/** A reader that has not gone on by then is not expected any more. */
const KEEP_CURSOR_MS = 10_000;

/**
 * The read half of the log in EventStoreDB. What has just been appended comes by one page of everything that the server holds. A
 * longer way goes through a filtered subscription, which other applications' events do not slow down; it is kept for the reader
 * that goes on where it stopped.
 */
export class EventStoreDbLogReader implements EventLog {
  readonly #client: EventStoreDbClient;
  readonly #names: StreamNames;
  readonly #slots: Slots;
  readonly #head: HeadFinder;
  /** Behind a position that was read, the server is known to hold nothing of ours up to another one. */
  #emptyStretch: { readonly after: number; readonly upTo: Position } | null = null;
  /** A place up to which a read was given as many as it asked for: there may be many more. */
  #fullUpTo = 0;
  #kept: { readonly after: number; readonly cursor: FilteredCursor } | null = null;
  #cancelExpiry: CancelTimer = () => undefined;
  readonly #clock: Clock;

  constructor(client: EventStoreDbClient, names: StreamNames, slots: Slots, clock: Clock) {
    this.#clock = clock;
    this.#client = client;
    this.#names = names;
    this.#slots = slots;
    this.#head = new HeadFinder(client, names);
  }

  async read(after: number, limit: number): Promise<readonly LogRecord[]> {
    const cursor = this.#takeCursor(after);
    if (cursor !== null) return this.#readOn(cursor, after, limit, []);
    const from = this.#emptyStretch?.after === after ? this.#emptyStretch.upTo : after === 0 ? null : positionAt(after);
    const asked = Math.max(limit + 1, SMALLEST_PAGE);
    const page = await this.#client.readForwards(from, asked);
    const records = this.#recordsOf(page, after, limit);
    if (records.length === limit) return this.#full(records);
    const last = page.at(-1)?.position ?? null;
    if (page.length < asked) return this.#caughtUp(records, after, last);
    return this.#readOn(this.#client.openCursor(last), after, limit, records);
  }

  async readAccountFacts(account: string, types?: readonly AccountFact['type'][]): Promise<readonly LogRecord[]> {
    const records: LogRecord[] = [];
    const wanted = (type: string): boolean => types === undefined || types.some((one) => one === type);
    for await (const page of this.#client.streamPages(this.#names.ofAccount(account), 0n)) {
      const events = page.filter(({ type }) => wanted(type));
      records.push(...(await Promise.all(events.map((event) => this.#slots.run(() => this.#read(event))))));
    }
    return records;
  }

  async findKeys(keys: readonly IdempotencyScope[]): Promise<readonly UsedKey[]> {
    const found = await Promise.all(keys.map((scope) => this.#slots.run(() => this.#findKey(scope))));
    return found.flat();
  }

  head(): Promise<number> {
    return this.#head.find();
  }

  close(): void {
    this.#dropCursor();
  }

  /** A record stands there. */
  reached(place: number): void {
    this.#head.reached(place);
  }

  /** The cursor that goes on behind the position, if it is worth one. */
  #takeCursor(after: number): FilteredCursor | null {
    const kept = this.#kept;
    if (kept?.after !== after) this.#dropCursor();
    this.#cancelExpiry();
    this.#kept = null;
    if (kept?.after === after) return kept.cursor;
    return after > 0 && after === this.#fullUpTo ? this.#client.openCursor(positionAt(after)) : null;
  }

  async #readOn(
    cursor: FilteredCursor,
    after: number,
    limit: number,
    records: readonly LogRecord[],
  ): Promise<readonly LogRecord[]> {
    try {
      const { events, passed } = await this.#client.watch(cursor.take(limit - records.length));
      const all = [...records, ...this.#recordsOf(events, after, limit)];
      if (passed === null && all.length === limit) {
        this.#keep(all.at(-1)?.position ?? after, cursor);
        return this.#full(all);
      }
      cursor.close();
      return this.#caughtUp(all, after, passed);
    } catch (error) {
      cursor.close();
      throw error;
    }
  }

  #keep(after: number, cursor: FilteredCursor): void {
    this.#dropCursor();
    this.#kept = { after, cursor };
    this.#cancelExpiry = this.#clock.after(KEEP_CURSOR_MS, () => this.#dropCursor());
  }

  #dropCursor(): void {
    this.#cancelExpiry();
    this.#kept?.cursor.close();
    this.#kept = null;
  }

  #recordsOf(events: readonly AllStreamRecordedEvent[], after: number, limit: number): readonly LogRecord[] {
    const ours = events.filter(({ streamId, position }) => this.#names.isOurs(streamId) && position.commit > after);
    return ours.slice(0, limit).map((event) => {
      const place = placeInLog(event);
      this.reached(place);
      return recordOf(event, place);
    });
  }

  #full(records: readonly LogRecord[]): readonly LogRecord[] {
    this.#fullUpTo = records.at(-1)?.position ?? 0;
    return records;
  }

  #caughtUp(records: readonly LogRecord[], after: number, upTo: Position | null): readonly LogRecord[] {
    if (upTo === null) return records;
    const last = records.at(-1)?.position ?? after;
    this.#emptyStretch = { after: last, upTo };
    this.#head.nothingBetween(last, upTo);
    return records;
  }

  async #read(event: RecordedEvent): Promise<LogRecord> {
    return recordOf(event, await this.#client.placeOfRead(event));
  }

  async #findKey(scope: IdempotencyScope): Promise<readonly UsedKey[]> {
    const [event] = await this.#client.readStream(this.#names.ofKey(scope), 0n, 1);
    if (!event) return [];
    const { eventId, position, occurredAt } = await this.#read(event);
    return [{ scope, eventId, position, occurredAt }];
  }
}
