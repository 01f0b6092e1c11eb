import {
  assertStateVersions,
  ChainService,
  chainServiceMigrations,
  DueReview,
  PostgresPartitionStore,
  UserProjection,
} from '@laurel/engine';
import { serviceOf, tablesOf } from '@laurel/contracts';
import type { ProcessFrame } from '../process/run-process.ts';
import { serveOperations } from '../process/serve-operations.ts';
import { instanceLock } from '../rebuild/instance-lock.ts';
import type { ReplayableService } from '../rebuild/replayed-service.ts';
import { openIngestionReads } from '../schemas/open-ingestion-reads.ts';
import { openSchema, type OpenSchema } from '../schemas/open-schema.ts';
import { fanOut, passOn } from './chain-routes.ts';
import { logServiceEvents, observeService } from './observe-service.ts';
import type { UserServiceDefinition } from './service-definition.ts';

/** Of the users' states that a process keeps in memory, all partitions together, as they are stored. */
const CACHED_USER_BYTES = 128 * 1024 * 1024;

/** The process of a service whose areas belong to a user. */
export async function startUserService(frame: ProcessFrame, definition: UserServiceDefinition): Promise<void> {
  const { environment, shutdown, stream, clock, logger } = frame;
  const { input, output } = definition;
  const replayable = userService(definition);
  shutdown.register('instance', await instanceLock(frame, definition.name, 'shared'));
  const schema = await openSchema(environment.database, definition.schema, replayable.migrations);
  shutdown.register('database', () => schema.close());
  await assertStateVersions(schema.statements, replayable.stateVersions);
  const store = replayable.storeIn(schema);
  const { partitions } = environment;
  const service = await ChainService.start({
    group: `laurel.${definition.name}`,
    input: { topic: input, partitions },
    stream,
    store,
    openProjection: (partition) => replayable.openProjection(schema, partition, partitions),
    routes: replayable.routes(partitions),
    ...openIngestionReads(frame),
    clock,
    dueReview: new DueReview(schema.statements, definition.areas),
    onEvent: logServiceEvents(frame),
  });
  observeService(frame, service);
  logger.info({ url: await serveOperations(frame), input, output }, `${definition.name} is ready`);
}

/** What the service is made of, to be run or to be made again. */
export function userService({
  areas,
  name,
  schema,
  input,
  output,
  next,
  migrations,
}: UserServiceDefinition): ReplayableService {
  const columns = areas.map((area) => area.name);
  const tables = tablesOf(areas);
  const storeIn = ({ statements }: OpenSchema) => new PostgresPartitionStore(statements, columns, tables);
  return {
    name,
    schema,
    input,
    output,
    next,
    stateVersions: new Map(areas.map((area) => [area.name, area.stateVersion])),
    migrations: [...chainServiceMigrations(columns), ...migrations],
    routes: (partitions) => (output === serviceOf('leaderboards').input ? fanOut : passOn)(output, partitions),
    storeIn,
    openProjection: (place, partition, partitions) =>
      new UserProjection({
        areas,
        partition,
        readStates: (users, before) => storeIn(place).readStates(partition, users, before),
        cachedUserBytes: Math.ceil(CACHED_USER_BYTES / partitions),
      }),
  };
}
