import { TOPICS } from '@laurel/contracts';
import { createLogger, Shutdown } from '@laurel/runtime';
import { systemClock } from '@laurel/testing/clock';
import { openTestDatabase, type TestDatabase } from '@laurel/testing/database';
import { MemoryEventStream } from '@laurel/testing/event-stream';
import { startBoardsStep } from '../chain/start-boards-step.ts';
import { INGESTION_MIGRATIONS } from '../ingestion/gateway-migrations.ts';
import type { ProcessFrame } from '../process/run-process.ts';
import { topicsFor } from '../process/topics.ts';
import { openSchema } from '../schemas/open-schema.ts';
import { SCHEMAS, schemaOf } from '../schemas/schemas.ts';
import { PartitionOwners } from './partition-owners.ts';

const PARTITIONS = 2;
const TAKEN_BACK_WITHIN_MS = 10_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase([]);
  await (await openSchema(database.connection, SCHEMAS.ingestion, INGESTION_MIGRATIONS)).close();
});
afterAll(() => database.close());

it('is undone: an instance claims its partitions again when the claim of an earlier owner arrives after its own', async () => {
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
    const own = await until(async () => {
      const found = await addresses();
      return found.length === PARTITIONS ? found : null;
    });
    const schema = await openSchema(database.connection, schemaOf('leaderboards'), []);
    await new PartitionOwners(schema.sql, TOPICS.points).claim([1], 'gone:1');
    await schema.close();
    expect(await addresses()).toEqual([own[0], 'gone:1']);
    expect(await until(async () => ((await addresses())[1] === own[1] ? own : null))).toEqual(own);
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

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  const since = performance.now();
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() - since > TAKEN_BACK_WITHIN_MS) throw new Error('it is not so');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
