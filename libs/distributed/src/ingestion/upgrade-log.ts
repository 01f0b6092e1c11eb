import type { Clock, Directory, SqlReader } from '@laurel/contracts';
import { StartError, clientConfig } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { copyLog, firstFormOfEventStoreDb, firstFormOfPostgres, type EventStore } from '@laurel/event-store';
import { holdLead } from '@laurel/relay';
import type { ProcessFrame } from '../process/run-process.ts';
import { openSchema } from '../schemas/open-schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { INGESTION_MIGRATIONS } from './gateway-migrations.ts';
import { openLog } from './open-event-store.ts';

/** One statement appends a batch to Postgres, in its order; EventStoreDB orders single appends. */
const AT_ONCE = { postgres: 500, eventStoreDb: 1 };

/**
 * Copies the log of 0.1 into one of the form of today, in the same store. What was cut off is gone on with, and a log that was
 * copied is left alone. The services make their read models from the copy when they start.
 * @throws StartError while an ingestion gateway runs.
 */
export async function upgradeLog({ environment, clock, logger }: ProcessFrame): Promise<void> {
  const schema = await openSchema(environment.database, SCHEMAS.ingestion, INGESTION_MIGRATIONS);
  const lead = await holdLead(clientConfig(schema.connection));
  if (lead === null)
    throw new StartError('an ingestion gateway runs: stop all processes first, and start them when this has ended');
  try {
    const { eventStoreUrl: url } = environment;
    const directory = new PostgresDirectory(schema.sql);
    const openStore = () => openLog(url, schema, clock, directory);
    const onProgress = (copied: number) => logger.info({ copied }, 'records copied');
    const copied = await copyFirstForm({ url, sql: schema.sql, directory, openStore, clock, onProgress });
    logger.info({ copied }, 'the log names users by subjects: start all processes');
  } finally {
    await lead();
    await schema.close();
  }
}

export interface FirstFormCopy {
  /** Of EventStoreDB; null: the log is in Postgres. */
  readonly url: string | null;
  /** Of the ingestion gateways' schema. */
  readonly sql: SqlReader;
  readonly directory: Directory;
  readonly openStore: () => Promise<EventStore>;
  readonly clock: Clock;
  readonly onProgress: (copied: number) => void;
}

/** Answers how many records there were to copy; null: the log is of the form of today. */
export async function copyFirstForm(parts: FirstFormCopy): Promise<number | null> {
  const { url, sql, directory, openStore, clock, onProgress } = parts;
  const [upgrade] = await sql.query<{ done: boolean }>('select done from log_upgrade', []);
  if (upgrade?.done !== false) return null;
  const store = await openStore();
  try {
    const source = url === null ? firstFormOfPostgres(sql) : firstFormOfEventStoreDb(url, clock);
    const recordsAtOnce = url === null ? AT_ONCE.postgres : AT_ONCE.eventStoreDb;
    const copied = await copyLog({ source, store, directory, recordsAtOnce, onProgress });
    await sql.query('update log_upgrade set done = true', []);
    return copied;
  } finally {
    await store.close();
  }
}
