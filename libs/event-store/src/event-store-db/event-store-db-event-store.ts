import type { AllStreamRecordedEvent, Position } from '@eventstore/db-client';
import type { Clock, LogRecord, NewRecord } from '@laurel/contracts';
import {
  LogOverloadedError,
  type AppendOutcome,
  type EventStore,
  type IdempotencyScope,
  type UsedKey,
} from '../event-store.ts';
import { AppendSubscription } from './append-subscription.ts';
import { EventStoreDbAppender, type AppenderOptions } from './event-store-db-appender.ts';
import { EventStoreDbClient } from './event-store-db-client.ts';
import { Slots } from './slots.ts';
import { StreamNames } from './stream-names.ts';
import { placeOf, positionAt, recordOf } from './stored-event.ts';

export interface EventStoreDbOptions extends AppenderOptions {
  /** Every stream of this log begins so, and no other stream of the server may. Whatever else the server holds is not read. */
  readonly streamPrefix: string;
  /** Records that may wait at a time; more are refused. */
  readonly capacity: number;
  /** Calls at the server at a time. */
  readonly concurrency: number;
}

export const DEFAULT_EVENT_STORE_DB_OPTIONS: EventStoreDbOptions = {
  streamPrefix: 'laurel-',
  capacity: 20_000,
  concurrency: 100,
  waitLimitMs: 10_000,
  callLimitMs: 3_000,
};

/** Events asked for at a time: there may be many between ours that are not. */
const SMALLEST_PAGE = 100;

/**
 * The log in EventStoreDB. An event of a user is the only event of a stream of its own, which its idempotency key names if it has
 * one, and the server lets a stream be new once: so a key counts once for ever, whichever process it came through. Facts of an
 * account stand in its one stream. The order is the server's own over all streams, a position its commit position.
 */
export class EventStoreDbEventStore implements EventStore {
  readonly #client: EventStoreDbClient;
  readonly #clock: Clock;
  readonly #options: EventStoreDbOptions;
  readonly #names: StreamNames;
  readonly #slots: Slots;
  readonly #appender: EventStoreDbAppender;
  readonly #subscription: AppendSubscription;
  #waiting = 0;
  #closed = false;
  /** The newest place of ours that this process knows. */
  #newest = 0;
  #drained = (): void => undefined;
  /** Between a position that was read and another one the server holds nothing of ours. */
  #emptyStretch: { readonly after: number; readonly upTo: Position } | null = null;

  /** Connects when it is first used. @param url as `esdb://host:2113?tls=false`. @throws Error if it is none. */
  constructor(url: string, clock: Clock, options: EventStoreDbOptions = DEFAULT_EVENT_STORE_DB_OPTIONS) {
    this.#client = new EventStoreDbClient(url, clock);
    this.#clock = clock;
    this.#options = options;
    this.#names = new StreamNames(options.streamPrefix);
    this.#slots = new Slots(options.concurrency);
    this.#appender = new EventStoreDbAppender(this.#client, this.#names, clock, this.#slots, options);
    this.#subscription = new AppendSubscription(this.#client, options.streamPrefix, clock);
  }

  async append(records: readonly NewRecord[]): Promise<readonly AppendOutcome[]> {
    if (this.#closed) throw new Error('the event store is closed');
    if (this.#waiting + records.length > this.#options.capacity)
      throw new LogOverloadedError(`${this.#waiting} records wait to be appended already`);
    this.#waiting += records.length;
    try {
      const sinceMs = this.#clock.elapsedMs();
      const outcomes = new Array<AppendOutcome>(records.length);
      await Promise.all(byOwner(records).map((own) => this.#appendInOrder(own, sinceMs, outcomes)));
      return outcomes;
    } finally {
      this.#waiting -= records.length;
      if (this.#waiting === 0) this.#drained();
    }
  }

  async read(after: number, limit: number): Promise<readonly LogRecord[]> {
    const records: LogRecord[] = [];
    let passed: Position | null = after === 0 ? null : positionAt(after);
    let reached = after;
    if (this.#emptyStretch?.after === after) passed = this.#emptyStretch.upTo;
    while (records.length < limit) {
      const asked = Math.max(limit - records.length + 1, SMALLEST_PAGE);
      const page = await this.#client.readForwards(passed, asked);
      for (const event of page) {
        if (records.length === limit) return records;
        if (!isBehind(event.position, passed)) continue;
        passed = event.position;
        if (!this.#names.isOurs(event.streamId)) continue;
        reached = placeInLog(event);
        this.#reached(reached);
        records.push(recordOf(event, reached));
      }
      if (page.length < asked) {
        if (passed !== null) this.#emptyStretch = { after: reached, upTo: passed };
        break;
      }
    }
    return records;
  }

  async readAccountFacts(account: string): Promise<readonly LogRecord[]> {
    const events = await this.#client.readStream(this.#names.ofAccount(account), 0n, Number.MAX_SAFE_INTEGER);
    return Promise.all(
      events.map(async (event) => recordOf(event, await this.#slots.run(() => this.#client.placeOfRead(event)))),
    );
  }

  async findKeys(keys: readonly IdempotencyScope[]): Promise<readonly UsedKey[]> {
    const found = await Promise.all(keys.map((scope) => this.#slots.run(() => this.#findKey(scope))));
    return found.flat();
  }

  async head(): Promise<number> {
    let before: Position | null = null;
    for (;;) {
      const page: readonly AllStreamRecordedEvent[] = await this.#client.readBackwards(before, SMALLEST_PAGE);
      const newest = page.find(
        ({ streamId, position }) => this.#names.isOurs(streamId) || position.commit <= this.#newest,
      );
      if (newest) return newest.position.commit <= this.#newest ? this.#newest : this.#reached(placeInLog(newest));
      if (page.length < SMALLEST_PAGE) return 0;
      before = page.at(-1)?.position ?? null;
    }
  }

  onAppend(listener: () => void): () => void {
    return this.#subscription.add(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#waiting > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    await this.#subscription.close();
    await this.#client.close();
  }

  #reached(place: number): number {
    this.#newest = Math.max(this.#newest, place);
    return this.#newest;
  }

  /** Each waits for the one before. All have the same limit, so behind one that could not be recorded in time none is tried. */
  async #appendInOrder(records: readonly Placed[], sinceMs: number, outcomes: AppendOutcome[]): Promise<void> {
    for (const { record, index } of records) {
      const outcome = await this.#appender.append(record, sinceMs);
      outcomes[index] = outcome;
      if (outcome.kind === 'recorded') this.#reached(outcome.record.position);
    }
  }

  async #findKey(scope: IdempotencyScope): Promise<readonly UsedKey[]> {
    const [event] = await this.#client.readStream(this.#names.ofKey(scope), 0n, 1);
    if (!event) return [];
    const { eventId, position, occurredAt } = recordOf(event, await this.#client.placeOfRead(event));
    return [{ scope, eventId, position, occurredAt }];
  }
}

/** A record, and which of its call it is. */
interface Placed {
  readonly record: NewRecord;
  readonly index: number;
}

/** The records of each user, and those of each account that concern no user, in their order. */
function byOwner(records: readonly NewRecord[]): readonly (readonly Placed[])[] {
  const owners = new Map<string, Placed[]>();
  records.forEach((record, index) => {
    const { account, fact } = record;
    const owner = 'userId' in fact ? `user:${account.length}:${account}${fact.userId}` : `account:${account}`;
    const own = owners.get(owner);
    if (own) own.push({ record, index });
    else owners.set(owner, [{ record, index }]);
  });
  return [...owners.values()];
}

/** The server begins with the event at the position that it is given. */
const isBehind = (position: Position, passed: Position | null): boolean =>
  passed === null ||
  position.commit > passed.commit ||
  (position.commit === passed.commit && position.prepare > passed.prepare);

function placeInLog(event: AllStreamRecordedEvent): number {
  const place = placeOf(event.position);
  if (place === null) throw new Error(`the server does not tell the position of the event ${event.id}`);
  return place;
}
