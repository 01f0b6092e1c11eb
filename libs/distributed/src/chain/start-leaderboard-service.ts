import { ChainService, PostgresPartitionStore, Publications, chainServiceMigrations } from '@laurel/chain-service';
import { compileHistory } from '@laurel/configuration';
import { TOPICS } from '@laurel/contracts';
import { leaderboardTables, leaderboardsMigrations } from '@laurel/leaderboards';
import { InternalServer, addressOf } from '../internal-calls/index.ts';
import { boardHandlers } from '../leaderboards/index.ts';
import { PartitionOwners, partitionOwnersMigrations } from '../owners/index.ts';
import type { ProcessFrame } from '../process/run-process.ts';
import { serveOperations } from '../process/serve-operations.ts';
import { openSchema } from '../schemas/open-schema.ts';
import { SCHEMAS } from '../schemas/schemas.ts';
import { toCallers } from './chain-routes.ts';
import { logServiceEvents, observeService } from './observe-service.ts';
import { OwnedBoards } from './owned-boards.ts';

export const LEADERBOARD_MIGRATIONS = [
  ...chainServiceMigrations([]),
  ...partitionOwnersMigrations,
  ...leaderboardsMigrations,
];

/** The process of the leaderboards: each board has one owner, who also answers what is asked of its ranks. */
export async function startLeaderboardService(frame: ProcessFrame): Promise<void> {
  const { environment, shutdown, stream, clock, logger } = frame;
  const { partitions } = environment;
  const schema = await openSchema(environment.database, SCHEMAS.leaderboard, LEADERBOARD_MIGRATIONS);
  shutdown.register('database', () => schema.close());
  const store = new PostgresPartitionStore(schema.statements, [], leaderboardTables);
  const publications = new Publications(compileHistory, () => store.readPublications());
  const boards = new OwnedBoards(schema.sql, partitions);
  const calls = await InternalServer.listen({
    host: environment.host,
    port: environment.internalPort,
    token: environment.internalToken,
    handlers: boardHandlers((partition) => boards.find(partition)),
    onRefused: (peer) => logger.warn({ peer }, 'a call without the internal token was refused'),
  });
  shutdown.register('calls', () => calls.close());
  const address = addressOf({ host: environment.advertisedHost, port: calls.port });
  const owners = new PartitionOwners(schema.sql, TOPICS.points);
  const service = await ChainService.start({
    group: 'laurel.leaderboard-service',
    input: { topic: TOPICS.points, partitions },
    stream,
    store,
    publications,
    openProjection: (partition) => boards.openProjection(partition),
    routes: toCallers(partitions),
    clock,
    onAssigned: async (assigned) => {
      boards.own(assigned);
      await owners.claim(assigned, address);
    },
    onEvent: logServiceEvents(frame),
  });
  observeService(frame, service);
  logger.info({ url: await serveOperations(frame), address }, 'leaderboard-service is ready');
}
