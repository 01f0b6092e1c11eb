import { type RecordedPublication, Publications } from '@laurel/engine';
import { compileHistory } from '@laurel/configuration';
import type { ConfigurationHistory, SqlReader } from '@laurel/kernel';
import { repeat, type CancelTimer, type Clock } from '@laurel/ports';
import { PublishedConfigurations, type KnownConfiguration } from './published-configurations.ts';

/** Interval of polls: the longest time until another gateway's publication is known. */
const REFRESH_MS = 500;

/** The configurations of every account, from the table that the gateways share. */
export class GatewayConfigurations {
  readonly #clock: Clock;
  readonly #known: Publications;
  #all: readonly KnownConfiguration[] = [];
  #cancel: CancelTimer = () => undefined;

  /** @param table `publications` of the ingestion gateways, schema-qualified where it must be */
  constructor(sql: SqlReader, table: string, clock: Clock) {
    this.#clock = clock;
    const published = new PublishedConfigurations(sql, table);
    this.#known = new Publications(compileHistory, async () => (this.#all = await published.read()));
  }

  /** Reads the table now and then regularly. */
  async follow(onTrouble: (error: unknown) => void): Promise<void> {
    await this.refresh();
    this.#cancel = repeat(this.#clock, REFRESH_MS, () => this.refresh(), onTrouble);
  }

  stop(): void {
    this.#cancel();
  }

  refresh(): Promise<void> {
    return this.#known.load();
  }

  /** Whether any publication is known. */
  get any(): boolean {
    return this.#all.length > 0;
  }

  /** @throws Error if nothing was published for the account yet. */
  readonly historyOf = (account: string): ConfigurationHistory => this.#known.historyOf(account);

  /** All versions in order; a version that was published more than once appears only as last published. */
  publications(account: string): readonly RecordedPublication[] {
    const own = this.#all.filter((publication) => publication.account === account);
    return [...new Map(own.map((publication) => [publication.version, publication])).values()];
  }
}
