import {
  StoreUnavailableError,
  type AccountEvent,
  type KeyHash,
  type RecordedEvent,
  type NewRecord,
} from '@laurel/kernel';
import type { Clock, DataKeys } from '@laurel/ports';
import type { StoredLog, StoredRecord } from '../stored-record.ts';
import { LogOverloadedError, type AppendOutcome, type EventStore, type UsedKey } from '../event-store.ts';
import { keysToSeal, type KeysByUser } from '../personal-fields.ts';
import { AccessGuard } from './access-guard.ts';
import { AppendSubscription } from './append-subscription.ts';
import { EventStoreDbAppender, type AppenderOptions } from './event-store-db-appender.ts';
import { EventStoreDbClient } from './event-store-db-client.ts';
import { EventStoreDbLogReader } from './event-store-db-log-reader.ts';
import { HeadFinder } from './head-finder.ts';
import { Slots } from './slots.ts';
import { StreamNames } from './stream-names.ts';

export interface EventStoreDbOptions extends AppenderOptions {
  /** The prefix of every stream of this log. No other stream may have it (streams of 0.1 began with `laurel-` and a word); other streams are not read. */
  readonly streamPrefix: string;
  /** The most waiting records; more are refused. */
  readonly capacity: number;
  /** Concurrent appends and key look-ups. Together with reads and subscriptions they stay below the server's limit of 100 calls. */
  readonly concurrency: number;
}

export const DEFAULT_EVENT_STORE_DB_OPTIONS: EventStoreDbOptions = {
  streamPrefix: 'laurel-2-',
  capacity: 20_000,
  concurrency: 90,
  waitLimitMs: 10_000,
  callLimitMs: 3_000,
};

/**
 * The log in EventStoreDB. Each event of a user has its own stream, named by its idempotency key if it has one. A stream can be created only
 * once, so a key counts once for ever, whichever process appends it. The events of an account itself share one stream. The order is the
 * server's order of `$all`, and a position is a commit position.
 */
export class EventStoreDbEventStore implements EventStore {
  readonly #client: EventStoreDbClient;
  readonly #clock: Clock;
  readonly #dataKeys: DataKeys;
  readonly #options: EventStoreDbOptions;
  readonly #access: AccessGuard;
  readonly #appender: EventStoreDbAppender;
  readonly #reader: EventStoreDbLogReader;
  readonly #storedReader: EventStoreDbLogReader;
  readonly #openNewReader: () => EventStoreDbLogReader;
  readonly #openReaders: EventStoreDbLogReader[] = [];
  readonly #subscription: AppendSubscription;
  #waiting = 0;
  #closed = false;
  #drained = (): void => undefined;

  /**
   * Connects at the first call.
   * @param url such as `esdb://host:2113?tls=false`
   * @param dataKeys keys for the personal fields of records
   * @throws Error if the URL is invalid
   */
  constructor(
    url: string,
    clock: Clock,
    dataKeys: DataKeys,
    options: EventStoreDbOptions = DEFAULT_EVENT_STORE_DB_OPTIONS,
  ) {
    const names = new StreamNames(options.streamPrefix);
    const slots = new Slots(options.concurrency);
    this.#client = new EventStoreDbClient(url, options.streamPrefix, clock);
    this.#clock = clock;
    this.#dataKeys = dataKeys;
    this.#options = options;
    this.#access = new AccessGuard(() => this.#client.probe(names.probe), clock);
    this.#appender = new EventStoreDbAppender({ client: this.#client, names, clock, slots }, options);
    const head = new HeadFinder(this.#client, names);
    this.#openNewReader = () => {
      const reader = new EventStoreDbLogReader(this.#client, { names, slots, clock, dataKeys, head });
      this.#openReaders.push(reader);
      return reader;
    };
    this.#reader = this.#openNewReader();
    this.#storedReader = this.#openNewReader();
    this.#subscription = new AppendSubscription(this.#client, clock);
  }

  async append(records: readonly NewRecord[]): Promise<readonly AppendOutcome[]> {
    if (this.#closed) throw new Error('the event store is closed');
    if (this.#waiting + records.length > this.#options.capacity)
      throw new LogOverloadedError(`${this.#waiting} records wait to be appended already`);
    this.#waiting += records.length;
    try {
      const refusal = this.#access.refused ? await this.#access.stillRefused() : null;
      if (refusal !== null) return records.map(() => ({ kind: 'failed', recorded: 'nothing', error: refusal }));
      return await this.#appendSealed(records);
    } finally {
      this.#waiting -= records.length;
      if (this.#waiting === 0) this.#drained();
    }
  }

  read(after: number, limit: number): Promise<readonly RecordedEvent[]> {
    return this.#noticing(this.#reader.read(after, limit));
  }

  readStored(after: number, limit: number): Promise<readonly StoredRecord[]> {
    return this.#noticing(this.#storedReader.readStored(after, limit));
  }

  /** A separate reader, which continues where it stopped. Open one for each independent position. */
  openStoredLog(): StoredLog {
    const reader = this.#openNewReader();
    return { readStored: (after, limit) => this.#noticing(reader.readStored(after, limit)) };
  }

  readAccountEvents(account: string, types?: readonly AccountEvent['type'][]): Promise<readonly RecordedEvent[]> {
    return this.#noticing(this.#reader.readAccountEvents(account, types));
  }

  findKeys(keys: readonly KeyHash[]): Promise<readonly UsedKey[]> {
    return this.#noticing(this.#reader.findKeys(keys));
  }

  head(): Promise<number> {
    return this.#noticing(this.#reader.head());
  }

  onAppend(listener: () => void): () => void {
    return this.#subscription.add(listener);
  }

  checkAccess(): Promise<void> {
    return this.#access.check();
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (this.#waiting > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    this.#subscription.close();
    for (const reader of this.#openReaders) reader.close();
    await this.#client.close();
  }

  async #appendSealed(records: readonly NewRecord[]): Promise<readonly AppendOutcome[]> {
    try {
      return await this.#append(records, await keysToSeal(records, this.#dataKeys));
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return records.map(() => ({ kind: 'failed', recorded: 'nothing', error }));
    }
  }

  async #append(records: readonly NewRecord[], keys: KeysByUser): Promise<readonly AppendOutcome[]> {
    const sinceMs = this.#clock.elapsedMs();
    const outcomes = new Array<AppendOutcome>(records.length);
    await Promise.all(byOwner(records).map((own) => this.#appendInOrder(own, sinceMs, keys, outcomes)));
    return outcomes;
  }

  /** Each record waits for the one before: after one that may not be recorded, later records would change the order of the user. */
  async #appendInOrder(
    records: readonly Placed[],
    sinceMs: number,
    keys: KeysByUser,
    outcomes: AppendOutcome[],
  ): Promise<void> {
    let failure: Error | null = null;
    for (const { record, index } of records) {
      const outcome: AppendOutcome =
        failure === null
          ? await this.#appender.append(record, sinceMs, keys)
          : { kind: 'failed', recorded: 'nothing', error: failure };
      outcomes[index] = outcome;
      if (outcome.kind === 'recorded') this.#reader.reached(outcome.record.position);
      if (outcome.kind !== 'failed') continue;
      failure = outcome.error;
      this.#access.notice(failure);
    }
  }

  /** If the relay may not read, nothing recorded from now on would be published, so appends are refused too. */
  #noticing<T>(reading: Promise<T>): Promise<T> {
    return reading.catch((error: unknown) => {
      this.#access.notice(error);
      throw error;
    });
  }
}

/** A record with its index in the call. */
interface Placed {
  readonly record: NewRecord;
  readonly index: number;
}

/** The records grouped by user, or by account if they concern no user, in their order. */
function byOwner(records: readonly NewRecord[]): readonly (readonly Placed[])[] {
  const owners = new Map<string, Placed[]>();
  records.forEach((record, index) => {
    const { account, fact } = record;
    const owner = 'subject' in fact ? `user:${account.length}:${account}${fact.subject}` : `account:${account}`;
    const own = owners.get(owner);
    if (own) own.push({ record, index });
    else owners.set(owner, [{ record, index }]);
  });
  return [...owners.values()];
}
