import {
  ChainService,
  PostgresPartitionStore,
  Publications,
  UserProjection,
  chainServiceMigrations,
} from '@laurel/chain-service';
import { compileHistory } from '@laurel/configuration';
import { TOPICS } from '@laurel/contracts';
import type { ProcessFrame } from '../process/run-process.ts';
import { serveOperations } from '../process/serve-operations.ts';
import { openSchema } from '../schemas/open-schema.ts';
import { fanOut, passOn } from './chain-routes.ts';
import { logServiceEvents, observeService } from './observe-service.ts';
import type { UserServiceDefinition } from './service-definition.ts';

/** Users whose states a process keeps in memory, all partitions together. */
const CACHED_USERS = 100_000;

/** The process of a service whose areas belong to a user. */
export async function startUserService(frame: ProcessFrame, definition: UserServiceDefinition): Promise<void> {
  const { environment, shutdown, stream, clock, logger } = frame;
  const { areas, input, output } = definition;
  const schema = await openSchema(environment.database, definition.schema, migrationsOf(definition));
  shutdown.register('database', () => schema.close());
  const store = partitionStoreOf(definition, schema.statements);
  const { partitions } = environment;
  const service = await ChainService.start({
    group: `laurel.${definition.name}`,
    input: { topic: input, partitions },
    stream,
    store,
    publications: new Publications(compileHistory, () => store.readPublications()),
    openProjection: (partition) =>
      new UserProjection({
        areas,
        partition,
        readStates: (users) => store.readStates(users),
        cachedUsers: Math.ceil(CACHED_USERS / partitions),
      }),
    routes: routesOf(definition, partitions),
    clock,
    onEvent: logServiceEvents(frame),
  });
  observeService(frame, service);
  logger.info({ url: await serveOperations(frame), input, output }, `${definition.name} is ready`);
}

export const migrationsOf = ({ areas, migrations }: UserServiceDefinition) => [
  ...chainServiceMigrations(areas.map((area) => area.name)),
  ...migrations,
];

export const partitionStoreOf = (
  { areas }: UserServiceDefinition,
  statements: ConstructorParameters<typeof PostgresPartitionStore>[0],
): PostgresPartitionStore =>
  new PostgresPartitionStore(
    statements,
    areas.map((area) => area.name),
    areas.flatMap((area) => area.tables),
  );

export const routesOf = ({ output }: UserServiceDefinition, partitions: number) =>
  output === TOPICS.points ? fanOut(partitions) : passOn(output, partitions);
