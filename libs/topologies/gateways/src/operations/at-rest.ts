import type { AreaName } from '@laurel/kernel';
import { pause, type Clock } from '@laurel/ports';
import { clientConfig, SessionClient, type ConnectionOptions } from '@laurel/database';
import { COPIED_LOG, endSession, HOLD_COPY, type LogTables } from '@laurel/event-store';
import type pg from 'pg';

export interface RestParts {
  /** Of the schema that holds the log. */
  readonly connection: ConnectionOptions;
  /** Those that hold the log. Of the copy of a log in EventStoreDB nothing more is published while it is held. */
  readonly tables: LogTables;
  readonly clock: Pick<Clock, 'after'>;
  readonly head: () => Promise<number>;
  /** Waits until every area has applied the log up to `position`; those that have not within the limit. Never rejects. */
  readonly pendingAt: (position: number, limitMs: number) => Promise<readonly AreaName[]>;
  readonly stopped: AbortSignal;
}

/** An area that is far behind must catch up before the log is held. */
const CATCH_UP_MS = 60_000;
/** Whoever records waits so long at most, and some more while the task runs. */
const HELD_MS = 2_000;
/** A process that is frozen meanwhile loses its hold, so that the others can record again. */
const LOST_MS = 5_000;
const ATTEMPTS = 5;
const ATTEMPT_AGAIN_MS = 500;

/**
 * Does something at a moment at which every area has applied the whole log: nothing is recorded until it is done. The log is held for as
 * long as the services take for what they are handling, which is well below a second unless they are behind.
 * @param task is short, and runs once
 * @throws Error naming the areas that do not come to the end of the log, as one that has stopped; what the task throws; the driver's
 * error if the hold was lost meanwhile
 */
export async function atRest(parts: RestParts, task: () => Promise<void>): Promise<void> {
  let pending: readonly AreaName[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    parts.stopped.throwIfAborted();
    pending = await parts.pendingAt(await parts.head(), CATCH_UP_MS);
    if (pending.length > 0) break;
    pending = await whileHeld(parts, task);
    if (pending.length === 0) return;
    await pause(parts.clock, ATTEMPT_AGAIN_MS);
  }
  throw new Error(`not every area applies the whole log, so there is no moment to compare: ${pending.join(', ')}`);
}

/** The areas for which it was not done. */
async function whileHeld(
  { connection, tables, clock, head, pendingAt }: RestParts,
  task: () => Promise<void>,
): Promise<readonly AreaName[]> {
  const client = new SessionClient({
    ...clientConfig(connection, { idle_in_transaction_session_timeout: `${LOST_MS}`, lock_timeout: `${HELD_MS}` }),
    application_name: 'laurel-hold',
    connectionTimeoutMillis: 5_000,
    query_timeout: 8_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('begin');
    await client.query(tables === COPIED_LOG ? HOLD_COPY : `select from ${tables.head} for update`);
    if (tables === COPIED_LOG && (await isErasing(client))) return ['users'];
    const pending = await pendingAt(await head(), HELD_MS);
    if (pending.length === 0) await task();
    // Rejects if the hold was lost.
    await client.query('commit');
    return pending;
  } finally {
    await endSession(client, clock);
  }
}

/** Whether a user's row of the directory is gone, and the event not in the copy yet: that is so for seconds. */
async function isErasing(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(IS_ERASING);
  return rows.length > 0;
}

const IS_ERASING = `
select from erasures where position is null or position > (select position from ${COPIED_LOG.head}) limit 1`;
