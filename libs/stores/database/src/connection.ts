/** How to reach a Postgres server: by host and port, or by the folder of its Unix socket as `host`. */
export interface ConnectionOptions {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly ssl?: boolean;
  /** The schema of unqualified names. Default: `public`. */
  readonly schema?: string;
}

export const DEFAULT_SCHEMA = 'public';

/** The service cannot start; the message says what to change. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

/**
 * Reads the `postgres://` URL of LAUREL_DATABASE_URL; an `sslmode` other than `disable` requires TLS.
 * @throws StartError naming what is wrong, never the password.
 */
export function parseDatabaseUrl(url: string): ConnectionOptions {
  try {
    return readUrl(new URL(url));
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`LAUREL_DATABASE_URL is not a valid URL; ${EXPECTED}`);
  }
}

const EXPECTED = 'expected postgres://USER:PASSWORD@HOST:PORT/DATABASE';

/** @throws StartError; URIError for a broken percent-encoding. */
function readUrl(url: URL): ConnectionOptions {
  if (url.protocol !== 'postgres:' && url.protocol !== 'postgresql:')
    throw new StartError(`LAUREL_DATABASE_URL begins with ${url.protocol}//; ${EXPECTED}`);
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '') throw new StartError(`LAUREL_DATABASE_URL names no database; ${EXPECTED}`);
  const sslMode = url.searchParams.get('sslmode');
  return {
    host: url.searchParams.get('host') ?? (decodeURIComponent(url.hostname) || 'localhost'),
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username) || 'postgres',
    password: decodeURIComponent(url.password),
    database,
    ssl: sslMode !== null && sslMode !== 'disable',
  };
}
