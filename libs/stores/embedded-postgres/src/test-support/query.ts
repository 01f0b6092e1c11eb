import pg from 'pg';
import type { EmbeddedConnection } from '../index.ts';

/** Runs one statement over a separate connection. */
export async function query<R extends object>(
  connection: EmbeddedConnection | string,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<R[]> {
  // eslint-disable-next-line no-restricted-syntax -- not a client of Laurel
  const client = new pg.Client(connection);
  // If the server is killed, the statement rejects; the event needs no handling.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(sql, [...parameters])).rows;
  } finally {
    await client.end();
  }
}
