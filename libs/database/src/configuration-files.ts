import type { Migration, SqlReader } from '@laurel/contracts';

/** The content of the file that an account's configuration was last published from, as parsed. */
export interface ConfigurationFiles {
  /** null: no start has recorded one. */
  lastPublished(account: string): Promise<unknown>;
  record(account: string, document: unknown): Promise<void>;
}

/**
 * No read model and no part of the log: which file a process was started with says nothing about users. A rebuild leaves it alone.
 * What an older release has published has no row here.
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
];

export class PostgresConfigurationFiles implements ConfigurationFiles {
  readonly #sql: SqlReader;

  constructor(sql: SqlReader) {
    this.#sql = sql;
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
}
