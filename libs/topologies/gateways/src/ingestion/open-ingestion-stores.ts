import { PostgresDirectory } from '@laurel/directory';
import {
  followConfigurations,
  followErasures,
  INGESTION_MIGRATIONS,
  logTables,
  openCalls,
  type ProcessFrame,
  REFRESH_ERASURES,
  SCHEMAS,
} from '@laurel/processes';
import { openGatewayDatabase } from '../schemas/open-gateway-database.ts';
import { openUserReads } from '../schemas/open-user-reads.ts';
import { ErasingEventStore } from './erasing-event-store.ts';
import { Imports } from './imports.ts';
import { openEventStore } from './open-event-store.ts';

/** The log and the tables that all ingestion gateways share, and the way to the other processes. */
export type IngestionStores = Awaited<ReturnType<typeof openIngestionStores>>;

/** Opens the stores for as long as the process runs. @throws see {@link openEventStore} */
export async function openIngestionStores(frame: ProcessFrame) {
  const { environment, clock, shutdown } = frame;
  const database = await openGatewayDatabase(frame, SCHEMAS.ingestion, INGESTION_MIGRATIONS);
  const { schema, readers, bounded } = database;
  const directory = new PostgresDirectory(schema.sql);
  const peers = openCalls(frame, readers);
  const { store, copy } = await openEventStore({
    url: environment.eventStoreUrl,
    schema,
    clock,
    keys: directory,
    onErased: (users) => {
      for (const user of users) directory.forget(user);
      void peers.announce(REFRESH_ERASURES);
    },
  });
  await followErasures(frame, schema.sql, {
    forget: (user) => {
      directory.forget(user);
      if (store instanceof ErasingEventStore) store.forget(user);
    },
  });
  shutdown.register('event store', () => store.close());
  const configurations = await followConfigurations(frame, schema.sql);
  return {
    ...database,
    store,
    copy,
    /** The log's tables in Postgres, or those of its copy. */
    tables: logTables(environment.eventStoreUrl),
    directory,
    boundedDirectory: directory.readBy(bounded.reader(SCHEMAS.ingestion)),
    imports: new Imports(schema.sql),
    configurations,
    reads: openUserReads(readers, configurations),
    peers,
  };
}
