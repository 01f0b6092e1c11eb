import { assertStateVersions, type StateVersions, type UserAreaName } from '@laurel/engine';
import type { AreaName, AreaTable, Migration } from '@laurel/kernel';
import { stepText, type ChainStep } from '@laurel/ports';
import type { ConnectionOptions } from '@laurel/database';
import { openSchema, type OpenSchema } from './open-schema.ts';
import type { SchemaName } from './schemas.ts';

/** The tables of a step in the schema of one of its services. */
export interface StepSchema {
  readonly name: SchemaName;
  readonly migrations: readonly Migration[];
  readonly stateVersions: StateVersions;
  /** The tables of each of its areas, in the order of the chain. */
  readonly tables: ReadonlyMap<AreaName, readonly AreaTable[]>;
  /** SQL expressions for the comparison of states. */
  readonly states: ReadonlyMap<UserAreaName, string>;
}

/** The open schemas of a step's services. The first has the checkpoints. */
export interface OpenPlace {
  readonly opened: readonly [OpenSchema, ...OpenSchema[]];
  close(): Promise<void>;
}

/** A step with its schemas. */
export interface StoredStep extends Pick<ChainStep, 'areas'> {
  /** At least one, front to back. */
  readonly schemas: readonly StepSchema[];
}

/**
 * Migrates the schemas of a step and opens them.
 * @param nameOf replaces the name of each schema
 * @throws StartError, or the driver's error
 */
export async function openPlace(
  server: ConnectionOptions,
  { schemas }: StoredStep,
  nameOf: (schema: SchemaName) => string = (schema) => schema,
): Promise<OpenPlace> {
  const opened: OpenSchema[] = [];
  const close = async () => {
    await Promise.all(opened.map((schema) => schema.close()));
  };
  try {
    for (const { name, migrations } of schemas)
      opened.push(await openSchema(server, nameOf(name) as SchemaName, migrations));
  } catch (error) {
    await close();
    throw error;
  }
  const [first, ...others] = opened;
  if (first === undefined) throw new Error('a step stores in one schema at least');
  return { opened: [first, ...others], close };
}

/** @throws StaleStatesError that names the differing areas: the step must be rebuilt from its input */
export async function assertVersions({ opened }: OpenPlace, step: StoredStep): Promise<void> {
  for (const [index, { stateVersions }] of step.schemas.entries()) {
    const schema = opened[index];
    if (schema) await assertStateVersions(schema.statements, stateVersions, stepText(step));
  }
}
