import type { PreparedStatements } from '@laurel/chain-service';
import type { Clock, SqlReader } from '@laurel/contracts';
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
  { connection, sql, statements }: OpenSchema,
  clock: Clock,
): Promise<EventStore> {
  if (url !== null) return new EventStoreDbEventStore(url, clock);
  await assertDurable(sql);
  return PostgresEventStore.open({ config: clientConfig(connection), sql: preparing(statements), clock });
}

/** The log is read by a few texts, again for every event: each is prepared once per connection. */
function preparing(statements: PreparedStatements): SqlReader {
  const names = new Map<string, string>();
  return {
    query: async <R extends object>(text: string, parameters: readonly unknown[]) => {
      const name = names.get(text) ?? `log ${names.size}`;
      names.set(text, name);
      return [...(await statements.query<R>(name, text, parameters))];
    },
  };
}
