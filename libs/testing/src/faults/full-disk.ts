import { clientConfig, type ConnectionOptions } from '@laurel/database';
import pg from 'pg';
import type { Load } from '../distributed/load.ts';
import { lookAt, type WatchedService } from './status-watch.ts';

const REFUSED_WITHIN_MS = 60_000;
const MOST_SEGMENTS = 50;
const LOOK_EVERY_MS = 25;
/** How much later than the status the client may learn that its event was recorded. */
const TOLD_WITHIN_MS = 1_000;

/** Waits until clients are refused with 503. @throws Error if they are not */
export async function refusals({ counts }: Load): Promise<void> {
  const before = counts.unavailable;
  const deadline = performance.now() + REFUSED_WITHIN_MS;
  while (counts.unavailable === before) {
    if (performance.now() > deadline) throw new Error('nobody was refused');
    await pause(LOOK_EVERY_MS);
  }
}

/**
 * Watches a service that cannot record everything. It may report that it is ready only after it has recorded something:
 * on a full disk, some commands still fit.
 * @throws Error if it reports that it is ready although every command was refused since
 */
export async function isReadyOnlyIfItRecords(service: WatchedService, load: Load, ms: number): Promise<void> {
  const until = performance.now() + ms;
  // The number at the previous look, because a record right after a look may turn the next one green.
  let recorded = load.acknowledged.length;
  while (performance.now() < until) {
    const before = load.acknowledged.length;
    const { sight, answer } = await lookAt(service);
    await pause(sight === 'green' ? TOLD_WITHIN_MS : LOOK_EVERY_MS);
    if (sight === 'green' && load.acknowledged.length === recorded)
      throw new Error(`it says that it is ready, and refuses everybody: ${answer}`);
    recorded = before;
  }
}

/**
 * Starts new WAL segments until there is no space for another: Postgres then ends and cannot start.
 * @throws Error if all segments fit
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

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
