import type { Instant } from '@laurel/calendar';
import {
  type Configuration,
  type DomainEvent,
  type RecordedEvent,
  type NewEvent,
  type Recorded,
  type RecordedUserEvent,
  isOfUser,
  userEventsOf,
} from '@laurel/kernel';
import type { CompileHistory } from '../folding/publications.ts';
import { accountAfter, newAccount, type Account } from './account.ts';
import type { Batch } from './batch.ts';
import type { Chain } from './chain.ts';
import type { Committed } from './committed.ts';

/** The data that a caller is told about its event, known before the event is recorded. */
export interface Receipt {
  readonly eventId: string;
  readonly receivedAt: Instant;
}

export interface EventAppenderDependencies {
  readonly chain: Chain;
  readonly committed: Pick<Committed, 'accounts'>;
  readonly newEventId: (at: Instant) => string;
  readonly compileHistory: CompileHistory;
}

/** Adds events to a batch, and applies them to its accounts and users. */
export class EventAppender {
  readonly #dependencies: EventAppenderDependencies;

  constructor(dependencies: EventAppenderDependencies) {
    this.#dependencies = dependencies;
  }

  accountOf(batch: Batch, name: string): Account {
    return batch.accountOf(name) ?? this.#dependencies.committed.accounts.get(name) ?? newAccount(name);
  }

  /** The configuration in force. @throws Error if none was ever published */
  configurationOf(batch: Batch, account: string): Configuration {
    const { history } = this.accountOf(batch, account);
    if (!history) throw new Error(`account ${account} has no configuration yet`);
    return history.current;
  }

  /**
   * Appends the events of a decision, and applies each before appending the next. The last one gets the id that the
   * caller is told.
   * @param wantsSections whether anybody reads the answer parts
   * @returns the caller's answer to the last event; its position is 0 if there is no event
   */
  appendAll(
    batch: Batch,
    account: string,
    events: readonly NewEvent[],
    { eventId, receivedAt, wantsAnswer }: Receipt & { readonly wantsAnswer: boolean },
  ): Recorded {
    let last: Recorded | null = null;
    for (const [index, event] of events.entries()) {
      const id = index === events.length - 1 ? eventId : this.#dependencies.newEventId(receivedAt);
      const record = this.recordOf(batch, account, { eventId: id, receivedAt }, event);
      this.add(batch, record);
      last = this.#apply(batch, record, wantsAnswer);
    }
    return last ?? this.answer(batch, account, { eventId, occurredAt: receivedAt, position: 0 });
  }

  /** The record for an event at the end of the batch; {@link add} appends it. */
  recordOf<Event extends DomainEvent>(
    batch: Batch,
    account: string,
    { eventId, receivedAt }: Receipt,
    { occurredAt, event }: NewEvent<Event>,
  ): RecordedEvent<Event> {
    const isPublication = event.type === 'ConfigurationPublished';
    return {
      eventId,
      account,
      configurationVersion: isPublication ? event.version : this.configurationOf(batch, account).version,
      occurredAt,
      // An event is never recorded earlier than the one before it, even if the clock was set back.
      recordedAt: Math.max(receivedAt, batch.recordedAt),
      fact: event,
      position: batch.head + 1,
    };
  }

  /** Appends a record made by {@link recordOf}. The caller applies it to users. */
  add(batch: Batch, record: RecordedEvent): void {
    batch.records.push(record);
    const account = this.accountOf(batch, record.account);
    const after = accountAfter(account, record, this.#dependencies.compileHistory);
    if (after !== account) batch.setAccount(after);
  }

  #apply(batch: Batch, record: RecordedEvent, wantsAnswer: boolean): Recorded {
    if (isOfUser(record)) return this.#applyTo(batch, record, wantsAnswer);
    for (const swept of userEventsOf(record)) this.#applyTo(batch, swept, false);
    return this.answer(batch, record.account, record);
  }

  #applyTo(batch: Batch, record: RecordedUserEvent, wantsAnswer: boolean): Recorded {
    const configuration = this.configurationOf(batch, record.account);
    return this.#dependencies.chain.apply(batch, record, configuration, wantsAnswer);
  }

  /** A caller's answer to a record without answer parts. */
  answer(
    batch: Batch,
    account: string,
    { eventId, position, occurredAt }: Pick<RecordedEvent, 'eventId' | 'position' | 'occurredAt'>,
  ): Recorded {
    const configuration = this.configurationOf(batch, account);
    return { kind: 'recorded', eventId, position, occurredAt, configuration, sections: {}, pending: [] };
  }
}
