import { readFromBeginning } from '@laurel/chain';
import { StartError, clientConfig } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { holdLead, PostgresRelayStore, Relay } from '@laurel/engine';
import { TOPICS } from '@laurel/ports';
import { INGESTION_MIGRATIONS, openSchema, type ProcessFrame, schemaOf, SCHEMAS, topicsFor } from '@laurel/processes';
import { openEventStore } from './open-event-store.ts';
import { withholding } from './start-log-leader.ts';

/**
 * Makes the first topic anew and publishes the whole log again, under the same numbers: for a topic that was lost. Services
 * drop what they have seen. Gateways may go on; none publishes meanwhile.
 * @throws StartError while another process publishes and does not give that up.
 */
export async function resendLog(frame: ProcessFrame): Promise<void> {
  const { environment, stream, clock, logger } = frame;
  const topic = topicsFor(environment).find(({ name }) => name === TOPICS.log);
  if (topic === undefined) throw new Error('there is no topic for the log');
  const schema = await openSchema(environment.database, SCHEMAS.ingestion, INGESTION_MIGRATIONS);
  const lead = await holdLead(clientConfig(schema.connection));
  if (lead === null)
    throw new StartError(
      'an ingestion gateway publishes the log: stop all of them first, and start them when this has ended',
    );
  const dataKeys = new PostgresDirectory(schema.sql);
  const { store, copy } = await openEventStore(environment.eventStoreUrl, schema, clock, dataKeys);
  const producer = await stream.openProducer();
  const relayStore = new PostgresRelayStore(schema.statements);
  await stream.remakeTopic(topic);
  await readFromBeginning(environment.database, schemaOf('users'));
  await relayStore.save(await relayStore.read(), { position: 0, sent: new Map() });
  const relay = new Relay({
    log: {
      read: (after, limit) => (copy ?? store).read(after, limit),
      onAppend: (listener) => store.onAppend(listener),
    },
    producer,
    store: relayStore,
    dataKeys,
    partitions: environment.partitions,
    clock,
    onTrouble: () => undefined,
    ...withholding(store, schema.sql),
  });
  while (await relay.publish());
  logger.info({ position: relay.position, messages: relay.counts.sent }, 'the log was published again');
  await Promise.all([producer.close(), store.close(), lead()]);
  await schema.close();
}
