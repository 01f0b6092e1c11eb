import type { SqlReader } from '@laurel/kernel';
import type { Clock, Directory } from '@laurel/ports';
import { StartError, clientConfig } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { copyLog, dropOldLog, firstFormOfEventStoreDb, holdsOldLog, moveOldLog } from '@laurel/event-store';
import { holdLead } from '@laurel/engine';
import { INGESTION_MIGRATIONS, openSchema, type ProcessFrame, SCHEMAS } from '@laurel/processes';
import { openEventStoreDb } from './open-event-store.ts';

/**
 * Converts the log of 0.1, in the same store. It continues after an interruption, and leaves a converted log alone. The services build their
 * read models from it when they start.
 * @throws StartError while an ingestion gateway runs
 */
export async function upgradeLog({ environment, clock, logger }: ProcessFrame): Promise<void> {
  const schema = await openSchema(environment.database, SCHEMAS.ingestion, INGESTION_MIGRATIONS);
  const lead = await holdLead(clientConfig(schema.connection));
  if (lead === null)
    throw new StartError('an ingestion gateway runs: stop all processes first, and start them when this has ended');
  try {
    const { sql } = schema;
    const onProgress = (moved: number) => logger.info({ moved }, 'converting the log: records converted so far');
    const directory = new PostgresDirectory(sql);
    const moved = await moveFirstLog({ url: environment.eventStoreUrl, sql, directory, clock, onProgress });
    logger.info(moved ? 'the log is converted: start all processes' : 'the log needs no conversion');
  } finally {
    await lead();
    await schema.close();
  }
}

export interface FirstLogMove {
  /** The URL of EventStoreDB; null if the log is in Postgres. */
  readonly url: string | null;
  /** The ingestion gateways' schema. */
  readonly sql: SqlReader;
  readonly directory: Directory;
  readonly clock: Clock;
  /** Called with the position in Postgres, or the number of records in EventStoreDB. */
  readonly onProgress: (moved: number) => void;
}

/** Returns whether there was a log to convert. */
export async function moveFirstLog(parts: FirstLogMove): Promise<boolean> {
  const { url, sql, directory, onProgress } = parts;
  const [upgrade] = await sql.query<{ done: boolean }>('select done from log_upgrade', []);
  if (upgrade?.done !== false) return false;
  if (url === null) {
    if (await holdsOldLog(sql)) await moveOldLog(sql, directory, onProgress);
    await dropOldLog(sql);
  } else await copyStreams(url, parts);
  await sql.query('update log_upgrade set done = true', []);
  return true;
}

async function copyStreams(url: string, { directory, clock, onProgress }: FirstLogMove): Promise<void> {
  const store = await openEventStoreDb(url, clock, directory);
  try {
    await copyLog({ source: firstFormOfEventStoreDb(url, clock), store, directory, onProgress });
  } finally {
    await store.close();
  }
}
