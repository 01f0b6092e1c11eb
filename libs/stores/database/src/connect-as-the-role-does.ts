import pg from 'pg';
import type { ConnectionOptions } from './connection.ts';

const CONNECTED_WITHIN_MS = 10_000;

/** With the settings of the server, the database and the role. */
export async function connectAsTheRoleDoes({ ssl, schema: _, ...rest }: ConnectionOptions): Promise<pg.Client> {
  // eslint-disable-next-line no-restricted-syntax -- these settings are what is asked for
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
