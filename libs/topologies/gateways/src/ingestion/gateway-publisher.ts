import {
  publishConfiguration,
  type Attribution,
  type HashedAttribute,
  type PublishConfiguration,
  type RecordedEvent,
} from '@laurel/kernel';
import type { Clock } from '@laurel/ports';
import type { EventStore } from '@laurel/event-store';
import type { RecordedPublication } from '@laurel/engine';
import type { DataSource } from 'typeorm';
import { advisoryLockOf, type GatewayConfigurations } from '@laurel/processes';
import { appendEvent } from './append-event.ts';
import { keepPublications } from './keep-publications.ts';

export interface GatewayPublisherDependencies {
  readonly store: Pick<EventStore, 'append' | 'read' | 'readAccountEvents'>;
  readonly configurations: GatewayConfigurations;
  /** The ingestion gateways' schema. */
  readonly dataSource: DataSource;
  readonly clock: Clock;
  /** Notifies the query gateways, which poll as well. */
  readonly announce: () => Promise<void>;
}

/** The operations of a gateway while it alone publishes. */
export type PublishingTerm = Pick<GatewayPublisher, 'publications' | 'holdsEvents' | 'publishConfiguration'>;

const RECORDS_AT_A_TIME = 500;

/** Publishes configurations, one at a time over all gateways. Within a gateway they queue, because each holds a connection while it waits. */
export class GatewayPublisher {
  readonly #dependencies: GatewayPublisherDependencies;
  readonly #withEvents = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(dependencies: GatewayPublisherDependencies) {
    this.#dependencies = dependencies;
  }

  /** Restores the table of publications from an existing log, if the table is empty. */
  async restore(account: string): Promise<void> {
    const { store, dataSource, configurations } = this.#dependencies;
    if (configurations.publications(account).length === 0)
      await keepPublications(rows(dataSource), await store.readAccountEvents(account, ['ConfigurationPublished']));
    await configurations.refresh();
    await this.#findEvents(account);
  }

  publications(account: string): readonly RecordedPublication[] {
    return this.#dependencies.configurations.publications(account);
  }

  /** Whether the log is known to contain an event of the account: until then a publication replaces the previous one. */
  holdsEvents(account: string): boolean {
    return this.#withEvents.has(account);
  }

  /** Called when this gateway has recorded an event of the account. */
  sawEvent(account: string): void {
    this.#withEvents.add(account);
  }

  /** Publishes a valid document as the next version. @throws StoreUnavailableError if it could not be recorded */
  publishConfiguration(
    account: string,
    document: unknown,
    attribution: Attribution = {},
    hashes?: readonly HashedAttribute[],
  ): Promise<void> {
    return this.exclusively(account, (term) => term.publishConfiguration(account, document, attribution, hashes));
  }

  /**
   * Runs `work` while no other gateway publishes for the account. It sees all earlier publications, and may publish once. Its publication is in
   * force in this process when the promise resolves.
   */
  exclusively<T>(account: string, work: (publisher: PublishingTerm) => Promise<T>): Promise<T> {
    const done = this.#turn.then(() => this.#exclusively(account, work));
    this.#turn = done.catch(() => undefined);
    return done;
  }

  async #exclusively<T>(account: string, work: (publisher: PublishingTerm) => Promise<T>): Promise<T> {
    const { dataSource, configurations, announce } = this.#dependencies;
    let published = false;
    const result = await dataSource.transaction(async (transaction) => {
      await transaction.query('select pg_advisory_xact_lock($1)', [advisoryLockOf(`publishes for ${account}`)]);
      await configurations.refresh();
      await this.#findEvents(account);
      return work({
        publications: (name) => this.publications(name),
        holdsEvents: (name) => this.holdsEvents(name),
        publishConfiguration: async (account, document, attribution = {}, hashes) => {
          const attributeHashes = hashes === undefined ? {} : { attributeHashes: hashes };
          const command = { type: 'PublishConfiguration', account, document, attribution, ...attributeHashes } as const;
          // Outside of the transaction, because the log has the publication even if the rest fails.
          await keepPublications(rows(dataSource), [await this.#append(command)]);
          published = true;
          await configurations.refresh();
        },
      });
    });
    if (published) await announce();
    return result;
  }

  async #append(command: PublishConfiguration): Promise<RecordedEvent> {
    const { store, clock } = this.#dependencies;
    const { account } = command;
    const last = this.publications(account).at(-1);
    // Publications are ordered by version and instant; the clock of another gateway may be ahead.
    const now = Math.max(clock.now(), (last?.publishedAt ?? -Infinity) + 1);
    const { event } = publishConfiguration(command, {
      now,
      latestVersion: last?.version ?? 0,
      holdsEvents: this.holdsEvents(account),
    });
    return appendEvent(
      store,
      { account, configurationVersion: event.version, occurredAt: now, recordedAt: now, fact: event },
      'the configuration could not be published: the event store cannot be written to',
    );
  }

  async #findEvents(account: string): Promise<void> {
    for (let after = 0, more = true; more && !this.#withEvents.has(account);) {
      const records = await this.#dependencies.store.read(after, RECORDS_AT_A_TIME);
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
