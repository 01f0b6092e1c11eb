import { EmbeddedPostgresError } from './embedded-postgres-error.ts';

/** Reads settings from a database connection. */
export interface SettingsReader {
  query<R extends object>(sql: string, parameters: readonly unknown[]): Promise<R[]>;
}

/**
 * Settings that must be on. `synchronous_commit` is not among them: each connection that writes to the log sets it for
 * its session.
 */
const NEEDED = ['fsync', 'full_page_writes'] as const;

/**
 * Refuses a server that could lose acknowledged events, for servers that Laurel does not start (LAUREL_DATABASE_URL).
 *
 * @throws EmbeddedPostgresError with the settings and the remedy
 */
export async function assertDurable(sql: SettingsReader): Promise<void> {
  const rows = await sql.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1::text[])',
    [NEEDED],
  );
  const settings = new Map(rows.map((row) => [row.name, row.setting]));
  const missing = NEEDED.filter((name) => (settings.get(name) ?? 'off') === 'off');
  if (missing.length === 0) return;
  throw new EmbeddedPostgresError(
    `The Postgres server at LAUREL_DATABASE_URL may lose acknowledged events: ${missing.map((name) => `${name} is off`).join(', ')}. ` +
      `Turn it on: ${missing.map((name) => `alter system set ${name} = on;`).join(' ')} select pg_reload_conf();`,
  );
}
