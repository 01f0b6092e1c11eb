import { setTimeout as sleep } from 'node:timers/promises';
import { clientConfig, SessionClient } from '@laurel/database';
import { inspectEmbeddedPostgres } from '@laurel/embedded-postgres';

const SETTLED_WITHIN_MS = 120_000;

/** Calls `action` with a connection to the database of the service that runs on a data folder. */
export async function inService(dataDir, action) {
  const found = await inspectEmbeddedPostgres(dataDir);
  if (found.state !== 'running') throw new Error('no service runs on this data folder');
  const client = new SessionClient(clientConfig(found.connection));
  await client.connect();
  try {
    return await action(client);
  } finally {
    await client.end();
  }
}

/**
 * Waits until nothing is due. After an import the service settles what is due in steps, which changes its stored state.
 */
export async function nothingIsDue(client) {
  const now = process.env.LAUREL_CLOCK?.replace(/,frozen$/, '') ?? new Date().toISOString();
  const deadline = performance.now() + SETTLED_WITHIN_MS;
  for (;;) {
    const { rows } = await client.query('select count(*)::int as users from user_states where due_at <= $1', [now]);
    if (rows[0].users === 0) return;
    if (performance.now() > deadline) throw new Error(`${rows[0].users} users still have something due`);
    await sleep(100);
  }
}
