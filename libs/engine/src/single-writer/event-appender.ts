import type { Instant } from '@laurel/calendar';
import type { Configuration, Fact, LogRecord, NewEvent, Recorded, UserRecord } from '@laurel/kernel';
import type { CompileHistory } from '../folding/publications.ts';
import { accountAfter, newAccount, type Account } from './account.ts';
import type { Batch } from './batch.ts';
import type { Chain, ChainResult } from './chain.ts';
import type { Committed } from './committed.ts';

/** What the caller of a command is told of its event before that is recorded. */
export interface Receipt {
  readonly eventId: string;
  readonly receivedAt: Instant;
}

export interface Appended {
  /** The last event; null: there was none to append. */
  readonly record: LogRecord | null;
  /** What the chain made of it; null: it is not an event of one user. */
  readonly made: ChainResult | null;
}

export interface EventAppenderParts {
  readonly chain: Chain;
  readonly committed: Pick<Committed, 'accounts'>;
  readonly newEventId: (at: Instant) => string;
  readonly compileHistory: CompileHistory;
}

/** Adds events to a batch, and applies them to its accounts and users. */
export class EventAppender {
  readonly #parts: EventAppenderParts;

  constructor(parts: EventAppenderParts) {
    this.#parts = parts;
  }

  accountOf(batch: Batch, name: string): Account {
    return batch.accountOf(name) ?? this.#parts.committed.accounts.get(name) ?? newAccount(name);
  }

  /** The configuration in force. @throws Error if none was ever published */
  configurationOf(batch: Batch, account: string): Configuration {
    const { history } = this.accountOf(batch, account);
    if (!history) throw new Error(`account ${account} has no configuration yet`);
    return history.current;
  }

  /**
   * Appends the events of a decision and applies each before the next. The last one has the id that the caller is told.
   * @param wantsSections false: nobody reads the answer's sections
   */
  appendAll(
    batch: Batch,
    account: string,
    events: readonly NewEvent[],
    { eventId, receivedAt, wantsSections }: Receipt & { readonly wantsSections: boolean },
  ): Appended {
    let last: Appended = { record: null, made: null };
    for (const [index, event] of events.entries()) {
      const id = index === events.length - 1 ? eventId : this.#parts.newEventId(receivedAt);
      const record = this.recordOf(batch, account, { eventId: id, receivedAt }, event);
      this.add(batch, record);
      last = { record, made: this.#apply(batch, record, wantsSections) };
    }
    return last;
  }

  /** The event at the end of the batch, which it is not part of yet. */
  recordOf<Event extends Fact>(
    batch: Batch,
    account: string,
    { eventId, receivedAt }: Receipt,
    { occurredAt, event }: NewEvent<Event>,
  ): LogRecord<Event> {
    const isPublication = event.type === 'ConfigurationPublished';
    return {
      eventId,
      account,
      configurationVersion: isPublication ? event.version : this.configurationOf(batch, account).version,
      occurredAt,
      // Never before the record before it, whatever the clock did meanwhile.
      recordedAt: Math.max(receivedAt, batch.recordedAt),
      fact: event,
      position: batch.head + 1,
    };
  }

  /** Appends what {@link recordOf} has made. Its users are left to the caller. */
  add(batch: Batch, record: LogRecord): void {
    batch.records.push(record);
    const account = this.accountOf(batch, record.account);
    const after = accountAfter(account, record, this.#parts.compileHistory);
    if (after !== account) batch.setAccount(after);
  }

  #apply(batch: Batch, record: LogRecord, wantsSections: boolean): ChainResult | null {
    const { account, fact } = record;
    if (fact.type === 'UsersSwept') {
      for (const [place, subject] of fact.subjects.entries())
        this.#applyTo(batch, { ...record, fact: { type: 'UserSwept', subject, place } }, false);
      return null;
    }
    if (!('subject' in fact)) return null;
    return this.#applyTo(batch, { ...record, account, fact }, wantsSections);
  }

  #applyTo(batch: Batch, record: UserRecord, wantsSections: boolean): ChainResult {
    const user = { account: record.account, subject: record.fact.subject };
    const configuration = this.configurationOf(batch, record.account);
    return this.#parts.chain.apply(batch, user, record, configuration, wantsSections);
  }

  /** What a caller is told. @param record null: nothing had to be recorded, and the position is 0 */
  recorded(batch: Batch, account: string, { eventId, receivedAt }: Receipt, record: LogRecord | null): Recorded {
    return {
      kind: 'recorded',
      eventId,
      position: record?.position ?? 0,
      occurredAt: record?.occurredAt ?? receivedAt,
      configuration: this.configurationOf(batch, account),
      sections: {},
      pending: [],
    };
  }
}
