import { type Publication, Publications } from '@laurel/engine';
import { compileHistory } from '@laurel/configuration';
import type { Attribution, ConfigurationHistory, SqlReader } from '@laurel/kernel';
import { repeat, type CancelTimer, type Clock, type PublishedConfiguration } from '@laurel/ports';
import { PublishedConfigurations, publishedOf } from './published-configurations.ts';

/** What another gateway has published is known after so long at the latest. */
const REFRESH_MS = 500;

interface PublicationRow {
  readonly account: string;
  readonly version: number;
  readonly document: unknown;
  readonly published_at: Date;
  /** Absent until a gateway of this release has started. */
  readonly published_by?: string | null;
  readonly reason?: string | null;
}

/** The configurations of every account, as the gateways share them in a table. */
export class GatewayConfigurations {
  readonly #clock: Clock;
  readonly #known: Publications;
  #all: readonly KnownConfiguration[] = [];
  #cancel: CancelTimer = () => undefined;

  /** @param table `publications` of the ingestion gateways, schema-qualified where it must be */
  constructor(sql: SqlReader, table: string, clock: Clock) {
    this.#clock = clock;
    const published = new PublishedConfigurations<PublicationRow>(sql, table);
    this.#known = new Publications(compileHistory, async () => {
      const rows = await published.readRows();
      this.#all = rows.map(configurationOf);
      return this.#all;
    });
  }

  /** Reads the table, then again and again. */
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

  /** Whether anything is known to have been published. */
  get any(): boolean {
    return this.#all.length > 0;
  }

  /** @throws Error if nothing was published for the account yet. */
  historyOf(account: string): ConfigurationHistory {
    return this.#known.historyOf(account);
  }

  /** Everything in order; a version that was published again is there once, as it was last. */
  publications(account: string): readonly Publication[] {
    const own = this.#all.filter((publication) => publication.account === account);
    return [...new Map(own.map((publication) => [publication.version, publication])).values()];
  }
}

type KnownConfiguration = PublishedConfiguration & Attribution;

const configurationOf = (row: PublicationRow): KnownConfiguration => ({
  ...publishedOf(row),
  ...(typeof row.published_by === 'string' && { by: row.published_by }),
  ...(typeof row.reason === 'string' && { reason: row.reason }),
});
