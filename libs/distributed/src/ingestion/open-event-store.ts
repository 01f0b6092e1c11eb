import type { Clock } from '@laurel/contracts';
import { clientConfig } from '@laurel/database';
import { assertDurable } from '@laurel/embedded-postgres';
import { EventStoreDbEventStore, PostgresEventStore, type EventStore } from '@laurel/event-store';
import type { OpenSchema } from '../schemas/open-schema.ts';

/**
 * The log: in EventStoreDB if its URL is given, else in the ingestion gateways' schema.
 * @throws Error if that server could lose what it has acknowledged.
 */
export async function openEventStore(
  url: string | null,
  { connection, sql }: OpenSchema,
  clock: Clock,
): Promise<EventStore> {
  if (url !== null) return new EventStoreDbEventStore(url, clock);
  await assertDurable(sql);
  return PostgresEventStore.open({ config: clientConfig(connection), sql, clock });
}
