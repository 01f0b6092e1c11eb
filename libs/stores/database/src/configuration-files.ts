import { formatInstant, type Instant } from '@laurel/calendar';
import type { Migration, SqlReader } from '@laurel/kernel';

/** The files from which configurations were published. */
export interface ConfigurationFiles {
  /** The parsed file from which the account's configuration was last published; null if no start has recorded one. */
  lastPublished(account: string): Promise<unknown>;
  record(account: string, document: unknown): Promise<void>;
  /** The text to show for a version; null if none is kept. */
  textOf(account: string, publication: PublicationId): Promise<string | null>;
  /** Replaces the text of a version; null if the version was published without a text. */
  keepText(account: string, publication: PublicationId, text: string | null): Promise<void>;
}

/** Identifies a version of an account. Before the first event, several versions may have the same number. */
export interface PublicationId {
  readonly version: number;
  readonly publishedAt: Instant;
}

/**
 * These tables are neither read models nor part of the log: files and texts of configurations say nothing about users, and a rebuild leaves
 * them alone. Versions that an older release published have no rows here.
 */
export const configurationFilesMigrations: readonly Migration[] = [
  {
    name: '0204-configuration-files',
    sql: `
create table configuration_files (
  account   text collate "C" primary key,
  document  jsonb not null
);
`,
  },
  {
    name: '0215-configuration-texts',
    sql: `
create table configuration_texts (
  account      text collate "C" not null,
  version      integer not null,
  published_at timestamptz(3) not null,
  text         text not null,
  primary key (account, version)
);
`,
  },
];

export class PostgresConfigurationFiles implements ConfigurationFiles {
  readonly #sql: SqlReader;
  readonly #reader: SqlReader;

  constructor(sql: SqlReader, reader = sql) {
    this.#sql = sql;
    this.#reader = reader;
  }

  /** The same store, reading texts over other connections, so that people who look at versions take none from applications. */
  readBy(reader: SqlReader): PostgresConfigurationFiles {
    return new PostgresConfigurationFiles(this.#sql, reader);
  }

  async lastPublished(account: string): Promise<unknown> {
    const [row] = await this.#sql.query<{ document: unknown }>(
      'select document from configuration_files where account = $1',
      [account],
    );
    return row?.document ?? null;
  }

  async record(account: string, document: unknown): Promise<void> {
    await this.#sql.query(
      'insert into configuration_files values ($1, $2) on conflict (account) do update set document = excluded.document',
      [account, JSON.stringify(document)],
    );
  }

  async textOf(account: string, { version, publishedAt }: PublicationId): Promise<string | null> {
    const [row] = await this.#reader.query<{ text: string }>(
      'select text from configuration_texts where account = $1 and version = $2 and published_at = $3',
      [account, version, formatInstant(publishedAt)],
    );
    return row?.text ?? null;
  }

  async keepText(account: string, { version, publishedAt }: PublicationId, text: string | null): Promise<void> {
    if (text === null)
      await this.#sql.query('delete from configuration_texts where account = $1 and version = $2', [account, version]);
    else
      await this.#sql.query(
        `insert into configuration_texts values ($1, $2, $3, $4)
         on conflict (account, version) do update set published_at = excluded.published_at, text = excluded.text`,
        [account, version, formatInstant(publishedAt), text],
      );
  }
}
