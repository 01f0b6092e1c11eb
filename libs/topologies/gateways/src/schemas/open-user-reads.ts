import { openUserAreaReads, USER_AREAS, type AreaReads } from '@laurel/all-areas';
import type { StateReader } from '@laurel/kernel';
import { postgresStateReader } from '@laurel/engine';
import { type GatewayConfigurations, schemaOf, type SchemaReaders } from '@laurel/processes';

/** The read sides of the user areas, each in the schema of its service. */
export type UserReadSides = Omit<AreaReads, 'leaderboards'> & { readonly states: StateReader };

export function openUserReads(
  readers: Pick<SchemaReaders, 'reader'>,
  { historyOf }: Pick<GatewayConfigurations, 'historyOf'>,
): UserReadSides {
  const sqlOf = (area: (typeof USER_AREAS)[number]['name']) => readers.reader(schemaOf(area));
  const stateReaders = new Map(USER_AREAS.map(({ name }) => [name, postgresStateReader(sqlOf(name))]));
  const readerOf = (area: (typeof USER_AREAS)[number]['name']) => stateReaders.get(area) as StateReader;
  const states: StateReader = {
    read: (account, subject, area) => readerOf(area).read(account, subject, area),
    readAll: (account, subjects, area) => readerOf(area).readAll(account, subjects, area),
  };
  return { ...openUserAreaReads(sqlOf, states, historyOf), states };
}
