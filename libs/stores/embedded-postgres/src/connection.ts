import type { ConnectionOptions } from '@laurel/database';
import pg from 'pg';
import { SOCKET_PORT } from './data-folder.ts';
import { codeOf } from './embedded-postgres-error.ts';
import { DATABASE, USER } from './initialise.ts';

/** Connection options of `pg` and TypeORM. `host` is the folder of the Unix socket. */
export type EmbeddedConnection = Pick<ConnectionOptions, 'host' | 'port' | 'user' | 'password' | 'database'>;

export const connectionTo = (socketDir: string, password: string): EmbeddedConnection => ({
  host: socketDir,
  port: SOCKET_PORT,
  user: USER,
  password,
  database: DATABASE,
});

/** The connection as a URL. It contains the password: never log it. */
export function connectionUrl(connection: EmbeddedConnection): string {
  const { user, password, database, host, port } = connection;
  return `postgresql://${user}:${encodeURIComponent(password)}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
}

/** `silent`: nothing listens there. `busy`: a server answers, but does not accept clients yet or any more. */
export type Probe =
  { readonly kind: 'ready' | 'silent' | 'busy' } | { readonly kind: 'refused'; readonly error: Error };

const CANNOT_CONNECT_NOW = '57P03';
const TOO_MANY_CONNECTIONS = '53300';

export async function probe(connection: EmbeddedConnection): Promise<Probe> {
  // eslint-disable-next-line no-restricted-syntax -- it sends no statement
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return { kind: 'ready' };
  } catch (error) {
    return classify(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function classify(error: unknown): Probe {
  const code = codeOf(error);
  if (code === CANNOT_CONNECT_NOW || code === TOO_MANY_CONNECTIONS) return { kind: 'busy' };
  if (error instanceof pg.DatabaseError) return { kind: 'refused', error };
  return { kind: 'silent' };
}
