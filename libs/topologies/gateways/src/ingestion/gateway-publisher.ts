import { publishConfiguration, StoreUnavailableError, type Attribution, type LogRecord } from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { EventStore } from '@laurel/event-store';
import type { Publication } from '@laurel/engine';
import type { DataSource } from 'typeorm';
import { advisoryLockOf, type GatewayConfigurations } from '@laurel/processes';
import { accountRecord } from './account-record.ts';
import { keepPublications } from './keep-publications.ts';

export interface GatewayPublisherParts {
  readonly store: Pick<EventStore, 'append' | 'read' | 'readAccountFacts'>;
  readonly configurations: GatewayConfigurations;
  /** Of the ingestion gateways' schema. */
  readonly dataSource: DataSource;
  readonly clock: Clock;
  /** Tells the query gateways; they find out by themselves if that fails. */
  readonly announce: () => Promise<void>;
}

/** What a gateway may do while it alone publishes. */
export type PublishingTurn = Pick<GatewayPublisher, 'publications' | 'holdsEvents' | 'publishConfiguration'>;

const RECORDS_AT_A_TIME = 500;

/** Publishes configurations, one gateway at a time, and within it one at a time: each holds a connection while it waits. */
export class GatewayPublisher {
  readonly #parts: GatewayPublisherParts;
  readonly #withEvents = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: GatewayPublisherParts) {
    this.#parts = parts;
  }

  /** Reads what the log knows of publications, if the table knows of none: a log that was there before. */
  async restore(account: string): Promise<void> {
    const { store, dataSource, configurations } = this.#parts;
    if (configurations.publications(account).length === 0)
      await keepPublications(rows(dataSource), await store.readAccountFacts(account, ['ConfigurationPublished']));
    await configurations.refresh();
    await this.#findEvents(account);
  }

  publications(account: string): readonly Publication[] {
    return this.#parts.configurations.publications(account);
  }

  /** Whether the log was seen to hold an event of the account: until then a publication replaces the one before it. */
  holdsEvents(account: string): boolean {
    return this.#withEvents.has(account);
  }

  /** The gateway has recorded one. */
  sawEvent(account: string): void {
    this.#withEvents.add(account);
  }

  /** Publishes a valid document as the next version. @throws StoreUnavailableError if it could not be recorded. */
  publishConfiguration(account: string, document: unknown, attribution: Attribution = {}): Promise<void> {
    return this.exclusively(account, (publisher) => publisher.publishConfiguration(account, document, attribution));
  }

  /**
   * Runs `work` while no other gateway publishes for the account; it sees all that was published before, and may publish once.
   * What it has published is in force here when this resolves.
   */
  exclusively<T>(account: string, work: (publisher: PublishingTurn) => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => this.#exclusively(account, work));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #exclusively<T>(account: string, work: (publisher: PublishingTurn) => Promise<T>): Promise<T> {
    const { dataSource, configurations, announce } = this.#parts;
    let published = false;
    const result = await dataSource.transaction(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [advisoryLockOf(`publishes for ${account}`)]);
      await configurations.refresh();
      await this.#findEvents(account);
      return work({
        publications: (name) => this.publications(name),
        holdsEvents: (name) => this.holdsEvents(name),
        publishConfiguration: async (name, document, attribution = {}) => {
          // Outside of the transaction: the log has it now, whatever becomes of the rest of the turn.
          await keepPublications(rows(dataSource), [await this.#append(name, document, attribution)]);
          published = true;
          await configurations.refresh();
        },
      });
    });
    if (published) await announce();
    return result;
  }

  async #append(account: string, document: unknown, attribution: Attribution): Promise<LogRecord> {
    const { store, clock } = this.#parts;
    const last = this.publications(account).at(-1);
    // They are told apart, and put in order, by version and instant; the clock of another gateway may be ahead.
    const now = Math.max(clock.now(), (last?.publishedAt ?? -Infinity) + 1);
    const { event } = publishConfiguration(
      { type: 'PublishConfiguration', account, document, attribution },
      { now, latestVersion: last?.version ?? 0, holdsEvents: this.holdsEvents(account) },
    );
    const record = accountRecord(account, event, event.version, now);
    const [outcome] = await store.append([record]);
    if (outcome?.kind === 'recorded') return outcome.record;
    throw new StoreUnavailableError('the configuration could not be published: the event store cannot be written to');
  }

  async #findEvents(account: string): Promise<void> {
    for (let after = 0, more = true; more && !this.#withEvents.has(account);) {
      const records = await this.#parts.store.read(after, RECORDS_AT_A_TIME);
      if (records.some((record) => record.account === account && 'subject' in record.fact))
        this.#withEvents.add(account);
      after = records.at(-1)?.position ?? after;
      more = records.length === RECORDS_AT_A_TIME;
    }
  }
}

const rows = (source: { query(sql: string, parameters: unknown[]): Promise<unknown> }) => ({
  query: <R extends object>(sql: string, parameters: readonly unknown[]) =>
    source.query(sql, [...parameters]) as Promise<R[]>,
});
