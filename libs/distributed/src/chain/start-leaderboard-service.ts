import { assertStateVersions, ChainService, chainServiceMigrations, PostgresPartitionStore } from '@laurel/engine';
import { serviceOf } from '@laurel/contracts';
import { LEADERBOARDS_STATE_VERSION, leaderboardTables, leaderboardsMigrations } from '@laurel/leaderboards';
import { addressOf } from '../internal-calls/index.ts';
import { boardHandlers } from '../leaderboards/index.ts';
import { PartitionOwners, partitionOwnersMigrations } from '../owners/index.ts';
import type { ProcessFrame } from '../process/run-process.ts';
import { instanceLock } from '../rebuild/instance-lock.ts';
import type { ReplayableService } from '../rebuild/replayed-service.ts';
import { serveCalls } from '../process/serve-calls.ts';
import { serveOperations } from '../process/serve-operations.ts';
import { openIngestionReads } from '../schemas/open-ingestion-reads.ts';
import { openSchema } from '../schemas/open-schema.ts';
import { toCallers } from './chain-routes.ts';
import { logServiceEvents, observeService } from './observe-service.ts';
import { OwnedBoards } from './owned-boards.ts';

const SERVICE = serviceOf('leaderboards');

/** What the service is made of, to be run or to be made again. */
export const LEADERBOARD_SERVICE: ReplayableService = {
  name: SERVICE.name,
  schema: SERVICE.schema,
  input: SERVICE.input,
  output: null,
  next: null,
  stateVersions: new Map([['leaderboards', LEADERBOARDS_STATE_VERSION]]),
  migrations: [...chainServiceMigrations([]), ...partitionOwnersMigrations, ...leaderboardsMigrations],
  routes: toCallers,
  storeIn: ({ statements }) => new PostgresPartitionStore(statements, [], leaderboardTables),
  openProjection: ({ sql }, partition, partitions) => new OwnedBoards(sql, partitions).openProjection(partition),
};

/** The process of the leaderboards: each board has one owner, who also answers what is asked of its ranks. */
export async function startLeaderboardService(frame: ProcessFrame): Promise<void> {
  const { environment, shutdown, stream, clock, logger } = frame;
  const { partitions } = environment;
  shutdown.register('instance', await instanceLock(frame, LEADERBOARD_SERVICE.name, 'shared'));
  const schema = await openSchema(environment.database, SERVICE.schema, LEADERBOARD_SERVICE.migrations);
  shutdown.register('database', () => schema.close());
  await assertStateVersions(schema.statements, LEADERBOARD_SERVICE.stateVersions);
  const store = LEADERBOARD_SERVICE.storeIn(schema);
  const boards = new OwnedBoards(schema.sql, partitions);
  const running: { service: ChainService | null } = { service: null };
  const receivedFrom = async (source: number, partition: number): Promise<number> => {
    const checkpoint = running.service?.checkpointOf(partition) ?? (await store.read(partition));
    return checkpoint.received.get(source) ?? 0;
  };
  const calls = await serveCalls(
    frame,
    boardHandlers((partition) => {
      const owned = boards.find(partition);
      return owned && { ...owned, received: (source) => receivedFrom(source, partition) };
    }, clock),
  );
  shutdown.register('calls', () => calls.close());
  const address = addressOf({ host: environment.advertisedHost, port: calls.port });
  const owners = new PartitionOwners(schema.sql, SERVICE.input);
  const service = await ChainService.start({
    group: `laurel.${LEADERBOARD_SERVICE.name}`,
    input: { topic: SERVICE.input, partitions },
    stream,
    store,
    openProjection: (partition) => boards.openProjection(partition),
    routes: LEADERBOARD_SERVICE.routes(partitions),
    ...openIngestionReads(frame),
    clock,
    onAssigned: async (assigned) => {
      boards.own(assigned);
      await owners.claim(assigned, address);
    },
    onForgotten: (partition) => boards.forget(partition),
    onEvent: logServiceEvents(frame),
  });
  running.service = service;
  observeService(frame, service);
  logger.info({ url: await serveOperations(frame), address }, `${SERVICE.name} is ready`);
}
