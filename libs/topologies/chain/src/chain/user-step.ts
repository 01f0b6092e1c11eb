import { chainServiceMigrations, PostgresPartitionStore, UserProjection } from '@laurel/engine';
import { tablesOf } from '@laurel/kernel';
import { serviceOf } from '@laurel/ports';
import type { OpenPlace } from '@laurel/processes';
import type { ReplayableStep } from '../rebuild/replayed-step.ts';
import { fanOut, passOn } from './chain-routes.ts';
import type { UserStepDefinition } from './service-definition.ts';

/** The cached user states of a process, for all partitions together, in bytes as they are stored. */
const CACHED_USER_BYTES = 128 * 1024 * 1024;

/** The parts of a step with user areas, for running or replaying it. */
export function userStep({ schemas, ...step }: UserStepDefinition): ReplayableStep {
  const columnsOf = schemas.map(({ areas }) => areas.map(({ name }) => name));
  const storeIn = ({ opened }: OpenPlace) =>
    new PostgresPartitionStore(
      opened[0].statements,
      schemas.map(({ areas }, index) => ({
        name: index === 0 ? null : (opened[index]?.connection.schema ?? null),
        columns: columnsOf[index] ?? [],
        tables: tablesOf(areas),
      })),
    );
  return {
    ...step,
    schemas: schemas.map(({ name, areas }, index) => ({
      name,
      stateVersions: new Map(areas.map((area) => [area.name, area.stateVersion])),
      tables: new Map(areas.map((area) => [area.name, area.tables])),
      states: new Map(areas.map((area) => [area.name, area.digest ?? area.name])),
      migrations: [...chainServiceMigrations(columnsOf[index] ?? []), ...areas.flatMap(({ migrations }) => migrations)],
    })),
    routes: (partitions) =>
      (step.output === serviceOf('leaderboards').input ? fanOut : passOn)(step.output, partitions),
    storeIn,
    openProjection: (place, partition, partitions) => {
      const store = storeIn(place);
      return new UserProjection({
        areasBySchema: schemas.map(({ areas }) => areas),
        partition,
        readStates: (users, before) => store.readStates(partition, users, before),
        cachedUserBytes: Math.ceil(CACHED_USER_BYTES / partitions),
      });
    },
  };
}
