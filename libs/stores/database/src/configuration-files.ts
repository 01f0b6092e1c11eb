import { formatInstant, type Instant } from '@laurel/calendar';
import type { Migration, SqlReader } from '@laurel/kernel';

/** What is known of the files that configurations were published from. */
export interface ConfigurationFiles {
  /** The content of the file that the account's configuration was last published from, as parsed; null: no start has recorded one. */
  lastPublished(account: string): Promise<unknown>;
  record(account: string, document: unknown): Promise<void>;
  /** The text to show for a version; null: none is kept. */
  textOf(account: string, publication: PublicationId): Promise<string | null>;
  /** Replaces the text of a version. null: the version was published without one. */
  keepText(account: string, publication: PublicationId, text: string | null): Promise<void>;
}

/** Tells apart the versions of an account, also those that took the same number before the first event. */
export interface PublicationId {
  readonly version: number;
  readonly publishedAt: Instant;
}

/**
 * No read models and no part of the log: neither the file that a process was started with nor the text of a document says anything
 * about users. A rebuild leaves both alone. What an older release has published has no rows here.
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

  /** The same, that reads texts over these connections: whoever looks at versions takes none from those who send events. */
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
