import { webhookMigrations } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import type { PostgresLogReader } from '@laurel/event-store';
import type { SqlReader } from '@laurel/kernel';
import { outgoingMigrations, PostgresOutcomes } from '@laurel/outgoing';
import {
  followConfigurations,
  type GatewayConfigurations,
  logTables,
  partitionOwnersMigrations,
  type ProcessFrame,
  readLog,
  SCHEMAS,
} from '@laurel/processes';
import { openGatewayDatabase, type GatewayDatabase } from '../schemas/open-gateway-database.ts';
import { outcomeTopicMigrations } from './outcome-topic.ts';

export const OUTGOING_SERVICE_MIGRATIONS = [
  ...partitionOwnersMigrations,
  ...webhookMigrations,
  ...outgoingMigrations,
  ...outcomeTopicMigrations,
];

/** The table of the directory. */
export const SUBJECTS = `${SCHEMAS.ingestion}.subjects`;

/** What the outgoing service reads and writes in the database. */
export interface OutgoingStores extends GatewayDatabase {
  /** The schema of the ingestion gateways. */
  readonly ingestion: SqlReader;
  readonly configurations: GatewayConfigurations;
  readonly directory: PostgresDirectory;
  /** In Postgres, or the copy there. */
  readonly log: PostgresLogReader;
  readonly outcomes: PostgresOutcomes;
}

/** Opens them for as long as the process runs. */
export async function openOutgoingStores(frame: ProcessFrame): Promise<OutgoingStores> {
  const database = await openGatewayDatabase(frame, SCHEMAS.outgoing, OUTGOING_SERVICE_MIGRATIONS);
  const configurations = await followConfigurations(frame, database.schema.sql);
  const ingestion = database.readers.reader(SCHEMAS.ingestion);
  const directory = new PostgresDirectory(ingestion);
  return {
    ...database,
    ingestion,
    configurations,
    directory,
    log: readLog(logTables(frame.environment.eventStoreUrl), ingestion, directory),
    outcomes: new PostgresOutcomes(database.schema.sql, { subjects: SUBJECTS, keepsErasedIds: true }),
  };
}
