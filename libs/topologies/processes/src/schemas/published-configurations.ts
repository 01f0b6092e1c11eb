import type { SqlReader } from '@laurel/kernel';
import type { PublishedConfiguration } from '@laurel/ports';

interface PublicationRow {
  readonly account: string;
  readonly version: number;
  readonly document: unknown;
  readonly published_at: Date;
}

/** A process that starts before the first ingestion gateway finds nothing yet. */
const UNDEFINED_TABLE = '42P01';

/** Reads the table of publications, which the ingestion gateways keep, again and again: documents only when there are more than before. */
export class PublishedConfigurations<R extends PublicationRow = PublicationRow> {
  readonly #sql: SqlReader;
  readonly #table: string;
  #rows: readonly R[] = [];

  /** @param table schema-qualified where it must be */
  constructor(sql: SqlReader, table: string) {
    this.#sql = sql;
    this.#table = table;
  }

  /** In order of account, version and instant. Rows are only added: while there are no more than are known, no document is read. */
  async readRows(): Promise<readonly R[]> {
    const rows = await this.#sql
      .query<R>(
        `select * from ${this.#table} where (select count(*) from ${this.#table}) <> $1 order by account, version, published_at`,
        [this.#rows.length],
      )
      .catch((error: unknown) => {
        if ((error as { readonly code?: unknown }).code === UNDEFINED_TABLE) return [];
        throw error;
      });
    if (rows.length > 0) this.#rows = rows;
    return this.#rows;
  }

  async read(): Promise<readonly PublishedConfiguration[]> {
    return (await this.readRows()).map(publishedOf);
  }
}

export const publishedOf = ({ account, version, document, published_at }: PublicationRow): PublishedConfiguration => ({
  account,
  version,
  document,
  publishedAt: published_at.getTime(),
});
