import pg from 'pg';
import type { ConnectionOptions } from './connection.ts';

const CONNECTED_WITHIN_MS = 10_000;

/** Connects with the settings of the server, the database and the role, without those of Laurel. */
export async function connectAsTheRoleDoes({ ssl, schema: _, ...rest }: ConnectionOptions): Promise<pg.Client> {
  // eslint-disable-next-line no-restricted-syntax -- the caller inspects these settings
  const client = new pg.Client({
    ...rest,
    ssl: ssl ?? false,
    connectionTimeoutMillis: CONNECTED_WITHIN_MS,
    query_timeout: CONNECTED_WITHIN_MS,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
