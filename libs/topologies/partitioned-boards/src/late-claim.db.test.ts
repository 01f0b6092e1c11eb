import { TOPICS } from '@laurel/ports';
import {
  INGESTION_MIGRATIONS,
  openSchema,
  PartitionOwners,
  type ProcessFrame,
  schemaOf,
  SCHEMAS,
  topicsFor,
} from '@laurel/processes';
import { createLogger, Shutdown } from '@laurel/runtime';
import { systemClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { MemoryEventStream } from '@laurel/testing/event-stream';
import { until } from '@laurel/testing/outgoing';
import { startBoardsStep } from './boards-step.ts';

const PARTITIONS = 2;
const WITHIN_MS = 30_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([]);
  await (await openSchema(database.connection, SCHEMAS.ingestion, INGESTION_MIGRATIONS)).close();
});
afterAll(() => database.close());

it('an instance claims its partitions again when the claim of an earlier owner arrives late', async () => {
  const logger = createLogger('silent');
  const shutdown = new Shutdown(logger);
  const stream = new MemoryEventStream();
  await stream.ensureTopics(topicsFor({ partitions: PARTITIONS, replication: 1 }));
  const environment = {
    ...{ database: database.connection, partitions: PARTITIONS, host: '127.0.0.1', advertisedHost: '127.0.0.1' },
    ...{ internalPort: 0, internalToken: 'a token for the test of claims' },
  };
  const frame = { environment, clock: systemClock, stream, logger, shutdown } as unknown as ProcessFrame;
  const service = await startBoardsStep(frame);
  shutdown.register('boards', () => service.close());
  try {
    let own: readonly string[] = [];
    const isClaimed = async () => (own = await addresses()).length === PARTITIONS;
    await until('the instance has claimed every partition', isClaimed, WITHIN_MS);
    const schema = await openSchema(database.connection, schemaOf('leaderboards'), []);
    await new PartitionOwners(schema.sql, TOPICS.points).claim([1], 'gone:1');
    await schema.close();
    expect(await addresses()).toEqual([own[0], 'gone:1']);
    await until('it has claimed its partition again', async () => (await addresses())[1] === own[1], WITHIN_MS);
    expect(await addresses()).toEqual(own);
  } finally {
    await shutdown.stop();
  }
});

async function addresses(): Promise<readonly string[]> {
  const rows = await database.sql.query<{ address: string }>(
    `select address from ${schemaOf('leaderboards')}.partition_owners order by partition`,
    [],
  );
  return rows.map(({ address }) => address);
}
