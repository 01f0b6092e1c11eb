/** How to reach a Postgres server: by host and port, or by the folder of its Unix socket as `host`. */
export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl?: boolean;
}

/**
 * Reads a `postgres://` URL as LAUREL_DATABASE_URL has it; `sslmode` other than `disable` asks for TLS.
 * @throws Error naming what is wrong, never the password.
 */
export function parseDatabaseUrl(url: string): ConnectionOptions {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new Error('LAUREL_DATABASE_URL is not a URL; expected postgres://USER:PASSWORD@HOST:PORT/DATABASE');
  }
  if (parsed.protocol !== 'postgres:' && parsed.protocol !== 'postgresql:')
    throw new Error(
      `LAUREL_DATABASE_URL begins with ${parsed.protocol}//; expected postgres://USER:PASSWORD@HOST:PORT/DATABASE`,
    );
  const database = decodeURIComponent(parsed.pathname.slice(1));
  if (database === '')
    throw new Error('LAUREL_DATABASE_URL names no database; expected postgres://USER:PASSWORD@HOST:PORT/DATABASE');
  const sslMode = parsed.searchParams.get('sslmode');
  return {
    host: parsed.searchParams.get('host') ?? (decodeURIComponent(parsed.hostname) || 'localhost'),
    port: Number(parsed.port || 5432),
    user: decodeURIComponent(parsed.username) || 'postgres',
    password: decodeURIComponent(parsed.password),
    database,
    ssl: sslMode !== null && sslMode !== 'disable',
  };
}
