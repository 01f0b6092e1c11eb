import type { AreaName } from '@laurel/kernel';
import { pause, type Clock } from '@laurel/ports';
import { openSession, type ConnectionOptions } from '@laurel/database';
import { COPIED_LOG, endSession, HOLD_COPY, type LogTables } from '@laurel/event-store';
import type pg from 'pg';

export interface RestDependencies {
  /** The schema with the log. */
  readonly connection: ConnectionOptions;
  /** The tables of the log. While the copy of an EventStoreDB log is locked, nothing more is published. */
  readonly tables: LogTables;
  readonly clock: Pick<Clock, 'after'>;
  readonly head: () => Promise<number>;
  /** Waits until every area has applied the log up to `position`. Returns the areas that have not within the limit. Never rejects. */
  readonly pendingAt: (position: number, limitMs: number) => Promise<readonly AreaName[]>;
  readonly stopped: AbortSignal;
}

/** An area that is far behind must catch up before the log is locked. */
const CATCH_UP_MS = 60_000;
/** The longest time for which appends are blocked, in addition to the task. */
const HELD_MS = 2_000;
/** A frozen process loses its lock after this time, so that the others can record again. */
const LOST_MS = 5_000;
const ATTEMPTS = 5;
const ATTEMPT_AGAIN_MS = 500;

/**
 * Runs a task at a moment at which every area has applied the whole log, and blocks appends until it has ended. The log is locked until the
 * services have applied their current messages, usually well below a second.
 * @param task must be short; runs once
 * @throws Error that names the areas that do not reach the end of the log, such as a stopped one; the error of the task; the driver's error if
 * the lock was lost
 */
export async function atRest(dependencies: RestDependencies, task: () => Promise<void>): Promise<void> {
  let pending: readonly AreaName[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    dependencies.stopped.throwIfAborted();
    pending = await dependencies.pendingAt(await dependencies.head(), CATCH_UP_MS);
    if (pending.length > 0) break;
    pending = await whileHeld(dependencies, task);
    if (pending.length === 0) return;
    await pause(dependencies.clock, ATTEMPT_AGAIN_MS);
  }
  throw new Error(`not every area applies the whole log, so there is no moment to compare: ${pending.join(', ')}`);
}

/** Returns the pending areas if the task did not run. */
async function whileHeld(
  { connection, tables, clock, head, pendingAt }: RestDependencies,
  task: () => Promise<void>,
): Promise<readonly AreaName[]> {
  const client = await openSession(connection, {
    session: { idle_in_transaction_session_timeout: `${LOST_MS}`, lock_timeout: `${HELD_MS}` },
    application_name: 'laurel-hold',
    connectionTimeoutMillis: 5_000,
    query_timeout: 8_000,
  });
  try {
    await client.query('begin');
    await client.query(tables === COPIED_LOG ? HOLD_COPY : `select from ${tables.head} for update`);
    if (tables === COPIED_LOG && (await isErasing(client))) return ['users'];
    const pending = await pendingAt(await head(), HELD_MS);
    if (pending.length === 0) await task();
    // The commit rejects if the lock was lost.
    await client.query('commit');
    return pending;
  } finally {
    await endSession(client, clock);
  }
}

/** Whether an erasure is in progress, which takes seconds: the user's row of the directory is deleted, but the copy lacks the event. */
async function isErasing(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(IS_ERASING);
  return rows.length > 0;
}

const IS_ERASING = `
select from erasures where position is null or position > (select position from ${COPIED_LOG.head}) limit 1`;
