import { EventStoreDBClient } from '@eventstore/db-client';

/** Everything that a server answers to a reader of `$all`, an event each, as text: names of streams, types, bodies and metadata. */
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
