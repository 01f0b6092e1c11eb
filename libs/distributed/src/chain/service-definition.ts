import { MIGRATIONS_OF_AREA, USER_AREAS } from '@laurel/areas';
import { CHAIN_SERVICES, type ChainServiceEntry, type Migration } from '@laurel/contracts';
import type { AnyUserArea } from '@laurel/engine';
import type { SchemaName } from '../schemas/schemas.ts';

/** A service whose areas belong to a user: its row of the topology with its areas and their tables. */
export interface UserServiceDefinition extends Omit<ChainServiceEntry, 'areas' | 'output'> {
  readonly output: string;
  /** Of the service that reads the output. */
  readonly next: SchemaName;
  /** In the order of the chain. */
  readonly areas: readonly AnyUserArea[];
  readonly migrations: readonly Migration[];
}

/** @param service one of `USER_SERVICES` */
export function userServiceDefinition(service: ChainServiceEntry): UserServiceDefinition {
  const { output } = service;
  const next = CHAIN_SERVICES.find(({ input }) => input === output);
  if (output === null || next === undefined) throw new Error(`nothing reads what ${service.name} sends`);
  return {
    ...service,
    output,
    next: next.schema,
    areas: USER_AREAS.filter(({ name }) => service.areas.includes(name)),
    migrations: service.areas.flatMap((area) => MIGRATIONS_OF_AREA[area]),
  };
}
