import { EventStoreDBClient } from '@eventstore/db-client';

/** Everything that a server returns to a reader of `$all`, one text per event: stream name, type, body and metadata. */
export async function everythingHeld(url: string): Promise<readonly string[]> {
  const server = EventStoreDBClient.connectionString(url);
  const held: string[] = [];
  try {
    for await (const { event } of server.readAll())
      held.push(JSON.stringify([event?.streamId, event?.id, event?.type, event?.data, event?.metadata]));
    return held;
  } finally {
    await server.dispose();
  }
}
