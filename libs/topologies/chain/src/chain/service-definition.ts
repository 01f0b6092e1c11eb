import type { AreaName } from '@laurel/kernel';
import { CHAIN_SERVICES, type ChainServiceSchema, type ChainStep } from '@laurel/ports';
import type { AnyUserArea } from '@laurel/engine';
import type { SchemaName } from '@laurel/processes';
import type { ChainProgram, StartBeside } from './chain-program.ts';

/** A step of user areas. */
export interface UserStepDefinition extends Omit<ChainStep, 'output'> {
  readonly output: string;
  /** The schema of the service that reads the output. */
  readonly next: SchemaName;
  readonly schemas: readonly UserSchema[];
}

/** The schema of a service. */
export interface UserSchema {
  readonly name: ChainServiceSchema;
  /** In the order of the chain. */
  readonly areas: readonly AnyUserArea[];
  readonly startBeside: readonly StartBeside[];
}

/**
 * @param step of `USER_SERVICES`
 * @param available the areas of the program, possibly more than those of the step
 * @throws RangeError if the program lacks an area
 */
export function userStepDefinition(
  step: ChainStep,
  available: readonly AnyUserArea[],
  startBeside: ChainProgram['startBeside'] = {},
): UserStepDefinition {
  const { output } = step;
  const next = CHAIN_SERVICES.find(({ input }) => input === output);
  if (output === null || next === undefined) throw new Error(`no service reads the output of ${step.name}`);
  return {
    ...step,
    output,
    next: next.schema,
    schemas: step.services.map(({ schema, areas }) => ({
      name: schema,
      areas: areas.map((name) => areaNamed(name, available)),
      startBeside: areas.flatMap((name) => startBeside[name] ?? []),
    })),
  };
}

function areaNamed(name: AreaName, available: readonly AnyUserArea[]): AnyUserArea {
  const found = available.find((area) => area.name === name);
  if (found === undefined) throw new RangeError(`this program has no area ${name}`);
  return found;
}
