import type pg from 'pg';
import { connectAsTheRoleDoes } from './connect-as-the-role-does.ts';
import { StartError, type ConnectionOptions } from './connection.ts';

/**
 * The order in which the two connections are queried. It exposes a pooler that lends a session for one transaction, whether the pooler lends
 * the session that came back last, the one that has waited longest, or its only one.
 */
const ASKED: readonly (0 | 1)[] = [0, 1, 1, 0, 1, 0, 0, 1];

/**
 * Checks that each connection keeps its own session of the server: settings, advisory locks and prepared statements belong to a session.
 * @throws StartError if a pooler shares sessions; the driver's error if the server cannot be reached
 */
export async function assertSessionsAreKept(connection: ConnectionOptions): Promise<void> {
  const first = await connectAsTheRoleDoes(connection);
  try {
    const second = await connectAsTheRoleDoes(connection);
    try {
      if (!(await keepTheirs(first, second))) throw new StartError(await refusal(connection, first));
    } finally {
      await second.end();
    }
  } finally {
    await first.end();
  }
}

async function keepTheirs(...clients: readonly [pg.Client, pg.Client]): Promise<boolean> {
  const sessions: [Set<number>, Set<number>] = [new Set(), new Set()];
  for (const index of ASKED) sessions[index].add(await sessionOf(clients[index]));
  const [first, second] = sessions;
  return first.size === 1 && second.size === 1 && new Set([...first, ...second]).size === 2;
}

/** Asks the server, because a pooler gives the driver a process id of its own. */
async function sessionOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ session: number }>('select pg_catalog.pg_backend_pid() as session');
  return rows[0]?.session ?? 0;
}

async function refusal({ host, port, database }: ConnectionOptions, client: pg.Client): Promise<string> {
  const mode = (await allowsTransactions(client)) ? 'transaction' : 'statement';
  return (
    `the connection pooler at ${host}:${port}/${database} uses ${mode} pooling, so that one connection is served by several sessions ` +
    'of the database. Laurel needs sessions of its own for its settings and locks: set the pooler to session pooling ' +
    '(PgBouncer: pool_mode = session), or let LAUREL_DATABASE_URL name the database server itself'
  );
}

/** With statement pooling, the pooler closes a connection that begins a transaction. */
async function allowsTransactions(client: pg.Client): Promise<boolean> {
  try {
    await client.query('begin');
    await client.query('rollback');
    return true;
  } catch {
    return false;
  }
}
