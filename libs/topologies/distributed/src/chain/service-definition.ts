import type { AreaName, Migration } from '@laurel/kernel';
import { CHAIN_SERVICES, type ChainServiceSchema, type Step } from '@laurel/ports';
import type { AnyUserArea } from '@laurel/engine';
import type { SchemaName } from '@laurel/processes';
import type { ChainArea } from './chain-area.ts';

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
  readonly startBeside: readonly NonNullable<ChainArea['startBeside']>[];
}

/**
 * @param step of `USER_SERVICES`
 * @param available what the program has; it may have more areas than the step
 * @throws RangeError if it has none of that name
 */
export function userStepDefinition(step: Step, available: readonly ChainArea[]): UserStepDefinition {
  const { output } = step;
  const next = CHAIN_SERVICES.find(({ input }) => input === output);
  if (output === null || next === undefined) throw new Error(`nothing reads what ${step.name} sends`);
  return {
    ...step,
    output,
    next: next.schema,
    schemas: step.services.map(({ schema, areas }) => {
      const found = areas.map((name) => areaNamed(name, available));
      return {
        name: schema,
        areas: found.map(({ area }) => area),
        migrations: found.flatMap(({ migrations }) => migrations),
        startBeside: found.flatMap(({ startBeside }) => startBeside ?? []),
      };
    }),
  };
}

function areaNamed(name: AreaName, available: readonly ChainArea[]): ChainArea {
  const found = available.find(({ area }) => area.name === name);
  if (found === undefined) throw new RangeError(`this program has no area ${name}`);
  return found;
}
