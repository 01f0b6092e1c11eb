import { clientConfig, type ConnectionOptions } from '@laurel/database';
import pg from 'pg';
import type { Load } from '../distributed/load.ts';

const REFUSED_WITHIN_MS = 60_000;
const MOST_SEGMENTS = 50;

/** Waits until clients are refused with 503. @throws Error if they are not */
export async function refusals({ counts }: Load): Promise<void> {
  const before = counts.unavailable;
  const deadline = performance.now() + REFUSED_WITHIN_MS;
  while (counts.unavailable === before) {
    if (performance.now() > deadline) throw new Error('nobody was refused');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/**
 * Begins segments of the WAL until there is no space for another: then a Postgres ends, and cannot start.
 * @throws Error if it finds space for all of them
 */
export async function useUpWal(connection: ConnectionOptions): Promise<void> {
  for (let segment = 0; segment < MOST_SEGMENTS; segment++) if (!(await beginSegment(connection))) return;
  throw new Error(`there was space for ${MOST_SEGMENTS} segments of WAL`);
}

async function beginSegment(connection: ConnectionOptions): Promise<boolean> {
  const client = new pg.Client({ ...clientConfig(connection), connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`select pg_logical_emit_message(false, 'faults', 'x')`);
    await client.query('select pg_switch_wal()');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
