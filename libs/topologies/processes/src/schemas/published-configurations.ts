import type { Attribution, HashedAttribute, SqlReader } from '@laurel/kernel';
import type { PublishedConfiguration } from '@laurel/ports';
import { readIfPresent } from './read-if-there.ts';

interface PublicationRow {
  readonly account: string;
  readonly version: number;
  readonly document: unknown;
  readonly published_at: Date;
  /** Absent until a gateway of this release has started. */
  readonly published_by?: string | null;
  readonly reason?: string | null;
  readonly attribute_hashes?: readonly HashedAttribute[] | null;
}

export type KnownConfiguration = PublishedConfiguration & Attribution;

/** Reads the table of publications, which the ingestion gateways keep. Documents are read only when there are more than before. */
export class PublishedConfigurations {
  readonly #sql: SqlReader;
  readonly #table: string;
  #rows: readonly PublicationRow[] = [];

  /** @param table schema-qualified where it must be */
  constructor(sql: SqlReader, table: string) {
    this.#sql = sql;
    this.#table = table;
  }

  /**
   * Sorted by account, version and instant. Rows are only ever added, so their number tells whether there are new ones.
   */
  async read(): Promise<readonly KnownConfiguration[]> {
    // A process may start before the first ingestion gateway has created the table.
    const rows = await readIfPresent<PublicationRow>(
      this.#sql,
      `select * from ${this.#table} where (select count(*) from ${this.#table}) <> $1 order by account, version, published_at`,
      [this.#rows.length],
    );
    if (rows.length > 0) this.#rows = rows;
    return this.#rows.map(configurationOf);
  }
}

const configurationOf = (row: PublicationRow): KnownConfiguration => ({
  account: row.account,
  version: row.version,
  document: row.document,
  publishedAt: row.published_at.getTime(),
  ...(typeof row.published_by === 'string' && { by: row.published_by }),
  ...(typeof row.reason === 'string' && { reason: row.reason }),
  ...(row.attribute_hashes && { attributeHashes: row.attribute_hashes }),
});
