import pg from 'pg';
import type { EmbeddedConnection } from '../index.ts';

/** One statement over a connection of its own. */
export async function query<R extends object>(
  connection: EmbeddedConnection | string,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<R[]> {
  // eslint-disable-next-line no-restricted-syntax -- a client that Laurel did not open
  const client = new pg.Client(connection);
  // A server that is killed under a client breaks the connection: the statement's own error says so.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<R>(sql, [...parameters])).rows;
  } finally {
    await client.end();
  }
}
