import { webhookMigrations } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { outgoingMigrations, PostgresOutcomes } from '@laurel/outgoing';
import {
  followConfigurations,
  logTables,
  partitionOwnersMigrations,
  type ProcessFrame,
  readLog,
  SCHEMAS,
} from '@laurel/processes';
import { openGatewayDatabase } from '../schemas/open-gateway-database.ts';
import { outcomeTopicMigrations } from './outcome-topic.ts';

export const OUTGOING_SERVICE_MIGRATIONS = [
  ...partitionOwnersMigrations,
  ...webhookMigrations,
  ...outgoingMigrations,
  ...outcomeTopicMigrations,
];

/** The table of the directory. */
export const SUBJECTS = `${SCHEMAS.ingestion}.subjects`;

/** The tables of the outgoing service, and its reads of other tables. */
export type OutgoingStores = Awaited<ReturnType<typeof openOutgoingStores>>;

/** Opens the stores for as long as the process runs. */
export async function openOutgoingStores(frame: ProcessFrame) {
  const database = await openGatewayDatabase(frame, SCHEMAS.outgoing, OUTGOING_SERVICE_MIGRATIONS);
  const configurations = await followConfigurations(frame, database.schema.sql);
  const ingestion = database.readers.reader(SCHEMAS.ingestion);
  const directory = new PostgresDirectory(ingestion);
  return {
    ...database,
    ingestion,
    configurations,
    directory,
    /** The log in Postgres, or its copy there. */
    log: readLog(logTables(frame.environment.eventStoreUrl), ingestion, directory),
    outcomes: new PostgresOutcomes(database.schema.sql, { subjects: SUBJECTS, keepsErasedIds: true }),
  };
}
