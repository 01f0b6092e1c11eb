import { MIGRATIONS_OF_AREA, USER_AREAS } from '@laurel/all-areas';
import type { Migration } from '@laurel/kernel';
import { CHAIN_SERVICES, type ChainServiceSchema, type Step } from '@laurel/ports';
import type { AnyUserArea } from '@laurel/engine';
import type { SchemaName } from '../schemas/schemas.ts';

/** A step whose areas belong to a user, with these areas and their tables. */
export interface UserStepDefinition extends Omit<Step, 'output'> {
  readonly output: string;
  /** Of the service that reads the output. */
  readonly next: SchemaName;
  readonly schemas: readonly UserSchema[];
}

/** The schema of a service. */
export interface UserSchema {
  readonly name: ChainServiceSchema;
  /** In the order of the chain. */
  readonly areas: readonly AnyUserArea[];
  readonly migrations: readonly Migration[];
}

/** @param step of `USER_SERVICES` */
export function userStepDefinition(step: Step): UserStepDefinition {
  const { output } = step;
  const next = CHAIN_SERVICES.find(({ input }) => input === output);
  if (output === null || next === undefined) throw new Error(`nothing reads what ${step.name} sends`);
  return {
    ...step,
    output,
    next: next.schema,
    schemas: step.services.map(({ schema, areas }) => ({
      name: schema,
      areas: USER_AREAS.filter(({ name }) => areas.includes(name)),
      migrations: areas.flatMap((area) => MIGRATIONS_OF_AREA[area]),
    })),
  };
}
