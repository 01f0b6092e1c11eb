import type { Clock } from '@laurel/contracts';
import { clientConfig } from '@laurel/database';
import { EventStoreDbEventStore, PostgresEventStore, type EventStore } from '@laurel/event-store';
import type { OpenSchema } from '../schemas/open-schema.ts';

/** The log: in EventStoreDB if its URL is given, else in the ingestion gateways' schema. */
export function openEventStore(url: string | null, { connection, sql }: OpenSchema, clock: Clock): Promise<EventStore> {
  return url === null
    ? PostgresEventStore.open({ config: clientConfig(connection), sql, clock })
    : Promise.resolve(new EventStoreDbEventStore(url, clock));
}
