import { readFromBeginning } from '@laurel/chain';
import { StartError, clientConfig } from '@laurel/database';
import { PostgresDirectory } from '@laurel/directory';
import { holdLead, PostgresRelayStore } from '@laurel/engine';
import { TOPICS } from '@laurel/ports';
import { INGESTION_MIGRATIONS, openSchema, type ProcessFrame, schemaOf, SCHEMAS, topicsFor } from '@laurel/processes';
import { openEventStore } from './open-event-store.ts';
import { openRelay } from './open-relay.ts';

/**
 * Recreates the first topic after a loss, and publishes the whole log again under the same numbers. Services drop the messages that they
 * have seen. Gateways may record meanwhile, but none publishes.
 * @throws StartError while an ingestion gateway publishes the log
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
  const directory = new PostgresDirectory(schema.sql);
  const log = await openEventStore({ url: environment.eventStoreUrl, schema, clock, keys: directory });
  const producer = await stream.openProducer();
  const relayStore = new PostgresRelayStore(schema.statements);
  await stream.remakeTopic(topic);
  await readFromBeginning(environment.database, schemaOf('users'));
  await relayStore.save(await relayStore.read(), { position: 0, sent: new Map() });
  const stores = { ...log, schema, directory };
  const relay = openRelay(frame, { stores, producer, onTrouble: () => undefined });
  while (await relay.publish());
  logger.info({ position: relay.position, messages: relay.counts.sent }, 'the log was published again');
  await Promise.all([producer.close(), log.store.close(), lead()]);
  await schema.close();
}
